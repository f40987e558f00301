/** One check is deposited once, however often it has to be sent. */
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useMobileDeposit } from "../../../src/features/mobileDeposit/useMobileDeposit";
import { forgetKept } from "../../../src/lib/kept";
import { fakeServer } from "../../support/convexReact";

vi.mock("convex/react", () => import("../../support/convexReact"));

const { uploadImage } = vi.hoisted(() => ({ uploadImage: vi.fn<() => Promise<string>>() }));
vi.mock("../../../src/features/mobileDeposit/uploadImage", () => ({ uploadImage }));

const submit = vi.fn<(args: Record<string, unknown>) => Promise<null>>();
beforeEach(() => {
  forgetKept();
  let count = 0;
  uploadImage.mockReset().mockImplementation(async () => `image-${++count}`);
  submit.mockReset().mockResolvedValue(null);
  fakeServer.calls = { "mobileDeposits:submit": submit };
  return () => void (fakeServer.calls = {});
});

const newDeposit = () => ({
  toAccount: "Checking" as const,
  amountCents: 12_000n,
  front: new File(["front"], "front.png"),
  back: new File(["back"], "back.png"),
});

/** Whether leaving the page would be asked about. */
function isPageKept(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("sent again after no answer, it has the pictures and the key that it had; the next one has its own", async () => {
  const { result } = renderHook(() => useMobileDeposit());
  const send = async (deposit: ReturnType<typeof newDeposit>) => {
    let isSent = false;
    await act(async () => {
      isSent = await result.current.send(deposit);
    });
    return isSent;
  };
  const first = newDeposit();
  submit.mockImplementationOnce(async () => {
    expect(isPageKept()).toBe(true);
    throw new Error("the connection broke");
  });
  expect(await send(first)).toBe(false);
  expect(isPageKept()).toBe(false);
  expect(await send(first)).toBe(true);
  expect(uploadImage).toHaveBeenCalledTimes(2);
  expect(await send(newDeposit())).toBe(true);
  const sent = submit.mock.calls.map(([args]) => args);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]).toMatchObject({ frontImageId: "image-1", backImageId: "image-2" });
  expect(new Set(sent.map(({ requestKey }) => requestKey)).size).toBe(2);
});
