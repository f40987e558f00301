import { act, renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import { appError, messageFor } from "../../../convex/shared/errors";
import type { CreateUserCommand } from "../../../convex/shared/rules/createUser";
import { useCreateUser } from "../../../src/features/adminUsers/useCreateUser";
import { keepNewUser, CREATE_USER_DEFAULTS } from "../../../src/features/adminUsers/createUserForm";
import { fakeServer } from "../../support/convexReact";

test.each([
  ["SECOND_ADMIN_REQUIRED", /a second administrator\. Create the user with balances of 0/],
  ["SECOND_ADMIN_FOR_ROLE", /approval\. Create the user with the role "User"/],
  ["EMAIL_TAKEN", /^Failed to create user: An account with this email already exists\.$/],
] as const)("refused with %s, it says what can be done instead", async (code, text) => {
  fakeServer.calls = {
    "admin/users:create": async () => {
      throw new ConvexError({ code, message: messageFor(code, { limit: "$1,000.00" }) });
    },
  };
  const { result } = renderHook(() => useCreateUser(() => {}));
  expect(await result.current.onCreate({} as CreateUserCommand)).toMatch(text);
});

const COMMAND: CreateUserCommand = {
  name: "June Hale",
  email: "june@bank.example",
  phone: "(555) 010-0130",
  password: "quiet-Harbor-9",
  role: "user",
  street: "5 Elm Street",
  city: "Troy",
  state: "NY",
  zipCode: "12180",
  checking: { availableCents: 0n, balanceCents: 0n },
  savings: { availableCents: 0n, balanceCents: 0n },
};

test("without an answer it says so, and is the same creation when pressed again, after a reload too", async () => {
  const lost = new Error("Connection lost while action was in flight");
  const answers = [lost, lost, { userId: "june" }, appError("EMAIL_TAKEN"), { userId: "june" }];
  const keys: unknown[] = [];
  fakeServer.calls["admin/users:create"] = async ({ requestKey }) => {
    keys.push(requestKey);
    const answer = answers.shift();
    return answer instanceof Error ? Promise.reject(answer) : answer;
  };
  const created: string[] = [];
  const open = () => renderHook(() => useCreateUser((userId) => created.push(userId)));
  // What the form keeps of it.
  keepNewUser({ ...CREATE_USER_DEFAULTS, email: COMMAND.email });
  let page = open();
  const press = (command = COMMAND) => act(() => page.result.current.onCreate(command));
  expect(await press()).toMatch(/^There was no answer, so the user may not have been created\./);
  expect(await press({ ...COMMAND, name: "June Hall" })).toMatch(/^There was no answer/);
  page.unmount();
  page = open();
  expect(await press()).toBeNull();
  expect(created).toEqual(["june"]);
  expect(await press()).toMatch(/already exists/);
  expect(await press()).toBeNull();
  const [first, ofOther, again, refused, last] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(again).toBe(first);
  expect(new Set([first, ofOther, refused, last]).size).toBe(4);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("Harbor");
});

test("with another password than the one given then, it says that the user exists", async () => {
  fakeServer.calls["admin/users:create"] = () => Promise.reject(appError("REQUEST_KEY_REUSED"));
  const { result } = renderHook(() => useCreateUser(() => {}));
  expect(await act(() => result.current.onCreate(COMMAND))).toBe(
    "Failed to create user: they were created before, with another password",
  );
});
