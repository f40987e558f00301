/** What is left of an application once it has been sent, and of the session before it. */
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useRegistration } from "../../../src/features/registration/useRegistration";
import {
  EMPTY_APPLICATION,
  EMPTY_PASSWORDS,
  FIELDS,
  type FieldName,
} from "../../../src/features/registration/fields";
import { COMPLETE } from "./applicant";

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

test("it is not kept in the tab, and the session before it has ended first", async () => {
  const kept = () => sessionStorage.getItem("draft:application");
  const { result } = renderHook(() => useRegistration(() => done.push("submitted")));
  act(() => {
    for (const [field, text] of Object.entries(COMPLETE)) {
      result.current.change(field as FieldName, text);
    }
  });
  expect(kept()).toContain(COMPLETE.dateOfBirth);
  expect(kept()).not.toContain(COMPLETE.password);
  await act(() => result.current.submit());
  expect(result.current.problems).toEqual([]);
  expect(done).toEqual(["signed out", "signed up", "submitted"]);
  expect(kept()).toBeNull();
});

test("clearing it leaves nothing for the next person at this tab", () => {
  const { result } = renderHook(() => useRegistration(() => undefined));
  act(() => result.current.change("firstName", "Ines"));
  act(() => result.current.change("password", "a secret one"));
  sessionStorage.setItem("draft:application-unanswered", '{"email":"ines@mail.example"}');
  act(() => result.current.clear());
  expect(result.current.values).toEqual({ ...EMPTY_APPLICATION, ...EMPTY_PASSWORDS });
  expect(sessionStorage).toHaveLength(0);
});

test("problems are in the form's order; a corrected field is unmarked at once, the others wait", async () => {
  const { result } = renderHook(() => useRegistration(() => undefined));
  // Judged before its password, and below it in the form.
  act(() => result.current.change("confirmPassword", "another one"));
  await act(() => result.current.submit());
  const refused = result.current.problems.map(({ field }) => field);
  const inForm = FIELDS.map(({ name }) => name);
  expect(refused).toEqual(inForm.filter((name) => refused.includes(name)));
  act(() => result.current.change("firstName", "Ines"));
  const left = result.current.problems.map(({ field }) => field);
  expect(left).toEqual(refused.filter((field) => field !== "firstName"));
  expect(left).toHaveLength(refused.length - 1);
});

test("a date of birth that is half typed is not called missing", async () => {
  const field = document.createElement("input");
  field.id = "application-dateOfBirth";
  // As browsers report it: no value, but something that is none.
  Object.defineProperty(field, "validity", { value: { badInput: true } });
  document.body.append(field);
  const { result } = renderHook(() => useRegistration(() => undefined));
  act(() => {
    for (const [name, text] of Object.entries({ ...COMPLETE, dateOfBirth: "" })) {
      result.current.change(name as FieldName, text);
    }
  });
  await act(() => result.current.submit());
  field.remove();
  expect(result.current.problems.map(({ message }) => message)).toEqual([
    "Please enter a valid date of birth",
  ]);
});
