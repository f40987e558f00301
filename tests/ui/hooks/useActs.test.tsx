import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { actState, useActs } from "../../../src/hooks/useActs";

const command = (isBusy: boolean, message?: string) => ({
  isBusy,
  refusal: message === undefined ? null : { code: "SAVE_FAILED" as const, message },
  clear: vi.fn(),
});

test("several commands are busy as one, and show whichever refusal there is", () => {
  expect(actState(command(false), command(false))).toMatchObject({ isBusy: false, failure: null });
  const [idle, busy] = [command(false, "Refused"), command(true)];
  const state = actState(busy, idle);
  expect(state).toMatchObject({ isBusy: true, failure: "Refused" });
  state.clearFailure();
  expect(idle.clear).toHaveBeenCalledOnce();
  expect(busy.clear).toHaveBeenCalledOnce();
});

test("what was done is said for some seconds, in a sentence that may depend on the answer", () => {
  vi.useFakeTimers();
  const { result, unmount } = renderHook(() => useActs(command(false)));
  const refused = { isOk: false, refusal: { code: "SAVE_FAILED", message: "Refused" } } as const;
  act(() => expect(result.current.tell(refused, "Done.")).toBe(false));
  expect(result.current.acts.done).toBeNull();
  const answered = { isOk: true, value: { count: 2 } } as const;
  act(() => expect(result.current.tell(answered, ({ count }) => `Done ${count}.`)).toBe(true));
  expect(result.current.acts.done).toBe("Done 2.");
  act(() => void vi.advanceTimersByTime(ADMIN_SUCCESS_MS));
  expect(result.current.acts.done).toBeNull();
  unmount();
  vi.useRealTimers();
});
