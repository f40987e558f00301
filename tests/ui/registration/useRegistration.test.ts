/** What is left of an application once it has been sent, and of the session before it. */
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useRegistration } from "../../../src/features/registration/useRegistration";
import type { FieldName } from "../../../src/features/registration/fields";

const { done, auth } = vi.hoisted(() => {
  const calls: string[] = [];
  const noted = (name: string) => async () => void calls.push(name);
  return { done: calls, auth: { signIn: noted("signed up"), signOut: noted("signed out") } };
});
vi.mock("@convex-dev/auth/react", () => ({ useAuthActions: () => auth }));
vi.mock("convex/react", async () => ({
  ...(await import("../../support/convexReact")),
  useConvexAuth: () => ({ isAuthenticated: true }),
}));

const APPLICATION: Partial<Record<FieldName, string>> = {
  email: "ada@x.com",
  password: "correct horse",
  confirmPassword: "correct horse",
  firstName: "Ada",
  lastName: "Abel",
  dateOfBirth: "1990-02-28",
  nationality: "United States",
  maritalStatus: "Single",
  street: "1 Main Street",
  city: "Albany",
  state: "NY",
  country: "US",
  postalCode: "12207",
  phoneNumber: "555",
  emergencyName: "Ben",
  emergencyRelationship: "Brother",
  emergencyPhone: "556",
  idCardType: "Passport",
  idCardNumber: "X1",
};

test("it is not kept in the tab, and the session before it has ended first", async () => {
  const kept = () => sessionStorage.getItem("draft:application");
  const { result } = renderHook(() => useRegistration(() => done.push("submitted")));
  act(() => {
    for (const [field, text] of Object.entries(APPLICATION)) {
      result.current.change(field as FieldName, text);
    }
  });
  expect(kept()).toContain("1990-02-28");
  expect(kept()).not.toContain("correct horse");
  await act(() => result.current.submit());
  expect(result.current.problems).toEqual([]);
  expect(done).toEqual(["signed out", "signed up", "submitted"]);
  expect(kept()).toBeNull();
});
