/** Every flow of a member with the keyboard only. */
import type { Locator, Page } from "@playwright/test";
import { signInByKeyboard, tabTo, typeInto } from "./support/keyboard";
import { DEMO, DEMO_CODES } from "./support/people";
import { expect, test } from "./support/test";

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

const transfers = (page: Page) => page.getByRole("region", { name: "Transfer Money" });
const actions = (page: Page) => page.getByRole("region", { name: "Quick Actions" });

/** Reaches the tabs of the transfer section and moves right to the named one. */
async function chooseTab(page: Page, name: string): Promise<void> {
  await tabTo(page, transfers(page).getByRole("tab", { selected: true }));
  const tab = transfers(page).getByRole("tab", { name });
  for (let stop = 0; stop < 4; stop += 1) {
    if (await tab.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press("ArrowRight");
  }
  await expect(tab).toBeFocused();
}

test(
  "sign-in, a transfer between accounts and one to another member",
  { tag: "@long" },
  async ({ visit }) => {
    const page = await visit("/login");
    await signInByKeyboard(page, DEMO.maya);
    const section = transfers(page);
    await typeInto(page, section.getByLabel("Amount"), "12.5");
    await typeInto(page, section.getByLabel("Reference"), "By hand");
    await page.keyboard.press("Enter");
    await expect(section.getByRole("heading", { name: /\$12\.50 sent to/ })).toBeFocused();
    await press(page, section.getByRole("button", { name: "Make another transfer" }));

    await chooseTab(page, "To a Wrenmoor user");
    await typeInto(page, section.getByLabel("Recipient Email"), DEMO.omar);
    await press(page, section.getByRole("button", { name: "Verify" }));
    await expect(section.getByText("Recipient found: Omar Haddad")).toBeVisible();
    await typeInto(page, section.getByLabel("Amount"), "3");
    await typeInto(page, section.getByLabel("Reference"), "Tea");
    await press(page, section.getByRole("button", { name: "Send Money" }));
    await expect(section.getByRole("heading", { name: /\$3\.00 sent to/ })).toBeFocused();
  },
);

test(
  "a transfer to a US bank, its code and its success dialog",
  { tag: "@long" },
  async ({ visit }) => {
    const page = await visit("/login");
    await signInByKeyboard(page, DEMO.maya);
    const section = transfers(page);
    await chooseTab(page, "To US Bank");
    await tabTo(page, section.getByLabel("Bank", { exact: true }));
    await page.keyboard.type("Cedar");
    await expect(section.getByLabel("Routing Number")).toHaveValue("990030397");
    await typeInto(page, section.getByLabel("Account Number"), "12345678");
    await typeInto(page, section.getByLabel("Account Holder Name"), "Dana Whitfield");
    await typeInto(page, section.getByLabel("Amount"), "40");
    await typeInto(page, section.getByLabel("Reference"), "Loan");
    await press(page, section.getByRole("button", { name: "Continue" }));
    await typeInto(page, section.getByLabel("Verification code"), DEMO_CODES[1]);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: /success/i })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(section).toContainText("Sent $40.00 to");
    // The focus is not lost with the removed button.
    const view = section.getByRole("button", { name: "View receipt" });
    await expect(view).toBeFocused();
    // The line fills the row beside it.
    const line = section.getByRole("status").filter({ hasText: "Sent $40.00 to" });
    const [lineBox, viewBox] = [await line.boundingBox(), await view.boundingBox()];
    expect(viewBox!.x - lineBox!.x - lineBox!.width).toBeCloseTo(16, 0);
  },
);

test(
  "an international transfer with its lists, review and confirmation",
  { tag: "@long" },
  async ({ visit }) => {
    const page = await visit("/login");
    await signInByKeyboard(page, DEMO.omar);
    const section = transfers(page);
    await chooseTab(page, "International");
    await typeInto(page, section.getByLabel("Recipient Name"), "Ana Lima");
    await typeInto(page, section.getByLabel("Bank Name"), "Banco Azul");
    await typeInto(page, section.getByLabel("SWIFT/BIC Code"), "deutdeff");
    await typeInto(page, section.getByLabel("Account Number"), "DE8937040044");
    await typeInto(page, section.getByRole("combobox", { name: "Country" }), "Portug");
    await expect(page.getByRole("option", { name: "Portugal" })).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(section.getByRole("combobox", { name: "Country" })).toHaveValue("Portugal");
    await typeInto(page, section.getByLabel("Amount"), "20");
    await typeInto(page, section.getByLabel("Reference"), "Gift");
    await press(page, section.getByRole("button", { name: "Continue" }));
    await expect(section).toContainText("Banco Azul");
    await press(page, section.getByRole("button", { name: "Continue" }));
    await press(page, section.getByRole("button", { name: "Confirm Transfer" }));
    await expect(section).toContainText("Sent $20.00 to");
  },
);

