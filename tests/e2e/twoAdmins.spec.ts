/** Two administrators at once, each in a browser of their own (spec section 2). */
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

/** Two browsers on one server. */
test.describe.configure({ timeout: 120_000 });

const openUser = (page: Page, email: string) =>
  page.getByRole("button", { name: new RegExp(email) }).click();

test("a transaction that two administrators delete is deleted once", async ({ signInAs }) => {
  const [first, second] = [await signInAs(DEMO.admin), await signInAs(DEMO.admin)];
  for (const page of [first, second]) await openUser(page, DEMO.omar);
  await first.getByLabel("Row 1 Amount").fill("19.90");
  await first.getByLabel("Row 1 Type").selectOption("credit");
  await first.getByLabel("Row 1 Description").fill("Entered twice");
  await first.getByRole("button", { name: "Add 1 transaction" }).click();
  for (const page of [first, second]) {
    await page.getByRole("button", { name: "Delete Entered twice" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
  }
  const remove = (page: Page) =>
    page.getByRole("alertdialog").getByRole("button", { name: "Delete transaction" }).click();
  await remove(first);
  await expect(first.getByText("Transaction deleted successfully")).toBeVisible();
  await remove(second);
  await expect(second.getByText("Transaction not found")).toBeVisible();
  for (const page of [first, second]) {
    const checking = page.getByRole("region", { name: "Checking", exact: true });
    await expect(checking.getByText("$980.10 available")).toBeVisible();
  }
});
