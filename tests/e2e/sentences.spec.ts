/**
 * Messages of spec section 8 that no other end-to-end test shows, each where a member sees it.
 *
 * Unexpected failures are simulated between page and server: the page's call never arrives, and gets the
 * response of an internal error.
 */
import type { Page } from "@playwright/test";
import { fillApplication } from "./support/application";
import { breakCalls } from "./support/brokenCalls";
import { DEMO, DEMO_CODES } from "./support/people";
import { expect, passwordStep, test } from "./support/test";

const section = (page: Page) => page.getByRole("region", { name: "Transfer Money" });
const alertOf = (page: Page) => section(page).getByRole("alert");

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await section(page).getByLabel(label, { exact: true }).fill(value);
  }
}

/** Matches the form's simple pattern, but nothing is left before the @ after normalisation. */
const INVISIBLE_NAME = "\u200b@mail.example";

test("an application is refused with the message for its cause, and the input is kept", async ({
  visit,
}) => {
  const page = await visit("/signup");
  const calls = await breakCalls(page, ["auth:signIn"]);
  const email = page.getByLabel("Email", { exact: true });
  const summary = page.getByRole("alert").first();
  const submit = page.getByRole("button", { name: "Submit Application" });
  await page.getByLabel("Password", { exact: true }).fill("12345");
  await submit.click();
  await expect(summary).toContainText("Password should be at least 6 characters long.");

  await fillApplication(page);
  // The latest day that the calendar offers is accepted.
  const born = page.getByLabel("Date of Birth");
  await born.fill((await born.getAttribute("max")) ?? "");
  await submit.click();
  await expect(summary).toContainText("Failed to create an account. Please try again.");

  calls.mend();
  await email.fill(INVISIBLE_NAME);
  await submit.click();
  await expect(summary).toContainText("Invalid email format. Please check your email address.");
  await email.fill(DEMO.maya);
  await submit.click();
  await expect(summary).toContainText("An account with this email already exists.");
  await expect(page.getByLabel("First Name")).toHaveValue("Ines");
});

test("a code that could not be checked has a different message from a wrong one", async ({
  visit,
}) => {
  const page = await visit("/login");
  await passwordStep(page, DEMO.omar);
  const code = page.getByLabel("Verification code");
  await expect(code).toBeVisible();
  const calls = await breakCalls(page, ["otp:verifyLogin"]);
  const verify = page.getByRole("button", { name: "Verify OTP" });
  await code.fill(DEMO_CODES[0]);
  await verify.click();
  await expect(page.getByText("Failed to verify OTP. Please try again.")).toBeVisible();
  calls.mend();
  await expect(code).toHaveValue(DEMO_CODES[0]);
  await verify.click();
  await expect(page).toHaveURL(/\/dashboard/);
});

test("transfers that are not possible report the field that is wrong", async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await section(page).getByLabel("To Account").selectOption("Checking");
  await fill(page, { Amount: "10", Reference: "Rent" });
  await section(page)
    .getByRole("button", { name: /^Transfer/ })
    .click();
  await expect(alertOf(page)).toHaveText("Cannot transfer to the same account");
  await expect(section(page).getByLabel("To Account")).toBeFocused();

  await section(page).getByRole("tab", { name: "International" }).click();
  await fill(page, {
    "Recipient Name": "Ana Lima",
    "Bank Name": "Banco Azul",
    "SWIFT/BIC Code": "DEUTDEFF",
    "Account Number": "1234567",
    Amount: "75",
    Reference: "Gift",
  });
  await section(page).getByRole("combobox", { name: "Country" }).fill("Portug");
  await page.getByRole("option", { name: "Portugal" }).click();
  await section(page).getByRole("button", { name: "Continue" }).click();
  await expect(alertOf(page)).toHaveText("Invalid account number");
  await expect(section(page).getByLabel("Account Number")).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await section(page).getByRole("tab", { name: "To US Bank" }).click();
  await section(page).getByRole("button", { name: "Continue" }).click();
  await expect(alertOf(page)).toHaveText("Please fill in all fields");
  await expect(section(page).getByLabel("Bank", { exact: true })).toBeFocused();
  await expect(alertOf(page)).toBeInViewport();
});

test("no money is sent when the look-up of the recipient failed", async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  const calls = await breakCalls(page, ["transfers:findRecipient"]);
  await section(page).getByRole("tab", { name: "To a Wrenmoor user" }).click();
  await fill(page, { Amount: "10", Reference: "Lunch", "Recipient Email": DEMO.omar });
  const verify = section(page).getByRole("button", { name: "Verify" });
  await verify.click();
  await expect(section(page).getByText("Error verifying recipient")).toBeVisible();
  await section(page).getByRole("button", { name: "Send Money" }).click();
  await expect(section(page).getByText("Please enter a valid recipient")).toBeVisible();
  calls.mend();
  await verify.click();
  await expect(section(page).getByText("Recipient found: Omar Haddad")).toBeVisible();
});

test("a transfer that fails moves no money, the second failure names support, and a retry moves it once", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const calls = await breakCalls(page, ["transfers:submit", "billPayments:schedule"]);
  await fill(page, { Amount: "25", Reference: "November savings" });
  const transfer = section(page).getByRole("button", { name: "Transfer $25.00" });
  await transfer.click();
  await expect(alertOf(page)).toHaveText("Transfer failed. Please try again.");
  await transfer.click();
  await expect(alertOf(page)).toHaveText(
    "An error occurred while processing your transfer. Please try again or contact support if the issue persists.",
  );

  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Bill Pay" }).click();
  await panel.getByRole("radio", { name: "Water" }).check();
  await panel.getByLabel("Account Number").fill("W-77-1020");
  const date = panel.getByLabel("Payment Date");
  await date.fill((await date.getAttribute("min")) ?? "");
  await panel.getByLabel("Amount").fill("61.40");
  const schedule = panel.getByRole("button", { name: "Schedule Payment" });
  await schedule.click();
  await expect(panel.getByRole("alert")).toHaveText("Payment failed. Please try again.");
  await expect(page.locator("main")).toContainText("Available Balance$4,250.75");

  calls.mend();
  await schedule.click();
  await expect(panel.getByText("Payment scheduled successfully!")).toBeVisible();
  await transfer.click();
  await expect(section(page)).toContainText("$25.00 sent to");
  await expect(section(page)).toContainText("1 of 2 transfers used");
  await expect(page.locator("main")).toContainText("Available Balance$4,225.75");
});
