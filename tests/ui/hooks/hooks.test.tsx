import { act, renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useCommand } from "../../../src/hooks/useCommand";
import { useDelayedFlag } from "../../../src/hooks/useDelayedFlag";
import { useDraft } from "../../../src/hooks/useDraft";
import { useLatest } from "../../../src/hooks/useLatest";
import { useNow } from "../../../src/hooks/useNow";
import { useTimedFlag } from "../../../src/hooks/useTimedFlag";
import { claimDrafts, clearDrafts } from "../../../src/lib/drafts";

describe("useCommand", () => {
  test("a second call while one is under way joins it", async () => {
    let finish: (value: string) => void = () => undefined;
    const call = vi.fn(
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    const { result } = renderHook(() => useCommand(call, { fallback: "TRANSFER_FAILED" }));
    let first: unknown;
    let second: unknown;
    act(() => {
      first = result.current.run();
      second = result.current.run();
    });
    expect(result.current.isBusy).toBe(true);
    expect(call).toHaveBeenCalledTimes(1);
    await act(async () => {
      finish("receipt");
      await first;
    });
    expect(await second).toEqual({ isOk: true, value: "receipt" });
    expect(result.current.isBusy).toBe(false);
  });

  test("a refusal arrives in the catalogue's words, anything else as the fallback", async () => {
    const errors = [
      new ConvexError({ code: "INSUFFICIENT_FUNDS", message: "Insufficient funds" }),
      new Error("socket closed"),
    ];
    const { result } = renderHook(() =>
      useCommand(() => Promise.reject(errors.shift() ?? new Error()), {
        fallback: "TRANSFER_FAILED",
      }),
    );
    await act(() => result.current.run());
    expect(result.current.refusal).toEqual({
      code: "INSUFFICIENT_FUNDS",
      message: "Insufficient funds",
    });
    await act(() => result.current.run());
    expect(result.current.refusal?.message).toBe("Transfer failed. Please try again.");
    act(() => result.current.clear());
    expect(result.current.refusal).toBeNull();
  });
});

const EMPTY = { amount: "", reference: "" };

describe("useDraft", () => {
  test("a draft survives a remount and is gone after clear", () => {
    const first = renderHook(() => useDraft("transfer", EMPTY));
    act(() => first.result.current[1]({ amount: "25.00", reference: "Rent" }));
    first.unmount();
    const second = renderHook(() => useDraft("transfer", EMPTY));
    expect(second.result.current[0]).toEqual({ amount: "25.00", reference: "Rent" });
    act(() => second.result.current[2]());
    second.unmount();
    expect(renderHook(() => useDraft("transfer", EMPTY)).result.current[0]).toEqual(EMPTY);
  });

  test("only known fields of the right type are taken from storage", () => {
    window.sessionStorage.setItem("draft:transfer", '{"amount":5,"reference":"x","evil":1}');
    const { result } = renderHook(() => useDraft("transfer", EMPTY));
    expect(result.current[0]).toEqual({ amount: "", reference: "x" });
  });

  test("another person's sign-in erases the drafts, the same person's keeps them", () => {
    claimDrafts("maya");
    window.sessionStorage.setItem("draft:transfer", '{"amount":"5"}');
    claimDrafts("maya");
    expect(window.sessionStorage.getItem("draft:transfer")).not.toBeNull();
    claimDrafts("omar");
    expect(window.sessionStorage.getItem("draft:transfer")).toBeNull();
  });

  test("signing out erases every draft and nothing else", () => {
    window.sessionStorage.setItem("draft:a", "{}");
    window.sessionStorage.setItem("draft:b", "{}");
    window.sessionStorage.setItem("other", "stays");
    clearDrafts();
    expect(Object.keys(window.sessionStorage)).toEqual(["other"]);
  });
});

describe("time", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000_030_000 }));
  afterEach(() => void vi.useRealTimers());

  test("a timed flag falls by itself; raising it again starts the time anew", () => {
    const { result } = renderHook(() => useTimedFlag(2_000));
    act(() => result.current[1]());
    act(() => void vi.advanceTimersByTime(1_500));
    act(() => result.current[1]());
    act(() => void vi.advanceTimersByTime(1_999));
    expect(result.current[0]).toBe(true);
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current[0]).toBe(false);
  });

  test("a delayed flag rises only after its delay and falls at once", () => {
    const { result, rerender } = renderHook(({ isOn }) => useDelayedFlag(isOn), {
      initialProps: { isOn: true },
    });
    act(() => void vi.advanceTimersByTime(199));
    expect(result.current).toBe(false);
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current).toBe(true);
    rerender({ isOn: false });
    expect(result.current).toBe(false);
  });

  test("the present is renewed on the full minute", () => {
    const { result } = renderHook(() => useNow());
    const started = result.current;
    const toMinute = 60_000 - (started % 60_000);
    act(() => void vi.advanceTimersByTime(toMinute - 1));
    expect(result.current).toBe(started);
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current % 60_000).toBe(0);
  });
});

test("the last result stays while the next one loads", () => {
  const loaded: { value?: string } = { value: "old" };
  const { result, rerender } = renderHook(({ value }) => useLatest(value), {
    initialProps: loaded,
  });
  rerender({});
  expect(result.current).toEqual({ value: "old", isStale: true });
  rerender({ value: "new" });
  expect(result.current).toEqual({ value: "new", isStale: false });
});