test(
  "a bill, a statement and a card, and the focus returns each time",
  { tag: "@long" },
  async ({ visit }) => {
    const page = await visit("/login");
    await signInByKeyboard(page, DEMO.omar);
    const panel = actions(page);
    await press(page, panel.getByRole("button", { name: "Bill Pay" }));
    await expect(panel.getByRole("heading", { level: 2, name: "Bill Pay" })).toBeFocused();
    await tabTo(page, panel.getByRole("radio", { name: "Electric" }));
    await page.keyboard.press("ArrowRight");
    await expect(panel.getByRole("radio", { name: "Water" })).toBeChecked();
    await typeInto(page, panel.getByLabel("Account Number"), "W-77-1020");
    await typeInto(page, panel.getByLabel("Amount"), "61.4");
    await typeInto(page, panel.getByLabel("Payment Date"), "12312030");
    await press(page, panel.getByRole("button", { name: "Schedule Payment" }));
    await expect(panel.getByText("Payment scheduled successfully!")).toBeVisible();

    await press(page, panel.getByRole("link", { name: "Back to Quick Actions" }));
    await expect(panel.getByRole("button", { name: "Bill Pay" })).toBeFocused();
    await press(page, panel.getByRole("button", { name: "Statements" }));
    const download = page.waitForEvent("download");
    await press(page, panel.getByRole("button", { name: "Download", exact: true }));
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);

    await press(page, panel.getByRole("link", { name: "Back to Quick Actions" }));
    await press(page, panel.getByRole("button", { name: "Cards" }));
    const debit = page.getByRole("region", { name: "Debit card" });
    await press(page, debit.getByRole("button", { name: "Lock Card" }));
    await expect(debit.getByText("Locked", { exact: true })).toBeVisible();
    const pin = panel.getByRole("button", { name: "Change PIN" });
    await press(page, pin);
    await expect(page.getByRole("dialog", { name: "Change PIN" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(pin).toBeFocused();
    const lost = debit.getByRole("button", { name: "Report Lost" });
    await press(page, lost);
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(lost).toBeFocused();
  },
);

test("a held Enter acts once, also where the first press has emptied the form or moved the focus", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const panel = actions(page);
  await panel.getByRole("button", { name: "Bill Pay" }).click();
  await panel.getByLabel("Water").check();
  await panel.getByLabel("Account Number").fill("W-77-1020");
  await panel.getByLabel("Amount").fill("61.40");
  await panel.getByLabel("Payment Date").fill("2030-12-31");
  await panel.getByRole("button", { name: "Schedule Payment" }).focus();
  await page.keyboard.down("Enter");
  await expect(panel.getByText("Payment scheduled successfully!")).toBeVisible();
  await expect(panel.getByLabel("Amount")).toHaveValue("");
  const form = panel.locator("form");
  await form.evaluate((node) =>
    node.addEventListener("submit", () => node.setAttribute("data-sent-again", "")),
  );
  // Still down: a repeat.
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(form).not.toHaveAttribute("data-sent-again");

  await page.getByRole("button", { name: /Account menu/ }).focus();
  await page.keyboard.down("Enter");
  await expect(page.getByRole("menuitem", { name: "Profile Settings" })).toBeFocused();
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
});

test(
  "on a phone the tab order follows the visual order",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: /Account menu/ }).focus();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Bill Pay" })).toBeFocused();
    await tabTo(page, page.getByRole("button", { name: "Rewards" }));
    await page.keyboard.press("Tab");
    await expect(page.getByRole("tab", { name: "Between Accounts" })).toBeFocused();
    await tabTo(page, transfers(page).getByRole("button", { name: "Transfer", exact: true }));
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Copy account number" })).toBeFocused();
  },
);

test(
  "on a phone each section of the back office is shown whole when it has the focus",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.admin);
    await page.setViewportSize({ width: 390, height: 844 });
    const links = page.getByRole("navigation", { name: "Back office" }).getByRole("link");
    await tabTo(page, links.first());
    for (const link of await links.all()) {
      await expect(link).toBeFocused();
      await expect(link).toBeInViewport({ ratio: 1 });
      await page.keyboard.press("Tab");
    }
  },
);

test(
  "on a phone no control that gets the focus is under a toast",
  { tag: "@long" },
  async ({ signInAs }) => {
    const [page, payer] = [await signInAs(DEMO.maya), await signInAs(DEMO.vip)];
    await page.setViewportSize({ width: 390, height: 844 });
    await transfers(page).getByRole("button", { name: "Transfer", exact: true }).focus();
    await transfers(payer).getByRole("tab", { name: "To a Wrenmoor user" }).click();
    await transfers(payer).getByLabel("Recipient Email").fill(DEMO.maya);
    await transfers(payer).getByLabel("Amount").fill("3");
    await transfers(payer).getByLabel("Reference").fill("Tea");
    await transfers(payer).getByLabel("Reference").press("Enter");
    const toast = page.getByRole("status", { name: "Live events" });
    await expect(toast).toContainText("Money received");
    const edge = (await toast.boundingBox())?.y ?? 0;
    const button = page.getByRole("button", { name: "Copy account number" });
    await button.evaluate((node, top) => {
      window.scrollBy(0, node.getBoundingClientRect().top - top - 10);
    }, edge);
    await page.keyboard.press("Tab");
    await expect(button).toBeFocused();
    const box = await button.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(edge);
  },
);

test("focusing sticky elements does not scroll the page", async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  const scrolled = () => page.evaluate(() => window.scrollY);
  await page.evaluate(() => window.scrollTo(0, 500));
  for (const name of [/^Notifications/, /^Account menu/]) {
    await page.getByRole("button", { name }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name })).toBeFocused();
    expect(await scrolled()).toBe(500);
  }
  await page.keyboard.press("Shift+Tab");
  expect(await scrolled()).toBe(500);
});
