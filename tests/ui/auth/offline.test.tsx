/** Sign-in without a connection says so, keeps what was typed and can be retried. */
import { act, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { LoginRoute } from "../../../src/app/routes/LoginRoute";
import { connection } from "../../support/fakeConnection";
import { expectNoAxeViolations } from "../../support/renderFeature";
import { renderWithBackend } from "../../support/renderWithBackend";

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  return () => {
    vi.useRealTimers();
    connection.mend();
  };
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const signInButton = () => screen.getByRole("button", { name: "Sign In" });

async function atFirstStep(signIn: () => Promise<unknown>) {
  const { user } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": null },
    actions: { "auth:signIn": signIn },
  });
  await user.type(await screen.findByLabelText("Email"), "maya@demo.example");
  await user.type(screen.getByLabelText("Password"), "secret");
  return user;
}

test("a password is not sent, stays typed, and is not called wrong", async () => {
  const signIn = vi.fn(async () => ({ tokens: null }));
  const user = await atFirstStep(signIn);
  connection.cut();
  await user.click(signInButton());
  await pass(3_000);
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.OFFLINE);
  expect(screen.getByLabelText("Password")).toHaveValue("secret");
  expect(screen.getByLabelText("Password")).toBeValid();
  await expectNoAxeViolations();
  connection.mend();
  expect(signIn).not.toHaveBeenCalled();
  await user.click(signInButton());
  expect(signIn).toHaveBeenCalledTimes(1);
});

test("one under way when the connection goes is said to wait, and then to have failed", async () => {
  let fail = (_error: Error) => {};
  const user = await atFirstStep(() => new Promise((_, reject) => (fail = reject)));
  await user.click(signInButton());
  connection.cut();
  await pass(3_000);
  expect(screen.getByText(TEXTS.answerAwaited).closest("[role=status]")).toBeVisible();
  connection.mend();
  await act(async () => fail(new Error("Connection lost while action was in flight")));
  expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.CONNECTION_LOST);
  expect(screen.queryByText(TEXTS.answerAwaited)).toBeNull();
});

test("an answer that is only late is spoken of, too", async () => {
  const user = await atFirstStep(() => new Promise(() => {}));
  await user.click(signInButton());
  await pass(5_000);
  expect(screen.getByText(TEXTS.answerAwaited).closest("[role=status]")).toBeVisible();
});

test("a code is not sent and stays typed", async () => {
  const verify = vi.fn(async () => ({ ok: false, message: "Invalid OTP. Please try again." }));
  const { user } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": { userId: "maya", email: "maya@demo.example", place: "otp" } },
    mutations: { "otp:verifyLogin": verify },
  });
  const field = await screen.findByLabelText("Verification code");
  await user.type(field, "204816");
  connection.cut();
  await user.click(screen.getByRole("button", { name: "Verify OTP" }));
  await pass(3_000);
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.OFFLINE);
  expect(field).toHaveValue("204816");
  expect(field).toBeValid();
  connection.mend();
  await user.click(screen.getByRole("button", { name: "Verify OTP" }));
  expect(await screen.findByText("Invalid OTP. Please try again.")).toBeVisible();
  expect(verify.mock.calls).toEqual([[{ code: "204816" }]]);
});

test("a code that the server could not check stays typed", async () => {
  const { user } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": { userId: "maya", email: "maya@demo.example", place: "otp" } },
    mutations: { "otp:verifyLogin": () => Promise.reject(new Error("Server Error")) },
  });
  const field = await screen.findByLabelText("Verification code");
  await user.type(field, "204816");
  await user.click(screen.getByRole("button", { name: "Verify OTP" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.OTP_FAILED);
  expect(field).toHaveValue("204816");
});
