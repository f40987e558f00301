import { act, renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useCommand } from "../../../src/hooks/useCommand";
import { useDelayedFlag } from "../../../src/hooks/useDelayedFlag";
import { useDraft } from "../../../src/hooks/useDraft";
import { useLatest } from "../../../src/hooks/useLatest";
import { useNow } from "../../../src/hooks/useNow";
import { useSettledText } from "../../../src/hooks/useSettledText";
import { useTimedText } from "../../../src/hooks/useTimedText";
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

  test("a call with other arguments waits for the one under way, and each hears its own answer", async () => {
    const finish = new Map<string, () => void>();
    const call = vi.fn(
      ({ handle }: { handle: string }) =>
        new Promise<string>((resolve) => finish.set(handle, () => resolve(`${handle} ended`))),
    );
    const { result } = renderHook(() => useCommand(call, { fallback: "SAVE_FAILED" }));
    let first: unknown;
    let second: unknown;
    let again: unknown;
    act(() => {
      first = result.current.run({ handle: "phone" });
      second = result.current.run({ handle: "laptop" });
      again = result.current.run({ handle: "laptop" });
    });
    expect(call.mock.calls).toEqual([[{ handle: "phone" }]]);
    expect(result.current.pending).toEqual([[{ handle: "phone" }], [{ handle: "laptop" }]]);
    await act(async () => {
      finish.get("phone")?.();
      await first;
    });
    expect(call.mock.calls).toEqual([[{ handle: "phone" }], [{ handle: "laptop" }]]);
    expect(result.current.isBusy).toBe(true);
    act(() => expect(result.current.run({ handle: "laptop" })).toBe(second));
    await act(async () => {
      finish.get("laptop")?.();
      await second;
    });
    expect(await first).toEqual({ isOk: true, value: "phone ended" });
    expect(await second).toEqual({ isOk: true, value: "laptop ended" });
    expect(again).toBe(second);
    expect(result.current.isBusy).toBe(false);
  });

  test("a call that had to wait is made as the page would make it now", async () => {
    let finish: () => void = () => undefined;
    const earlier = vi
      .fn(async (_step: number) => undefined as void)
      .mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
    const later = vi.fn(async (_step: number) => undefined as void);
    const { result, rerender } = renderHook(
      ({ call }) => useCommand(call, { fallback: "SAVE_FAILED" }),
      { initialProps: { call: earlier } },
    );
    act(() => void result.current.run(1));
    let second: unknown;
    act(() => void (second = result.current.run(2)));
    rerender({ call: later });
    await act(async () => {
      finish();
      await second;
    });
    expect(earlier.mock.calls).toEqual([[1]]);
    expect(later.mock.calls).toEqual([[2]]);
  });

  test("what a call was refused for stays while one that waited succeeds", async () => {
    const { result } = renderHook(() =>
      useCommand(
        async (card: string) => {
          if (card === "lost") throw new ConvexError({ code: "NOT_FOUND", message: "Not found" });
        },
        { fallback: "SAVE_FAILED" },
      ),
    );
    await act(async () => {
      await Promise.all([result.current.run("lost"), result.current.run("kept")]);
    });
    expect(result.current.refusal?.code).toBe("NOT_FOUND");
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

describe("useSettledText", () => {
  /** A control whose address is updated only when the test allows it. */
  function renderSlowAddress(value: string) {
    vi.useFakeTimers();
    const onSettle = vi.fn();
    const { result, rerender } = renderHook(
      (props: { value: string }) => useSettledText(props.value, onSettle),
      { initialProps: { value } },
    );
    const type = (text: string) => act(() => result.current[1](text));
    const pause = () =>
      act(() => {
        vi.advanceTimersByTime(1_000);
      });
    const leave = () => act(() => result.current[2]());
    return { text: () => result.current[0], arrive: rerender, type, leave, pause, onSettle };
  }
  afterEach(() => void vi.useRealTimers());

  test("letters typed while the address is on its way stay", () => {
    const { text, arrive, type, pause, onSettle } = renderSlowAddress("");
    type("sal");
    pause();
    type("salary");
    arrive({ value: "sal" });
    expect(text()).toBe("salary");
    pause();
    arrive({ value: "salary" });
    expect(text()).toBe("salary");
    expect(onSettle.mock.calls).toEqual([["sal"], ["salary"]]);
  });

  test("letters typed while two addresses are on their way stay, too", () => {
    const { text, arrive, type, pause } = renderSlowAddress("");
    for (const typed of ["sal", "salary"]) {
      type(typed);
      pause();
    }
    type("salary may");
    for (const value of ["sal", "salary"]) {
      arrive({ value });
      expect(text()).toBe("salary may");
    }
  });

  test("a control that is left settles at once, and only once", () => {
    const { arrive, type, leave, pause, onSettle } = renderSlowAddress("");
    type("rent");
    leave();
    expect(onSettle.mock.calls).toEqual([["rent"]]);
    pause();
    arrive({ value: "rent" });
    leave();
    expect(onSettle.mock.calls).toEqual([["rent"]]);
  });

  test("a blank at a pause stays in the control and out of the search", () => {
    const { text, arrive, type, pause, onSettle } = renderSlowAddress("");
    type("maya ");
    pause();
    arrive({ value: "maya" });
    pause();
    expect(text()).toBe("maya ");
    expect(onSettle.mock.calls).toEqual([["maya"]]);
  });

  test("the text follows when the address changes by itself", () => {
    const { text, arrive, type, pause, onSettle } = renderSlowAddress("maya");
    type("omar");
    pause();
    arrive({ value: "omar" });
    arrive({ value: "" });
    expect(text()).toBe("");
    pause();
    expect(onSettle.mock.calls).toEqual([["omar"]]);
  });
});

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

  test("a timed sentence goes by itself; showing another starts the time anew", () => {
    const { result } = renderHook(() => useTimedText(2_000));
    act(() => result.current[1]("Saved"));
    act(() => void vi.advanceTimersByTime(1_500));
    act(() => result.current[1]("Saved again"));
    act(() => void vi.advanceTimersByTime(1_999));
    expect(result.current[0]).toBe("Saved again");
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current[0]).toBeNull();
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

  test("the present is renewed on every full minute", () => {
    const { result } = renderHook(() => useNow());
    const started = result.current;
    const toMinute = 60_000 - (started % 60_000);
    act(() => void vi.advanceTimersByTime(toMinute - 1));
    expect(result.current).toBe(started);
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current).toBe(started + toMinute);
    act(() => void vi.advanceTimersByTime(60_000));
    expect(result.current).toBe(started + toMinute + 60_000);
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
