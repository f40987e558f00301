/** Messages of spec sections 2 and 8 "Admin" that no other end-to-end test shows: progress and failures. */
import type { Page } from "@playwright/test";
import { breakCalls, holdCalls, loseAnswers } from "./support/brokenCalls";
import { DEMO, NEW_USER } from "./support/people";
import { expect, test } from "./support/test";

test.describe.configure({ timeout: 120_000 });

const openUser = (page: Page, email: string) =>
  page.getByRole("button", { name: new RegExp(email) }).click();
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function deleteAllOf(page: Page, email: string): Promise<void> {
  const panel = region(page, "Delete User Transactions");
  await panel.getByLabel("User email").fill(email);
  await panel.getByRole("button", { name: "Delete Transactions" }).click();
}

async function createUser(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create New User" }).click();
  const modal = page.getByRole("dialog", { name: "Create New User" });
  for (const [label, value] of Object.entries(NEW_USER)) {
    await modal.getByLabel(label, { exact: true }).fill(value);
  }
  await modal.getByRole("button", { name: "Create User" }).click();
}

async function expectMoneySentences(page: Page): Promise<void> {
  await openUser(page, DEMO.maya);
  await page.getByRole("button", { name: "Edit Checking" }).click();
  const checking = region(page, "Checking");
  await checking.getByLabel("Balance").fill("77");
  await checking.getByLabel("Available").fill("77");
  await checking.getByRole("button", { name: "Save changes" }).click();
  await expect(checking.getByRole("alert")).toHaveText("Failed to update account");
  await expect(checking.getByLabel("Balance")).toHaveValue("77.00");

  await page.getByLabel("Row 1 Amount").fill("5");
  await page.getByLabel("Row 1 Description").fill("Fee");
  await page.getByRole("button", { name: "Add 1 transaction" }).click();
  await expect(region(page, "Add Transactions").getByRole("alert")).toHaveText(
    "Failed to add transactions: the server did not confirm it",
  );
  await expect(page.getByLabel("Row 1 Description")).toHaveValue("Fee");

  const table = region(page, "User Transactions");
  await table
    .getByRole("button", { name: /^Delete / })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete transaction" }).click();
  await expect(table.getByRole("alert")).toHaveText("Error deleting transaction");

  await deleteAllOf(page, DEMO.maya);
  const sentence = region(page, "Delete User Transactions").getByRole("status");
  await expect(sentence).toHaveText("Error deleting transactions");
}

