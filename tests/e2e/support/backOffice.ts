/** The back office as administrators use it. */
import type { Page } from "@playwright/test";

/** What the page of a person has in its menu. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More for this user" }).click();
  await page.getByRole("menuitem", { name }).click();
}
