import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useStanding } from "../../../src/features/adminUsers/useStanding";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";

vi.mock("convex/react", () => import("../../support/convexReact"));

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
