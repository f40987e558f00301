import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useNow } from "../../../src/hooks/useNow";

test("a page that slept shows the time as soon as it is looked at; the same minute is no news", () => {
  vi.useFakeTimers({ now: 1_000_000_030_000 });
  onTestFinished(() => void vi.useRealTimers());
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useNow();
  });
  const lookAt = () => act(() => void document.dispatchEvent(new Event("visibilitychange")));
  vi.setSystemTime(1_000_000_031_000);
  lookAt();
  expect(renders).toBe(1);
  vi.setSystemTime(1_000_030_000_000);
  lookAt();
  expect(result.current).toBe(1_000_030_000_000);
});
