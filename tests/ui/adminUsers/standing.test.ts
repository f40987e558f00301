import { renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { MS, OTP_LOCK_MS } from "../../../convex/shared/limits";
import { useStanding } from "../../../src/features/adminUsers/useStanding";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { fakeServer } from "../../support/convexReact";

const personWith = (status: UserDetailData["status"]) =>
  ({ _id: "lena", role: "user", status }) as UserDetailData;

test.each([
  ["approved", true],
  ["active", true],
  ["pending", false],
  ["rejected", false],
  ["unknown", false],
] as const)("the role of somebody %s can be changed: %s, as the server has it", (status, can) => {
  const { result } = renderHook(() => useStanding(personWith(status)));
  expect(result.current.canChangeRole).toBe(can);
});

test("the transfer count of the protected account, which has no limit, cannot be reset", () => {
  const of = (isProtected: boolean) =>
    renderHook(() => useStanding({ ...personWith("approved"), isProtected })).result.current;
  expect([of(true).canResetCount, of(false).canResetCount]).toEqual([false, true]);
});

test("the longer wait is shown while it lasts, and only to somebody who could sign in", () => {
  vi.useFakeTimers({ now: 1_000 * MS.DAY_MS });
  const nowMs = Date.now();
  fakeServer.queries = {
    "admin/locks:get": { passwordsUntil: nowMs + MS.MINUTE_MS, codesUntil: nowMs + OTP_LOCK_MS },
  };
  onTestFinished(() => {
    vi.useRealTimers();
    fakeServer.queries = {};
  });
  const lockOf = (changes: Partial<UserDetailData> = {}) =>
    renderHook(() => useStanding({ ...personWith("approved"), ...changes })).result.current.lock;
  expect(lockOf()).toEqual({ untilMs: nowMs + OTP_LOCK_MS, by: "wrong one-time codes" });
  expect(lockOf({ disabledAt: 1 })).toBeNull();
  vi.setSystemTime(nowMs + OTP_LOCK_MS);
  expect(lockOf()).toBeNull();
  // Begun before the clock was set back by more than any wait lasts.
  vi.setSystemTime(nowMs - MS.DAY_MS);
  expect(lockOf()).toBeNull();
});
