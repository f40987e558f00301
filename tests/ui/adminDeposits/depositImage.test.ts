/** The picture that a reviewer sees is the deposit's own, however late the one before arrives. */
import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDepositImage } from "../../../src/features/adminDeposits/useDepositImage";

vi.mock("@convex-dev/auth/react", () => ({ useAuthToken: () => "token" }));

test("it is not the one of the deposit before", async () => {
  /** Answers the request for an image. */
  const answers = new Map<string, () => void>();
  const fetchImage = (address: string) =>
    new Promise((resolve) => {
      const name = address.split("/").at(-1) ?? "";
      const file = new Blob([], { type: `image/${name}` });
      answers.set(name, () => resolve({ ok: true, blob: async () => file }));
    });
  vi.stubGlobal("fetch", fetchImage);
  onTestFinished(() => void vi.unstubAllGlobals());
  URL.createObjectURL = (file) => `blob:${(file as Blob).type}`;
  URL.revokeObjectURL = () => undefined;
  const arrive = (name: string) => act(async () => answers.get(name)?.());

  const { result, rerender } = renderHook(({ id }) => useDepositImage(id), {
    initialProps: { id: "first" },
  });
  rerender({ id: "second" });
  await arrive("second");
  expect(result.current).toMatchObject({ url: "blob:image/second" });
  await arrive("first");
  expect(result.current).toMatchObject({ url: "blob:image/second" });
  rerender({ id: "third" });
  expect(result.current).toEqual({ kind: "loading" });
});

test("one that did not arrive in a minute is given up, and asked for again on request", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void vi.unstubAllGlobals());
  const swallow = (_address: string, { signal }: RequestInit) =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    });
  vi.stubGlobal("fetch", swallow);
  URL.createObjectURL = () => "blob:here";
  const { result } = renderHook(() => useDepositImage("only"));
  await act(() => vi.advanceTimersByTimeAsync(59_999));
  expect(result.current).toEqual({ kind: "loading" });
  await act(() => vi.advanceTimersByTimeAsync(1));
  vi.stubGlobal("fetch", async () => new Response("picture"));
  if (result.current.kind !== "failed") throw new Error(`it is ${result.current.kind}`);
  const { tryAgain } = result.current;
  act(tryAgain);
  expect(result.current).toEqual({ kind: "loading" });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toMatchObject({ kind: "ready", url: "blob:here" });
});