async function expectDecisionSentences(page: Page): Promise<void> {
  await openUser(page, DEMO.lena);
  await page.getByRole("button", { name: "Verify User" }).click();
  const dialog = page.getByRole("dialog", { name: "User Verification" });
  const ticks = dialog.getByRole("checkbox");
  await expect(ticks).toHaveCount(10);
  for (const tick of await ticks.all()) await tick.check();
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Failed to update user status");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await dialog.getByLabel("Reason for rejection").fill("No");
  await dialog.getByRole("button", { name: "Reject application" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Failed to reject registration");
  await dialog.getByRole("button", { name: "Back" }).click();
  await dialog.getByRole("button", { name: "Request more information" }).click();
  await dialog.getByLabel("Information needed").fill("A letter");
  await dialog.getByRole("button", { name: "Send request" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Failed to send information request");
  await page.keyboard.press("Escape");
}

test("a change that could not be saved is reported, and the input is kept", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await breakCalls(page, [
    "admin/accounts:update",
    "admin/transactions:addMany",
    "admin/transactions:remove",
    "admin/transactions:removeAllForUser",
    "admin/registrations:approve",
    "admin/registrations:reject",
    "admin/registrations:requestInformation",
    "admin/users:create",
  ]);
  await expectMoneySentences(page);
  await expectDecisionSentences(page);
  await createUser(page);
  const modal = page.getByRole("dialog", { name: "Create New User" });
  await expect(modal.getByRole("alert")).toHaveText(/^Failed to create user: \S/);
  await expect(modal.getByLabel("Full Name")).toHaveValue("Dana Whitfield");
});

test("what was done, but got no answer, is done once when it is pressed again", async ({
  signInAs,
  server,
}) => {
  const page = await signInAs(DEMO.admin);
  const answers = await loseAnswers(page);
  answers.lose("admin/users:create");
  await createUser(page);
  const modal = page.getByRole("dialog", { name: "Create New User" });
  await expect(modal.getByRole("alert")).toContainText("nobody is created twice");
  await modal.getByRole("button", { name: "Create User" }).click();
  await expect(modal).toBeHidden();
  await expect(page.getByRole("heading", { name: NEW_USER["Full Name"] })).toBeVisible();

  await page.getByRole("button", { name: "Reset password" }).click();
  const question = page.getByRole("dialog", { name: "Reset password" });
  await question.getByLabel("Reason").fill("Seen at the branch");
  answers.lose("admin/users:resetPassword");
  await question.getByRole("button", { name: "Reset password" }).click();
  await expect(question.getByRole("alert")).toContainText("there will be only one");
  await question.getByRole("button", { name: "Reset password" }).click();
  const told = page.getByRole("alertdialog", { name: "One-time password" });
  await expect(told).toContainText(/[0-9a-f]{16}/);

  await page.goto(`${server.url}/admin/outbox`);
  await expect(page.getByText(`To ${NEW_USER.Email}`)).toHaveCount(1);
});

test("lists and resets that fail are reported in one line", async ({
  signInAs,
  server,
  expectConsole,
}) => {
  // React logs errors that an error boundary caught.
  expectConsole(/\[CONVEX Q\(admin\/\w+:list\)\]/);
  const page = await signInAs(DEMO.admin);
  const lists = await breakCalls(page, [], ["admin/users:list", "admin/transferCounts:list"]);
  await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  await expect(page.getByText("Failed to load users")).toBeVisible();
  await page.goto(`${server.url}/admin/reset-transfers`);
  await expect(page.getByText("Failed to fetch users")).toBeVisible();
  lists.mend();

  await breakCalls(page, ["admin/transferCounts:resetAll", "admin/transferCounts:resetOne"]);
  await page.getByRole("button", { name: `Reset ${DEMO.nora}` }).click();
  const sentence = page.getByText("Error: the server did not confirm it", { exact: true });
  await expect(sentence).toBeVisible();
  await page.getByRole("button", { name: "Initiate Reset All Transfer Counts" }).click();
  await page.getByRole("button", { name: "Confirm Reset All" }).click();
  await expect(sentence).toBeVisible();
});

test("long operations show what they are doing", async ({ signInAs, server }) => {
  const page = await signInAs(DEMO.admin);
  const calls = await holdCalls(page);
  const status = region(page, "Delete User Transactions").getByRole("status");
  calls.hold("admin/transactions:removeAllForUser");
  await deleteAllOf(page, DEMO.nora);
  await expect(status).toHaveText("Finding user...");
  calls.release();
  calls.hold("admin/transactions:removalJob");
  await expect(status).toHaveText("Deleting transactions...");
  calls.release();
  await expect(status).toHaveText(/^Successfully deleted [1-9]\d* transactions$/);

  calls.hold("admin/users:create");
  await createUser(page);
  const modal = page.getByRole("dialog", { name: "Create New User" });
  const busy = modal.getByRole("button", { name: "Creating..." });
  await expect(busy).toBeVisible();
  await expect(modal.getByRole("button", { name: "Cancel" })).toBeDisabled();
  calls.release();
  await expect(modal).toBeHidden();

  await page.goto(`${server.url}/admin/reset-transfers`);
  calls.hold("admin/transferCounts:resetAll");
  await page.getByRole("button", { name: "Initiate Reset All Transfer Counts" }).click();
  await page.getByRole("button", { name: "Confirm Reset All" }).click();
  await expect(page.getByRole("button", { name: "Resetting..." })).toBeVisible();
  calls.release();
  await expect(page.getByText(/^Successfully reset \d+ users\. 1 users skipped\.$/)).toBeVisible();
});
