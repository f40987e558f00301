/** Administrators' work with money: accounts, rows, CSV files, deletion (spec sections 2, 5). */
import { Buffer } from "node:buffer";
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const HEADER = "account type,transaction type,amount,description,category,date,time,status";

async function openUser(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(email) }).click();
  await expect(page.getByRole("button", { name: "Verify User" })).toBeVisible();
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function fillRow(page: Page, row: number, amount: string, text: string): Promise<void> {
  await page.getByLabel(`Row ${row} Amount`).fill(amount);
  await page.getByLabel(`Row ${row} Description`).fill(text);
}

async function uploadCsv(page: Page, text: string, name = "november.csv"): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload CSV" }).click();
  await (await chooser).setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

test("an account is edited in place, and a change made elsewhere does not overwrite the input", async ({
  signInAs,
}) => {
  const [first, second] = [await signInAs(DEMO.admin), await signInAs(DEMO.admin)];
  for (const page of [first, second]) await openUser(page, DEMO.omar);

  await first.getByRole("button", { name: "Edit Checking" }).click();
  const checking = region(first, "Checking");
  await checking.getByLabel("Account Number").fill("0123456789");
  await checking.getByRole("button", { name: "Save changes" }).click();
  await expect(checking.getByRole("alert")).toHaveText(
    "Account number must be 10 digits and not start with 0",
  );
  await checking.getByLabel("Account Number").fill("4810299317");

  const other = region(second, "Checking");
  await second.getByRole("button", { name: "Edit Checking" }).click();
  await other.getByLabel("Balance").fill("1000");
  await other.getByLabel("Available").fill("1000");
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(other.getByText("$1,000.00 available")).toBeVisible();

  await expect(checking.getByText(/These values changed while you were editing/)).toBeVisible();
  await expect(checking.getByLabel("Account Number")).toHaveValue("4810299317");
  await expect(checking.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await checking.getByRole("button", { name: "Keep my values" }).click();
  await expect(checking.getByLabel("Balance")).toHaveValue("1000.00");
  await checking.getByRole("button", { name: "Save changes" }).click();
  await expect(checking.getByText("4810299317")).toBeVisible();
  await expect(other.getByText("4810299317")).toBeVisible();
});

test("rows are added, change the balance, and a deleted one is reversed", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  await openUser(page, DEMO.omar);
  await expect(page.getByRole("button", { name: "Remove row 1" })).toBeDisabled();
  await fillRow(page, 1, "100.25", "Correction of a fee");
  await page.getByLabel("Row 1 Type").selectOption("credit");
  await page.getByRole("button", { name: "Add 1 transaction" }).click();
  await expect(page.getByText("Transactions added successfully!")).toBeVisible();
  await expect(region(page, "Checking").getByText("$1,080.35").first()).toBeVisible();
  await expect(page.getByText("Transactions added successfully!")).toBeHidden();

  const table = region(page, "User Transactions");
  await table.getByRole("button", { name: "Delete Correction of a fee" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Delete transaction" }).click();
  await expect(page.getByText("Transaction deleted successfully")).toBeVisible();
  await expect(region(page, "Checking").getByText("$980.10").first()).toBeVisible();
  await expect(table.getByText("Correction of a fee")).toHaveCount(0);
  // The banner appears and disappears without moving what is under the pointer.
  const rest = table.getByText("No transactions yet");
  const box = await rest.boundingBox();
  await expect(page.getByText("Transaction deleted successfully")).toBeHidden();
  expect(await rest.boundingBox()).toEqual(box);
});

test("what came of a deletion is in sight also when the row is far down", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  await openUser(page, DEMO.maya);
  const table = region(page, "User Transactions");
  await table
    .getByRole("button", { name: /^Delete/ })
    .last()
    .click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Delete transaction" }).click();
  await expect(page.getByText("Transaction deleted successfully")).toBeInViewport();
});

test("a CSV file fills the grid, its errors are fixed in place, and the batch is removed as a whole", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await openUser(page, DEMO.omar);
  const file = [
    `\uFEFF${HEADER}`,
    "Checking,credit,10.00,Payroll,Income,2026-11-19,09:02,Completed\r",
    'savings,,"1,250.00","Rent, May",Other,,,',
    "Checking,debit,-12,Paper statement fee,Other,11/20/2026,10:00 AM,Pending",
  ].join("\n");
  await uploadCsv(page, file);
  const grid = region(page, "Add Transactions");
  await expect(grid.getByText(/november\.csv: 3 rows read, 1 needs a fix\./)).toBeVisible();
  await expect(page.getByLabel("Row 2 Account")).toHaveValue("Savings");
  await expect(page.getByLabel("Row 2 Type")).toHaveValue("debit");
  await expect(page.getByLabel("Row 2 Amount")).toHaveValue("1250.00");
  await expect(page.getByLabel("Row 2 Status")).toHaveValue("Completed");
  await expect(page.getByRole("button", { name: "Add 3 transactions" })).toBeDisabled();
  await grid.getByRole("link", { name: /Row 3, Amount: enter a number above 0/ }).click();
  await expect(page.getByLabel("Row 3 Amount")).toBeFocused();
  await page.getByLabel("Row 3 Amount").fill("12");
  await page.getByLabel("Row 2 Type").selectOption("credit");
  await page.getByRole("button", { name: "Add 3 transactions" }).click();
  await expect(page.getByText("Transactions added successfully!")).toBeVisible();
  await expect(region(page, "Savings").getByText("$1,250.00").first()).toBeVisible();

  await uploadCsv(page, file, "again.csv");
  await expect(grid.getByText(/This file was already added on/)).toBeVisible();

  await page.getByRole("button", { name: /^Take back 3 transactions/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Take back" }).click();
  await expect(page.getByText("Successfully deleted 3 transactions")).toBeVisible();
  await expect(region(page, "Savings").getByText("$0.00").first()).toBeVisible();
  await expect(region(page, "Checking").getByText("$980.10").first()).toBeVisible();
});

test("files that cannot be read are refused with one message and change nothing", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await openUser(page, DEMO.omar);
  const row = "Checking,credit,1,Row,Income,2026-11-19,09:02,Completed";
  const bad: [string, RegExp][] = [
    ["", /^Failed to parse CSV file: the file is empty/],
    [`${HEADER}\nChecking,\0`, /^Failed to parse CSV file: line 2 holds a NUL/],
    [`Account,Memo\nx,y`, /^Failed to parse CSV file: header, column 2: found "Memo"/],
    [`${HEADER}\n${`${row}\n`.repeat(501)}`, /^Failed to parse CSV file: .*more than 500 rows/],
    ["x".repeat(1_200_000), /^Failed to parse CSV file: the file has 1\.2 MB/],
  ];
  for (const [text, sentence] of bad) {
    await uploadCsv(page, text);
    await expect(region(page, "Add Transactions").getByRole("alert")).toHaveText(sentence);
  }
  await expect(page.getByRole("button", { name: "Add 1 transaction" })).toBeVisible();
});

test("all transactions of a user are deleted with the specified status texts", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  const panel = region(page, "Delete User Transactions");
  await panel.getByLabel("User email").fill("nobody@demo.example");
  await panel.getByRole("button", { name: "Delete Transactions" }).click();
  await expect(panel.getByText("User not found")).toBeVisible();

  await openUser(page, DEMO.maya);
  await panel.getByLabel("User email").fill(DEMO.maya);
  await panel.getByRole("button", { name: "Delete Transactions" }).click();
  await expect(panel.getByText(/^Successfully deleted [1-9]\d* transactions$/)).toBeVisible();
  await expect(region(page, "User Transactions").getByText("No transactions yet")).toBeVisible();
});
