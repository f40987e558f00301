import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { currentAnnouncement } from "../../../src/lib/announce";
import { fakeServer } from "../../support/convexReact";
import { useNewApplications } from "../../../src/features/adminUsers/useNewApplications";

const LIST = "admin/users:list";
const queueOf = (...applications: readonly { email: string; createdAt: number }[]) => {
  fakeServer.queries[LIST] = { page: applications };
};
const spoken = async () => {
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  return currentAnnouncement();
};

beforeEach(() => {
  fakeServer.queries = {};
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("the first application after an empty queue is announced", async () => {
  const { rerender } = renderHook(useNewApplications);
  queueOf();
  rerender();
  queueOf({ email: "nora@demo.example", createdAt: 5 });
  rerender();
  expect(await spoken()).toBe("New application from nora@demo.example");
});

test("what waits at first load is not announced, nor what stands first once a newer one left", async () => {
  const before = await spoken();
  const { rerender } = renderHook(useNewApplications);
  queueOf({ email: "lena@demo.example", createdAt: 5 });
  rerender();
  queueOf({ email: "omar@demo.example", createdAt: 4 });
  rerender();
  expect(await spoken()).toBe(before);
});
