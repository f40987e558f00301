/** Two administrators at once, and one with the keyboard alone (spec sections 2, 4). */
import type { Page } from "@playwright/test";
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "./support/people";
import { expect, test } from "./support/test";

/** Two browsers on one server; the keyboard goes step by step. */
test.describe.configure({ timeout: 120_000 });

const openUser = (page: Page, email: string) =>
  page.getByRole("button", { name: new RegExp(email) }).click();

const verification = (page: Page) => page.getByRole("dialog", { name: "User Verification" });

async function openVerification(page: Page): Promise<void> {
  await openUser(page, DEMO.lena);
  await page.getByRole("button", { name: "Verify User" }).click();
  await expect(verification(page).getByRole("checkbox")).toHaveCount(10);
}

test("the second decision on a registration is refused, and both screens show the first", async ({
  signInAs,
}) => {
  const [first, second] = [await signInAs(DEMO.admin), await signInAs(DEMO.admin)];
  for (const page of [first, second]) await openVerification(page);
  for (const tick of await verification(first).getByRole("checkbox").all()) await tick.check();
  // The ticks are shared: the other screen has them without doing anything.
  await expect(verification(second).getByText("10 of 10 checked")).toBeVisible();

  await verification(second).getByRole("button", { name: "Reject" }).click();
  await verification(second).getByLabel("Reason for rejection").fill("A second opinion.");
  await verification(first).getByRole("button", { name: "Approve" }).click();
  await expect(verification(first)).toBeHidden();
  await verification(second).getByRole("button", { name: "Reject application" }).click();
  await expect(verification(second).getByRole("alert")).toHaveText(
    "This registration was already decided",
  );
  for (const page of [first, second]) {
    await expect(
      page.getByRole("region", { name: "Users", exact: true }).getByRole("button", {
        name: new RegExp(DEMO.lena),
      }),
    ).toContainText("approved");
  }
});

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

/** Tabs until the element with the focus has the name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const node = document.activeElement;
      const label = node instanceof HTMLInputElement ? node.labels?.[0]?.textContent : undefined;
      return node?.getAttribute("aria-label") ?? label ?? node?.textContent ?? "";
    });
    if (name.test(focused)) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

test("a registration is approved with the keyboard alone", async ({ visit }) => {
  const page = await visit("/login");
  await tabTo(page, /^Email/);
  await page.keyboard.type(DEMO.admin);
  await tabTo(page, /^Password/);
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Verification code")).toBeFocused();
  await page.keyboard.type(DEMO_CODES[0]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  await expect(page.getByRole("button", { name: new RegExp(DEMO.lena) })).toBeVisible();

  await tabTo(page, new RegExp(DEMO.lena));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Verify User" })).toBeVisible();
  await tabTo(page, /^Verify User/);
  await page.keyboard.press("Enter");
  const boxes = verification(page).getByRole("checkbox");
  await expect(boxes).toHaveCount(10);
  for (let at = 0; at < 10; at += 1) {
    const box = boxes.nth(at);
    while (!(await box.evaluate((node) => node === document.activeElement))) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Space");
    await expect(box).toBeChecked();
  }
  await expect(verification(page).getByRole("button", { name: "Approve" })).toBeEnabled();
  await tabTo(page, /^Approve$/);
  await page.keyboard.press("Enter");
  await expect(verification(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Verify User" })).toBeFocused();
  await expect(page.getByRole("region", { name: "User", exact: true })).toContainText("approved");
});
