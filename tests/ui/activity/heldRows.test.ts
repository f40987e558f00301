import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useHeldRows } from "../../../src/features/activity/useHeldRows";

test("rows stay in their places as long as the pointer moves over them, and wait for two seconds after that", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { result, rerender } = renderHook(({ ids }) => useHeldRows(ids.map((_id) => ({ _id }))), {
    initialProps: { ids: ["b"] },
  });
  const shown = () => result.current.rows.map(({ _id }) => _id);
  for (const ids of [
    ["b", "a"],
    ["c", "a"],
  ]) {
    act(() => result.current.onPointerMove());
    rerender({ ids });
    act(() => void vi.advanceTimersByTime(1_900));
    expect(shown()).toEqual(["b"]);
  }
  expect(result.current.waitingCount).toBe(2);
  act(() => void vi.advanceTimersByTime(100));
  expect(shown()).toEqual(["c", "a"]);
});
