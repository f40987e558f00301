/** An application that was stored, but whose answer was lost with the connection. */
import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { SignupRoute } from "../../../src/app/routes/SignupRoute";
import { writeDraft } from "../../../src/lib/drafts";
import { renderWithBackend } from "../../support/renderWithBackend";
import { COMPLETE } from "./applicant";

const APP = (
  <Routes>
    <Route path="/" element={<SignupRoute />} />
    <Route path="/registration-success" element={<p>It was submitted.</p>} />
  </Routes>
);

// Passwords are kept in no draft.
const { password: PASSWORD, confirmPassword: _repeated, ...ANSWERS } = COMPLETE;

beforeEach(() => writeDraft("application", ANSWERS));

/** Answers to the calls of `auth:signIn`, in their order; a promise is one that is not there yet. */
async function applyWith(...answers: readonly (Error | null | Promise<null>)[]) {
  const flows: unknown[] = [];
  const left = [...answers];
  const signIn = vi.fn(async ({ params }: Record<string, unknown>) => {
    flows.push((params as { flow: string }).flow);
    const refusal = (await left.shift()) ?? null;
    if (refusal !== null) throw refusal;
    return { tokens: { token: "a", refreshToken: "b" } };
  });
  const { user, unmount } = renderWithBackend(APP, {
    isSignedIn: true,
    queries: { "viewer:get": null },
    actions: { "auth:signIn": signIn },
  });
  for (const label of ["Password", "Confirm Password"]) {
    await user.click(screen.getByLabelText(label));
    await user.paste(PASSWORD);
  }
  const submit = () => user.click(screen.getByRole("button", { name: "Submit Application" }));
  return { flows, submit, unmount };
}

const LOST = new Error("Connection lost while action was in flight");

test("sent again, it is found by its password, and counts as submitted", async () => {
  const { flows, submit } = await applyWith(LOST, appError("EMAIL_TAKEN"), null);
  await submit();
  expect(await screen.findByText(MESSAGES.CONNECTION_LOST)).toBeVisible();
  await submit();
  expect(await screen.findByText("It was submitted.")).toBeVisible();
  expect(flows).toEqual(["signUp", "signUp", "signIn"]);
});

test("the page may be loaded anew meanwhile, or left", async () => {
  const before = await applyWith(new Promise<null>(() => undefined));
  await before.submit();
  expect(await screen.findByRole("button", { name: "Submitting..." })).toBeVisible();
  before.unmount();
  const { flows, submit } = await applyWith(appError("EMAIL_TAKEN"), null);
  await submit();
  expect(await screen.findByText("It was submitted.")).toBeVisible();
  expect(flows).toEqual(["signUp", "signIn"]);
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith("draft:"))).toEqual([]);
});

test("an address that is another person's is refused as ever", async () => {
  const taken = appError("EMAIL_TAKEN");
  const { flows, submit } = await applyWith(LOST, taken, appError("INVALID_CREDENTIALS"));
  await submit();
  expect(await screen.findByText(MESSAGES.CONNECTION_LOST)).toBeVisible();
  await submit();
  expect(await screen.findAllByText(MESSAGES.EMAIL_TAKEN)).not.toHaveLength(0);
  expect(flows).toEqual(["signUp", "signUp", "signIn"]);
});

test("without a lost answer nobody is signed in to what exists", async () => {
  const { flows, submit } = await applyWith(appError("EMAIL_TAKEN"));
  await submit();
  expect(await screen.findAllByText(MESSAGES.EMAIL_TAKEN)).not.toHaveLength(0);
  expect(flows).toEqual(["signUp"]);
});
