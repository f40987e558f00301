/** Keyboard-only use: reaches controls with Tab and signs in. */
import type { Locator, Page } from "@playwright/test";
import { DEMO_CODES, DEMO_PASSWORD } from "./people";
import { expect } from "./test";

/** More tab stops than any page has: a control not reached by then is unreachable. */
const STOPS_MAX = 120;

/** Presses Tab until `target` has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

/** Reaches a text field and types into it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Does both steps from `/login`; ends on the person's home page. */
export async function signInByKeyboard(page: Page, email: string): Promise<void> {
  await typeInto(page, page.getByLabel("Email"), email);
  await typeInto(page, page.getByLabel("Password", { exact: true }), DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Verification code")).toBeFocused();
  await page.keyboard.type(DEMO_CODES[0]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/(dashboard|admin)/);
}
