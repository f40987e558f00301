/** Sentences of spec section 8 "Admin" for what nobody expects, each met where an administrator meets it. */
import type { Page } from "@playwright/test";
import { breakCalls } from "./support/brokenCalls";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const openUser = (page: Page, email: string) =>
  page.getByRole("button", { name: new RegExp(email) }).click();
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const MONEY_CALLS = [
  "admin/accounts:update",
  "admin/transactions:addMany",
  "admin/transactions:remove",
  "admin/transactions:removeAllForUser",
];

test("money that could not be changed says so, and what was typed stays", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  await breakCalls(page, MONEY_CALLS);
  await openUser(page, DEMO.maya);
  await page.getByRole("button", { name: "Edit Checking" }).click();
  const checking = region(page, "Checking");
  await checking.getByLabel("Balance").fill("77");
  await checking.getByLabel("Available").fill("77");
  await checking.getByRole("button", { name: "Save changes" }).click();
  await expect(checking.getByRole("alert")).toHaveText("Failed to update account");
  await expect(checking.getByLabel("Balance")).toHaveValue("77");

  await page.getByLabel("Row 1 Amount").fill("5");
  await page.getByLabel("Row 1 Description").fill("Fee");
  await page.getByRole("button", { name: "Add 1 transaction" }).click();
  await expect(region(page, "Add Transactions").getByRole("alert")).toHaveText(
    /^Failed to add transactions: /,
  );
  await expect(page.getByLabel("Row 1 Description")).toHaveValue("Fee");

  const table = region(page, "User Transactions");
  await table.getByRole("button", { name: "Delete Hillside Farm Shop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete transaction" }).click();
  await expect(table.getByRole("alert")).toHaveText("Error deleting transaction");

  const panel = region(page, "Delete User Transactions");
  await panel.getByLabel("User email").fill(DEMO.maya);
  await panel.getByRole("button", { name: "Delete Transactions" }).click();
  await expect(panel.getByText("Error deleting transactions")).toBeVisible();
});

test("a decision on a registration that was not kept leaves the dialog open", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await breakCalls(page, [
    "admin/registrations:approve",
    "admin/registrations:reject",
    "admin/registrations:requestInformation",
  ]);
  await openUser(page, DEMO.lena);
  await page.getByRole("button", { name: "Verify User" }).click();
  const dialog = page.getByRole("dialog", { name: "User Verification" });
  for (const tick of await dialog.getByRole("checkbox").all()) await tick.check();
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
});

test("lists and resets that fail say so in one line", async ({ signInAs, server }) => {
  const page = await signInAs(DEMO.admin);
  const calls = await breakCalls(
    page,
    ["admin/transferCounts:resetAll"],
    ["admin/users:list", "admin/transferCounts:list"],
  );
  await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  await expect(page.getByText("Failed to load users")).toBeVisible();
  await page.goto(`${server.url}/admin/reset-transfers`);
  await expect(page.getByText("Failed to fetch users")).toBeVisible();

  await page.unrouteAll();
  await breakCalls(page, ["admin/transferCounts:resetAll"]);
  await page.getByRole("button", { name: "Initiate Reset All Transfer Counts" }).click();
  await page.getByRole("button", { name: "Confirm Reset All" }).click();
  await expect(page.getByText(/^Error: /)).toBeVisible();
  calls.mend();
});
