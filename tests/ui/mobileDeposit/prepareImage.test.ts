/** jsdom decodes and draws no pictures: what is asked of the canvas stands for what is drawn. */
import { expect, test, vi } from "vitest";
import { prepareImage } from "../../../src/features/mobileDeposit/prepareImage";

/** Redraws a photo of that size; returns the canvas's size and what was drawn on it, in order. */
async function redraw(width: number, height: number, isLineSlow = false) {
  const drawn: string[] = [];
  const context = {
    fillStyle: "",
    fillRect: (...area: number[]) => drawn.push(`${context.fillStyle} ${area.join(" ")}`),
    drawImage: (_photo: unknown, ...area: number[]) => drawn.push(`photo ${area.join(" ")}`),
  };
  vi.stubGlobal("createImageBitmap", async () => ({ width, height, close: () => undefined }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
  let size = "";
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type,
  ) {
    size = `${this.width} ${this.height}`;
    done(new Blob(["redrawn"], { type: type ?? "" }));
  });
  const photo = new File(["photo"], "check.heic", { type: "image/heic" });
  const { type } = await prepareImage(photo, isLineSlow);
  return { size, drawn, type };
}

test.each([
  ["a wide photo", 4_000, 3_000, "2000 1500"],
  ["a tall photo", 3_000, 4_000, "1500 2000"],
  ["a small one, which gains nothing by being larger", 800, 600, "800 600"],
  ["a strip", 9_000, 1, "2000 1"],
])("%s is sent at a sensible size, on white", async (_what, width, height, size) => {
  expect(await redraw(width, height)).toEqual({
    size,
    drawn: [`white 0 0 ${size}`, `photo 0 0 ${size}`],
    type: "image/jpeg",
  });
});

test("on a slow line it is smaller", async () => {
  expect(await redraw(4_000, 3_000, true)).toMatchObject({ size: "1280 960" });
});

test("a photo that this browser cannot draw is sent as it is", async () => {
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("unknown format")));
  const photo = new File(["photo"], "check.heic", { type: "image/heic" });
  expect(await prepareImage(photo)).toBe(photo);
});
