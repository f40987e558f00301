/** Scrollbars that take room, as on most desktops; headless browsers hide theirs unless told otherwise. */
import type { Page } from "@playwright/test";
import config from "../../playwright.config";
import { DEMO } from "./support/people";
import { expect, expectLoaded, test } from "./support/test";

test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] },
});

/** Not by its role, which it loses behind a dialog. */
const leftOfMenu = (page: Page) =>
  page
    .locator("[aria-label^='Account menu']")
    .evaluate((button) => button.getBoundingClientRect().left);
const ground = (page: Page, element: "html" | "body") =>
  page.locator(element).evaluate((node) => getComputedStyle(node).backgroundColor);

test(
  "a short page and a dialog move nothing, and the dialog's backdrop takes in the scrollbar's room",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.admin);
    await expectLoaded(page);
    expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBe(15);
    const left = await leftOfMenu(page);

    await page.getByRole("button", { name: "Create New User" }).click();
    await expect(page.getByLabel("Full Name")).toBeFocused();
    expect(await leftOfMenu(page)).toBe(left);
    expect(await ground(page, "html")).not.toBe(await ground(page, "body"));
    await page.keyboard.press("Escape");
    await expect.poll(() => ground(page, "html")).toBe(await ground(page, "body"));

    await page.getByRole("link", { name: "Deposits" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Deposits");
    expect(await leftOfMenu(page)).toBe(left);
  },
);
