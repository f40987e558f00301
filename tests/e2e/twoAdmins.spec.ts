/** Two administrators at the same time in separate browsers, and one with the keyboard only (spec sections 2, 4). */
import type { Page } from "@playwright/test";
import { api } from "../../convex/_generated/api";
import { adminClient, userIdOf } from "../support/backOffice";
import { tabTo, signInByKeyboard } from "./support/keyboard";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

/** Two browsers on one server, and many single key presses. */
test.describe.configure({ timeout: 120_000 });

const userButton = (page: Page, email: string) =>
  page
    .getByRole("region", { name: "Users", exact: true })
    .getByRole("button", { name: new RegExp(email) });

const verification = (page: Page) => page.getByRole("dialog", { name: "User Verification" });

test("a transaction is deleted once and a registration decided once, and the second administrator is told", async ({
  signInAs,
}) => {
  const [first, second] = [await signInAs(DEMO.admin), await signInAs(DEMO.admin)];
  const pages = [first, second];
  for (const page of pages) await userButton(page, DEMO.omar).click();
  await first.getByLabel("Row 1 Amount").fill("19.90");
  await first.getByLabel("Row 1 Type").selectOption("credit");
  await first.getByLabel("Row 1 Description").fill("Entered twice");
  await first.getByRole("button", { name: "Add 1 transaction" }).click();
  for (const page of pages) {
    await page.getByRole("button", { name: "Delete Entered twice" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
  }
  const remove = (page: Page) =>
    page.getByRole("alertdialog").getByRole("button", { name: "Delete transaction" }).click();
  await remove(first);
  await expect(first.getByText("Transaction deleted successfully")).toBeVisible();
  await remove(second);
  await expect(second.getByText("Transaction not found")).toBeVisible();
  for (const page of pages) {
    const checking = page.getByRole("region", { name: "Checking", exact: true });
    await expect(checking.getByText("$980.10 available")).toBeVisible();
  }

  for (const page of pages) {
    await userButton(page, DEMO.lena).click();
    await page.getByRole("button", { name: "Verify User" }).click();
    await expect(verification(page).getByRole("checkbox")).toHaveCount(10);
  }
  for (const tick of await verification(first).getByRole("checkbox").all()) await tick.check();
  // Ticks are shared: the other screen shows them by itself.
  await expect(verification(second).getByText("10 of 10 checked")).toBeVisible();
  await verification(second).getByRole("button", { name: "Reject" }).click();
  await verification(second).getByLabel("Reason for rejection").fill("A second opinion.");
  await verification(first).getByRole("button", { name: "Approve" }).click();
  await expect(verification(first)).toBeHidden();
  await verification(second).getByRole("button", { name: "Reject application" }).click();
  await expect(verification(second).getByRole("alert")).toHaveText(
    "This registration has already been decided",
  );
  await second.keyboard.press("Escape");
  for (const page of pages) await expect(userButton(page, DEMO.lena)).toContainText("approved");
});

test("an administrator blocked after two transfers can transfer again after another one resets the count", async ({
  server,
  signInAs,
}) => {
  const office = await adminClient(server.url);
  const userId = await userIdOf(office, DEMO.nora);
  await office.mutation(api.admin.users.setRole, { userId, role: "admin" });
  const nora = await signInAs(DEMO.nora);
  await nora.goto(`${server.url}/dashboard`);
  await expect(nora.getByText("2 of 2 transfers used").first()).toBeVisible();
  const admin = await signInAs(DEMO.admin);
  await userButton(admin, DEMO.nora).click();
  const standing = admin.getByRole("region", { name: "Role and sign-in" });
  const reset = standing.getByRole("button", { name: "Reset transfer count" });
  const rightEdge = (element: Element) => element.getBoundingClientRect().right;
  expect(await reset.evaluate(rightEdge)).toBe(
    await standing.getByText("Enabled", { exact: true }).evaluate(rightEdge),
  );
  await reset.click();
  await expect(standing.getByRole("status")).toHaveText(
    `Successfully reset transfer count for ${DEMO.nora}`,
  );
  await expect(nora.getByText("0 of 2 transfers used").first()).toBeVisible();
});

test("a registration is approved with the keyboard only", { tag: "@long" }, async ({ visit }) => {
  const page = await visit("/login");
  await signInByKeyboard(page, DEMO.admin);
  await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  await tabTo(page, userButton(page, DEMO.lena));
  await page.keyboard.press("Enter");
  const verify = page.getByRole("button", { name: "Verify User" });
  await tabTo(page, verify);
  await page.keyboard.press("Enter");
  const boxes = verification(page).getByRole("checkbox");
  await expect(boxes).toHaveCount(10);
  for (const box of await boxes.all()) {
    await tabTo(page, box);
    await page.keyboard.press("Space");
    await expect(box).toBeChecked();
  }
  const approve = verification(page).getByRole("button", { name: "Approve" });
  await expect(approve).toBeEnabled();
  await tabTo(page, approve);
  await page.keyboard.press("Enter");
  await expect(verification(page)).toBeHidden();
  await expect(verify).toBeFocused();
  await expect(page.getByRole("region", { name: "User", exact: true })).toContainText("approved");
});
