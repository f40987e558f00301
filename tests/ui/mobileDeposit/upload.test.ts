import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { useMobileDeposit } from "../../../src/features/mobileDeposit/useMobileDeposit";
import { forgetKept } from "../../../src/lib/kept";
import { fakeServer } from "../../support/convexReact";
import { PATIENCE } from "../../support/patience";

const KEY = "__convexAuthJWT_test";

/** Records the token of each upload and what answers it: the image's id, or a refusal. */
const uploads: {
  readonly token: string;
  readonly arrive: (refusal?: { code: string; message: string }) => void;
}[] = [];

class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  status = 200;
  responseText = "";
  private token = "";
  open = () => undefined;
  setRequestHeader(name: string, value: string): void {
    if (name === "Authorization") this.token = value;
  }
  send(): void {
    const arrive = (refusal?: { code: string; message: string }) => {
      this.status = refusal === undefined ? 200 : 413;
      this.responseText = JSON.stringify(refusal ?? { imageId: `image-${uploads.length}` });
      this.dispatchEvent(new Event("load"));
    };
    uploads.push({ token: this.token, arrive });
  }
}

beforeEach(() => {
  uploads.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.removeItem(KEY);
  fakeServer.calls = {};
  forgetKept();
});

test("each photo is sent with the session's newest token, also once the panel was left", async () => {
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  const submit = vi.fn(async () => null);
  fakeServer.calls = { "mobileDeposits:submit": submit };
  sessionStorage.setItem(KEY, "first");
  const { result, unmount } = renderHook(useMobileDeposit);
  const [front, back] = [new File(["f"], "front.png"), new File(["b"], "back.png")];
  let sent: Promise<boolean> = Promise.resolve(false);
  act(() => {
    sent = result.current.send({ toAccount: "Checking", amountCents: 100n, front, back });
  });
  await vi.waitFor(() => expect(uploads).toHaveLength(1), PATIENCE);
  unmount();
  sessionStorage.setItem(KEY, "renewed");
  uploads[0]?.arrive();
  await vi.waitFor(() => expect(uploads).toHaveLength(2), PATIENCE);
  uploads[1]?.arrive();
  expect(await sent).toBe(true);
  expect(uploads.map(({ token }) => token)).toEqual(["Bearer first", "Bearer renewed"]);
  expect(submit).toHaveBeenCalledOnce();
});

test.each(["INVALID_IMAGE", "IMAGE_TOO_LARGE", "IMAGE_UNUSABLE_SIZE"] as const)(
  "a photo refused with %s is the one that is marked",
  async (code) => {
    vi.stubGlobal("XMLHttpRequest", FakeRequest);
    sessionStorage.setItem(KEY, "first");
    const { result } = renderHook(useMobileDeposit);
    const [front, back] = [new File(["f"], "front.png"), new File(["b"], "back.png")];
    let sent: Promise<boolean> = Promise.resolve(true);
    act(() => {
      sent = result.current.send({ toAccount: "Checking", amountCents: 100n, front, back });
    });
    await vi.waitFor(() => expect(uploads).toHaveLength(1), PATIENCE);
    act(() => uploads[0]?.arrive());
    await vi.waitFor(() => expect(uploads).toHaveLength(2), PATIENCE);
    act(() => uploads[1]?.arrive({ code, message: MESSAGES[code] }));
    expect(await act(() => sent)).toBe(false);
    expect(result.current).toMatchObject({ refusedSide: "back", message: MESSAGES[code] });
  },
);
