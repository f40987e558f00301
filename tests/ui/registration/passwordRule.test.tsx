/** The policy may ask for longer passwords than the form says; visitors hear of it only when refused. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { appError } from "../../../convex/shared/errors";
import { SignupRoute } from "../../../src/app/routes/SignupRoute";
import { writeDraft } from "../../../src/lib/drafts";
import { renderWithBackend } from "../../support/renderWithBackend";
import { COMPLETE } from "./applicant";

test("the refused password's rule takes the place of the hint", async () => {
  const { password, confirmPassword: _repeated, ...answers } = COMPLETE;
  writeDraft("application", answers);
  const refuse = async () => {
    throw appError("PASSWORD_TOO_SHORT", { minimum: 60 });
  };
  const { user } = renderWithBackend(<SignupRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": null },
    actions: { "auth:signIn": refuse },
  });
  const field = screen.getByLabelText("Password");
  expect(field).toHaveAccessibleDescription("At least 6 characters.");
  for (const label of ["Password", "Confirm Password"]) {
    await user.click(screen.getByLabelText(label));
    await user.paste(password);
  }
  await user.click(screen.getByRole("button", { name: "Submit Application" }));
  const rule = "Password should be at least 60 characters long.";
  expect(await screen.findByRole("link", { name: rule })).toBeVisible();
  expect(field).toHaveAccessibleDescription(rule);
  await user.type(field, "!");
  expect(field).toBeValid();
  expect(field).toHaveAccessibleDescription(rule);
});
