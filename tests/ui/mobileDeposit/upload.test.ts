import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { SILENT_UPLOAD_MS } from "../../../src/features/mobileDeposit/uploadImage";
import { useMobileDeposit } from "../../../src/features/mobileDeposit/useMobileDeposit";
import { forgetKept } from "../../../src/lib/kept";
import { fakeServer } from "../../support/convexReact";
import { PATIENCE } from "../../support/patience";

const KEY = "__convexAuthJWT_test";

/** Records the token of each upload and what answers it: the image's id, or a refusal. */
const uploads: {
  readonly token: string;
  /** More of it has left this device. */
  readonly progress: () => void;
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
  abort(): void {
    this.dispatchEvent(new Event("abort"));
    this.dispatchEvent(new Event("loadend"));
  }
  send(): void {
    const progress = () => void this.upload.dispatchEvent(new ProgressEvent("progress"));
    const arrive = (refusal?: { code: string; message: string }) => {
      this.status = refusal === undefined ? 200 : 413;
      this.responseText = JSON.stringify(refusal ?? { imageId: `image-${uploads.length}` });
      this.dispatchEvent(new Event("load"));
      this.dispatchEvent(new Event("loadend"));
    };
    uploads.push({ token: this.token, progress, arrive });
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

test("a photo that a dead line swallows is given up after a while, and can be sent again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  fakeServer.calls = { "mobileDeposits:submit": async () => null };
  sessionStorage.setItem(KEY, "token");
  const { result } = renderHook(useMobileDeposit);
  const [front, back] = [new File(["f"], "front.png"), new File(["b"], "back.png")];
  const deposit = { toAccount: "Checking", amountCents: 100n, front, back } as const;
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  act(() => void result.current.send(deposit));
  await pass(SILENT_UPLOAD_MS - 1);
  uploads[0]?.progress();
  await pass(SILENT_UPLOAD_MS - 1);
  expect(result.current).toMatchObject({ isBusy: true, message: undefined });
  await pass(1);
  expect(result.current).toMatchObject({ isBusy: false, message: MESSAGES.DEPOSIT_FAILED });
  act(() => void result.current.send(deposit));
  await pass(0);
  uploads[1]?.arrive();
  await pass(0);
  uploads[2]?.arrive();
  await pass(0);
  expect(result.current.status).not.toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});
