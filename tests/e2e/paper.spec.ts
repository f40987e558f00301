/** What a print of a whole page shows: its facts, each readable, and nothing that only a screen can do. */
import { DEMO } from "./support/people";
import { expect, expectLoaded, test } from "./support/test";

/** A4 between margins of 16 mm. */
const PAPER = { width: 673, height: 1002 };

test("a person's transactions have their room on paper", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  await page.getByRole("button", { name: /maya@demo\.example/ }).click();
  await page.getByLabel("Row 1 Type").selectOption("credit");
  await page.getByLabel("Row 1 Amount").fill("9999999999.99");
  await page.getByLabel("Row 1 Description").fill("reconciliation".repeat(4));
  await page.getByLabel("Row 1 Status").selectOption("Pending");
  await page.getByRole("button", { name: "Add 1 transaction" }).click();
  const rows = page.getByRole("region", { name: "User Transactions" });
  const largest = rows.getByText("+$9,999,999,999.99").filter({ visible: true });
  await expect(largest).toBeVisible();

  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print" });
  const card = await rows.boundingBox();
  const amount = await largest.boundingBox();
  expect((amount?.x ?? NaN) + (amount?.width ?? NaN)).toBeLessThan(
    (card?.x ?? NaN) + (card?.width ?? NaN) - 8,
  );
  // In a grid, the cards below would lie on the rows as soon as the table has a second page.
  const around = page.locator(".grid:has(table)");
  await expect(around).not.toHaveCount(0);
  const layouts = await around.evaluateAll((boxes) =>
    boxes.map((box) => getComputedStyle(box).display),
  );
  expect(layouts.filter((display) => display === "grid")).toEqual([]);
});

test("cards of controls are not printed", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  const printed = async (path: string, name: string) => {
    await page.emulateMedia({ media: "screen" });
    await page.goto(new URL(path, page.url()).href);
    await expectLoaded(page);
    const card = page.getByRole("region", { name, exact: true });
    await expect(card, name).toBeVisible();
    await page.emulateMedia({ media: "print" });
    return card;
  };
  await expect(await printed("/settings/account", "Active sessions")).toBeVisible();
  for (const [path, name] of [
    ["/settings/account", "Password"],
    ["/settings/account", "Appearance"],
    ["/settings/profile", "Contact details"],
    ["/admin", "Delete User Transactions"],
    ["/admin", "Reset Transfer Counts"],
    ["/admin/reset-transfers", "Reset everyone"],
    ["/admin/policies", "Recommended policies"],
  ] as const) {
    await expect(await printed(path, name), name).toBeHidden();
  }
  await page.goto(new URL("/admin", page.url()).href);
  await page.getByRole("button", { name: /maya@demo\.example/ }).dispatchEvent("click");
  await expect(page.getByRole("region", { name: "User Transactions" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Add Transactions" })).toBeHidden();
});

test("an open panel is printed, the tiles are not", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  const actions = page.locator("#quick-actions");
  await page.emulateMedia({ media: "print" });
  await expect(actions).toBeHidden();
  await page.goto(new URL("/dashboard#quick-actions-billpay", page.url()).href);
  await expect(actions.getByText("from Checking, account ending").first()).toBeVisible();
  await expect(actions.getByRole("button")).toHaveCount(0);
  await expect(actions.getByRole("link", { name: "Back to Quick Actions" })).toHaveCount(0);
});
