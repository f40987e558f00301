/** WCAG 1.4.10: nothing scrolls sideways at 320 px (1280 px at 400 %) or at 1280 px zoomed to 200 %. */
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

/** A page at 200 % has half the CSS pixels and twice the density. */
const SIZES = [
  { name: "320 px", viewport: { width: 320, height: 640 }, deviceScaleFactor: 1 },
  { name: "1280 px at 200 %", viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
] as const;

const PUBLIC_PAGES = [
  "/",
  "/about",
  "/products",
  "/contact",
  "/calculators",
  "/privacy",
  "/terms",
  "/accessibility",
  "/security",
  "/locations",
  "/login",
  "/signup",
  "/registration-success",
];
const MEMBER_PAGES = [
  "/dashboard",
  "/dashboard#quick-actions-billpay",
  "/dashboard#quick-actions-deposit",
  "/dashboard#quick-actions-cards",
  "/dashboard#quick-actions-statements",
  "/transactions",
  "/settings/profile",
  "/settings/account",
];

/** Opens each address and names the widest element of those that are wider than the window. */
async function expectNoSidewaysScroll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(new URL(path, page.url()).href);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} is wider than its window`).toBe(0);
  }
}

for (const { name, ...size } of SIZES) {
  test(`public pages fit at ${name}`, { tag: "@long" }, async ({ visit }) => {
    test.slow();
    await expectNoSidewaysScroll(await visit("/", size), PUBLIC_PAGES);
  });

  test(`the member's pages and forms fit at ${name}`, { tag: "@long" }, async ({ signInAs }) => {
    test.slow();
    const page = await signInAs(DEMO.maya, size);
    await expectNoSidewaysScroll(page, MEMBER_PAGES);
    await page.goto(new URL("/dashboard", page.url()).href);
    for (const tab of ["To a Wrenmoor user", "To US Bank", "International"]) {
      await page.getByRole("tab", { name: tab }).click();
      await expect(page.getByRole("tabpanel").getByLabel("From Account")).toBeVisible();
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        tab,
      ).toBeLessThanOrEqual(size.viewport.width);
    }
  });
}
