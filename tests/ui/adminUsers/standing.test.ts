import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { appError } from "../../../convex/shared/errors";
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

test("a password reset without an answer says so, and is the same one when pressed again", async () => {
  const issued = { password: "0123456789abcdef", isAsked: false };
  const lost = new Error("Connection lost while action was in flight");
  const answers = [lost, appError("RATE_LIMITED"), issued, appError("USER_NOT_FOUND"), issued];
  const sent: Record<string, unknown>[] = [];
  fakeServer.calls["admin/users:resetPassword"] = async (args) => {
    sent.push(args);
    const answer = answers.shift();
    return answer instanceof Error ? Promise.reject(answer) : answer;
  };
  const { result } = renderHook(() => useStanding(personWith("approved")));
  const press = (reason = "seen at the branch") =>
    act(async () => void (await result.current.onResetPassword(reason)));
  await press();
  expect(result.current.failure).toMatch(/^There was no answer, so .* may have been issued\./);
  expect(result.current.issued).toBeNull();
  await press();
  await press();
  expect(result.current).toMatchObject({ issued, failure: null });
  await press();
  await press("asked on the telephone");
  const keys = sent.map(({ requestKey }) => requestKey);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
  expect(new Set(keys.slice(2)).size).toBe(3);
  // The password can be made from the key.
  expect(JSON.stringify({ ...sessionStorage })).not.toContain(keys[0]);
});
