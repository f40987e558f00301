/**
 * A visitor becomes a member and moves money, while the back office and another member see it live in
 * their own browsers (spec sections 2, 4 and 6).
 */
import type { Page } from "@playwright/test";
import { APPLICANT, fillApplication } from "./support/application";
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "./support/people";
import { codeStep, expect, passwordStep, test } from "./support/test";

async function approve(admin: Page, email: string): Promise<void> {
  await admin.getByRole("button", { name: new RegExp(email) }).click();
  await admin.getByRole("button", { name: "Verify User" }).click();
  const dialog = admin.getByRole("dialog", { name: "User Verification" });
  const approveButton = dialog.getByRole("button", { name: "Approve" });
  await expect(dialog.getByRole("checkbox")).toHaveCount(10);
  await expect(approveButton).toBeDisabled();
  for (const checkbox of await dialog.getByRole("checkbox").all()) await checkbox.check();
  await approveButton.click();
  await expect(dialog).toBeHidden();
}

async function transferBetween(page: Page, amount: string): Promise<void> {
  const panel = page.getByRole("region", { name: "Transfer Money" });
  await panel.getByRole("tab", { name: "Between Accounts" }).click();
  await panel.getByLabel("From Account").selectOption({ index: 1 });
  await panel.getByLabel("To Account").selectOption({ index: 2 });
  await panel.getByLabel("Amount").fill(amount);
  await panel.getByLabel("Reference").fill("Test of the quay");
  await panel.getByRole("button", { name: /^Transfer \$/ }).click();
}

async function sendTo(page: Page, email: string, amount: string): Promise<void> {
  const panel = page.getByRole("region", { name: "Transfer Money" });
  await panel.getByRole("tab", { name: /^To a .* user$/ }).click();
  await panel.getByLabel("Recipient Email").fill(email);
  await panel.getByRole("button", { name: "Verify" }).click();
  await expect(panel.getByText(/^Recipient found: /)).toBeVisible();
  await panel.getByLabel("Amount").fill(amount);
  await panel.getByLabel("Reference").fill("Lunch");
  await panel.getByRole("button", { name: "Send Money" }).click();
}

test("an application appears on the open admin screen, and approval moves the applicant's open page on", async ({
  visit,
  signInAs,
}) => {
  const admin = await signInAs(DEMO.admin);
  const stranger = await visit("/signup");
  await expect(stranger.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/login");
  await fillApplication(stranger);
  await expect(admin.getByRole("button", { name: new RegExp(APPLICANT.email) })).toBeHidden();
  await stranger.getByRole("button", { name: "Submit Application" }).click();
  await expect(stranger).toHaveURL(/\/registration-success$/);
  await expect(stranger.getByText(/under review/).first()).toBeVisible();

  // The list shows the application without a reload.
  await expect(admin.getByRole("button", { name: new RegExp(APPLICANT.email) })).toBeVisible();

  const applicant = await visit("/login");
  await passwordStep(applicant, APPLICANT.email, APPLICANT.password);
  await expect(applicant.getByRole("heading", { name: "Account Pending Approval" })).toBeVisible();

  await approve(admin, APPLICANT.email);
  await expect(applicant.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
  await expect(applicant.getByText(/Your membership is approved/)).toBeVisible();
  await codeStep(applicant, DEMO_CODES[1]);
  await expect(applicant).toHaveURL(/\/dashboard$/);
  await expect(applicant.getByRole("heading", { level: 1 })).toContainText(APPLICANT.firstName);
});

test("two transfers succeed, the recipient's open page is updated, the third is blocked", async ({
  signInAs,
}) => {
  const maya = await signInAs(DEMO.maya);
  const omar = await signInAs(DEMO.omar);
  await expect(maya.getByText("$4,250.75").first()).toBeVisible();
  await expect(omar.getByText("$980.10").first()).toBeVisible();

  // A tab that is left before its receipt keeps its form: every receipt is waited for.
  const panel = maya.getByRole("region", { name: "Transfer Money" });
  await transferBetween(maya, "25.00");
  await expect(panel.getByRole("heading", { name: "$25.00 sent to Savings" })).toBeVisible();
  await expect(maya.getByText("$4,225.75").first()).toBeVisible();
  await expect(maya.getByText("1 of 2 transfers used").first()).toBeVisible();

  await sendTo(maya, DEMO.omar, "10.00");
  await expect(panel.getByRole("heading", { name: /^\$10\.00 sent to Omar/ })).toBeVisible();
  await expect(maya.getByText("$4,215.75").first()).toBeVisible();
  await expect(omar.getByText("$990.10").first()).toBeVisible({ timeout: 2_000 });
  await expect(
    omar.getByRole("region", { name: "Recent Transactions" }).getByText("+$10.00"),
  ).toBeVisible();

  await transferBetween(maya, "1.00");
  const blocked = maya.getByRole("alertdialog", { name: "Transaction Blocked" });
  await expect(blocked).toContainText(
    "For security reasons, this transaction has been blocked. Please contact our support team for assistance.",
  );
  await blocked.getByRole("button", { name: "Close" }).click();
  await expect(maya.getByText("$4,215.75").first()).toBeVisible();
});

test("wrong and reused codes are refused with the specified message", async ({ visit }) => {
  const page = await visit("/login");
  await passwordStep(page, DEMO.maya, "not the password");
  await expect(page.getByText("Failed to sign in. Please check your credentials.")).toBeVisible();
  await passwordStep(page, DEMO.maya, DEMO_PASSWORD);
  await codeStep(page, "000000");
  await expect(page.getByText("Invalid OTP. Please try again.")).toBeVisible();
  await codeStep(page);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("a double click after a wrong password presses nothing but the button", async ({ visit }) => {
  const page = await visit("/login");
  await passwordStep(page, DEMO.maya, "not the password");
  await expect(page.getByText("Failed to sign in. Please check your credentials.")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).dblclick();
  await expect(page.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
});

test("going back from the code step keeps the e-mail and focuses the heading", async ({
  visit,
}) => {
  const page = await visit("/login");
  await passwordStep(page, DEMO.maya, DEMO_PASSWORD);
  await expect(page.getByLabel("Verification code")).toBeFocused();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(DEMO.maya);
});

test("pages without permission are not shown", async ({ visit, signInAs }) => {
  const stranger = await visit("/dashboard");
  await expect(stranger).toHaveURL(/\/login$/);
  const member = await signInAs(DEMO.omar);
  await member.goto(new URL("/admin", member.url()).href);
  await expect(member).toHaveURL(/\/(login|dashboard)$/);
  await expect(member.getByRole("heading", { name: "Admin Dashboard" })).toBeHidden();
});

test("somebody who is signed in applies under another address and is then the applicant", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.omar);
  await page.goto(new URL("/signup", page.url()).href);
  await fillApplication(page);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page).toHaveURL(/registration-success/);
  await page.getByRole("link", { name: "See application status" }).click();
  await expect(page.getByText(`for ${APPLICANT.email}`)).toBeVisible();
});
