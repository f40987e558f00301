import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useVerification } from "../../../src/features/adminUsers/useVerification";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { fakeServer } from "../../support/convexReact";

test("a decision is about the status that was seen, whatever it has become", async () => {
  const names = ["approve", "reject", "reopen", "requestInformation"] as const;
  const calls = names.map(
    (name) => [`admin/registrations:${name}`, vi.fn(async () => null)] as const,
  );
  fakeServer.calls = Object.fromEntries(calls);
  onTestFinished(() => {
    fakeServer.calls = {};
  });
  const user = { _id: "lena", email: "lena@demo.example", status: "approved" } as UserDetailData;
  const { result } = renderHook(() => useVerification(user, "rejected"));
  const done: (string | null)[] = [];
  for (const decide of [
    () => result.current.onApprove(),
    () => result.current.onReject("Not legible"),
    () => result.current.onReopen("A mistake"),
    () => result.current.onRequestInformation("Which one?"),
  ]) {
    await act(decide);
    done.push(result.current.done);
  }
  expect(calls.map(([, call]) => call.mock.calls)).toEqual([
    [[{ userId: "lena", seenStatus: "rejected" }]],
    [[{ userId: "lena", reason: "Not legible", seenStatus: "rejected" }]],
    [[{ userId: "lena", reason: "A mistake" }]],
    [[{ userId: "lena", text: "Which one?" }]],
  ]);
  expect(done).toEqual([
    "lena@demo.example was approved.",
    "lena@demo.example was rejected.",
    "The application of lena@demo.example was reopened.",
    "lena@demo.example was asked.",
  ]);
});
