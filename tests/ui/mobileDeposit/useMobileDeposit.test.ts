/** One check is deposited once, however often it has to be sent. */
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { IMAGE_BYTES_MAX } from "../../../convex/shared/imageFiles";
import { useMobileDeposit } from "../../../src/features/mobileDeposit/useMobileDeposit";
import { forgetKept } from "../../../src/lib/kept";
import { fakeServer } from "../../support/convexReact";

vi.mock("convex/react", () => import("../../support/convexReact"));

const { uploadImage } = vi.hoisted(() => ({ uploadImage: vi.fn<() => Promise<string>>() }));
vi.mock("../../../src/features/mobileDeposit/uploadImage", () => ({ uploadImage }));

const { prepareImage } = vi.hoisted(() => ({ prepareImage: vi.fn<(file: File) => unknown>() }));
vi.mock("../../../src/features/mobileDeposit/prepareImage", () => ({ prepareImage }));

const submit = vi.fn<(args: Record<string, unknown>) => Promise<null>>();
beforeEach(() => {
  forgetKept();
  let count = 0;
  uploadImage.mockReset().mockImplementation(async () => `image-${++count}`);
  prepareImage.mockReset().mockImplementation(async (file) => file);
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

/** Sends deposits from a page; resolves to whether they arrived. */
function sender() {
  const { result } = renderHook(() => useMobileDeposit());
  return async (deposit: ReturnType<typeof newDeposit>) => {
    let isSent = false;
    await act(async () => {
      isSent = await result.current.send(deposit);
    });
    return isSent;
  };
}

test("sent again after no answer, it has the pictures and the key that it had; the next one has its own", async () => {
  const send = sender();
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

test("after pictures that did not arrive smaller ones are sent, but not after refused ones", async () => {
  const send = sender();
  const deposit = newDeposit();
  uploadImage.mockRejectedValueOnce(appError("RATE_LIMITED"));
  expect(await send(deposit)).toBe(false);
  uploadImage.mockRejectedValueOnce(new Error("no answer"));
  expect(await send(deposit)).toBe(false);
  expect(await send(deposit)).toBe(true);
  const { front, back } = deposit;
  expect(prepareImage.mock.calls).toEqual([
    [front, false],
    [front, false],
    [front, true],
    [back, true],
  ]);
});

test("pictures that the server no longer has are uploaded again", async () => {
  const send = sender();
  const deposit = newDeposit();
  submit.mockRejectedValueOnce(appError("TOO_MANY_DEPOSITS"));
  submit.mockRejectedValueOnce(appError("DEPOSIT_INCOMPLETE"));
  for (const _ of ["at once", "days later"]) expect(await send(deposit)).toBe(false);
  expect(uploadImage).toHaveBeenCalledTimes(2);
  expect(await send(deposit)).toBe(true);
  expect(submit).toHaveBeenLastCalledWith(
    expect.objectContaining({ frontImageId: "image-3", backImageId: "image-4" }),
  );
});

test("a picture that is too large is refused by name, and not sent", async () => {
  const { result } = renderHook(() => useMobileDeposit());
  const back = new File([new Uint8Array(IMAGE_BYTES_MAX + 1)], "back.heic");
  expect(await act(() => result.current.send({ ...newDeposit(), back }))).toBe(false);
  expect(result.current).toMatchObject({
    message: MESSAGES.IMAGE_TOO_LARGE,
    refusedSide: "back",
  });
  expect(uploadImage).toHaveBeenCalledOnce();
});
