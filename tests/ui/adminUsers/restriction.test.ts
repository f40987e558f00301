import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { useRestriction } from "../../../src/features/adminUsers/useRestriction";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { fakeServer } from "../../support/convexReact";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const personWith = (expiresAt?: number) => {
  const restriction = {
    reason: "Under review.",
    setBy: "admin@demo.example",
    setAt: Date.now(),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return { _id: "maya", restriction } as unknown as UserDetailData;
};

test("a restriction ends on the open page when its time is over", async () => {
  const person = personWith(Date.now() + 30_000);
  const { result } = renderHook(() => useRestriction(person));
  expect(result.current.restriction).toMatchObject({ reason: "Under review." });
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(result.current.restriction).toBeNull();
});

test("one with no end date stays", async () => {
  const person = personWith();
  const { result } = renderHook(() => useRestriction(person));
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(result.current.restriction).not.toBeNull();
});

test("an end that is no date, such as one in the year 20266, is the server's to refuse", async () => {
  fakeServer.calls["admin/restrictions:set"] = async ({ expiresAt }) => {
    expect(expiresAt).toBeNaN();
    throw appError("INVALID_DATE");
  };
  const { result } = renderHook(() => useRestriction(personWith()));
  const isOk = await act(() => result.current.onSet("Under review.", "20266-12-01"));
  expect([isOk, result.current.failure]).toEqual([false, MESSAGES.INVALID_DATE]);
});
