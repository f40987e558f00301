/** The member's dashboard and history (spec section 2 "Customer dashboard"). */
import { expectNoSidewaysScroll, expectNoViolations } from "./support/accessible";
import { DEMO } from "./support/people";
import { MEMBER_PAGES } from "./support/places";
import { expect, expectLoaded, test } from "./support/test";

test("everything that the specification puts on the dashboard is there, under its name", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Maya");
  await expect(page).toHaveTitle(/Wrenmoor/);
  for (const label of ["Available Balance", "Pending", "Monthly Income", "Monthly Outgoing"]) {
    await expect(page.getByText(label, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByRole("main")).toContainText("Savings $12,800.00");
  await expect(page.getByText(/\d+ deposits/)).toBeVisible();
  await expect(page.getByText(/\d+ payments/)).toBeVisible();
  await expect(page.getByRole("img", { name: /^Monthly Income, / })).toBeVisible();

  const checking = page.getByRole("region", { name: "Checking Account" });
  await expect(checking).toContainText("Personal Checking");
  await expect(checking).toContainText("Maya Torres");
  await expect(checking).toContainText(/\d{3}-\d{3}-\d{2,4}/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await checking.getByRole("button", { name: "Copy routing number" }).click();
  await expect(checking.getByRole("button", { name: "Routing number copied" })).toBeVisible();
  await expect(checking.getByRole("button", { name: "Copy routing number" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("021000021");

  const recent = page.getByRole("region", { name: "Recent Transactions" });
  await expect(recent.getByRole("listitem")).toHaveCount(20);
  await recent.getByRole("button", { name: "View All" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Statements" })).toBeFocused();
});

/** Position of a section that the URL names: scroll-padding-top of styles/base.css. */
const BELOW_TOP_BAR_PX = 88;

test("links to sections of the dashboard open them, also from another page", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const main = page.getByRole("navigation", { name: "Main" });
  for (const name of ["Bill Pay", "Cards"]) {
    await main.getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeInViewport();
  }
  await page.goBack();
  await expect(page.getByRole("heading", { level: 2, name: "Bill Pay" })).toBeVisible();
  // The panel closes and the layout changes; the page must scroll to the section's new position.
  await page.setViewportSize({ width: 1300, height: 500 });
  await main.getByRole("link", { name: "Transfers" }).click();
  const transfer = page.getByRole("heading", { level: 2, name: "Transfer Money" });
  await expect(transfer).toBeFocused();
  const topOf = () =>
    page
      .locator("#transfer-section")
      .evaluate((section) => Math.round(section.getBoundingClientRect().top));
  await expect.poll(topOf).toBe(BELOW_TOP_BAR_PX);
  await page.goto(new URL("/transactions", page.url()).href);
  await main.getByRole("link", { name: "Transfers" }).click();
  await expect(transfer).toBeInViewport();
});

test(
  "the wheel scrolls the page also over the row of tabs",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    const tabs = page.getByRole("tablist", { name: "Ways to transfer" });
    // A row that could itself scroll, be it by a pixel, would take the first turn of the wheel.
    expect(await tabs.evaluate((row) => row.scrollHeight - row.clientHeight)).toBe(0);
    await tabs.hover();
    await page.mouse.wheel(0, 200);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(200);
  },
);

test("Zelle and Rewards explain what to expect and link back", async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  const actions = page.getByRole("region", { name: "Quick Actions" });
  for (const [name, text] of [
    ["Zelle", /coming soon/i],
    ["Rewards", /being enhanced, check back soon/i],
  ] as const) {
    await actions.getByRole("button", { name }).click();
    await expect(actions.getByText(text)).toBeVisible();
    await actions.getByRole("link", { name: "Back to Quick Actions" }).click();
    await expect(actions.getByRole("button", { name })).toBeFocused();
  }
});

test("the history can be searched, is filtered by URL, and shows running balances", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  await page.goto(new URL("/transactions?account=Checking&type=credit", page.url()).href);
  const list = page.getByRole("region", { name: "All transactions" });
  await expect(list.getByText(/, balance \$/).first()).toBeVisible();
  await expect(list.getByText(/^-\$/)).toHaveCount(0);
  await list.getByLabel("Search").fill("payroll");
  await expect(page).toHaveURL(/q=payroll/);
  await expect(list.getByRole("listitem").first()).toContainText("Payroll");
  await list.getByLabel("Search").fill("no such words");
  await expect(list.getByText("No transactions match")).toBeVisible();
  await list.getByRole("button", { name: "Clear filters" }).click();
  const shown = list.getByRole("status").filter({ hasText: "Showing" });
  await expect(shown).toHaveText("Showing 50 transactions, more below");
  await list.getByRole("button", { name: "Load more" }).click();
  await expect(shown).toHaveText(/Showing (?!50 )\d+ transactions/);
  const download = page.waitForEvent("download");
  await list.getByRole("button", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toBe("transactions.csv");
  await expect(list.getByText("The file was saved.")).toBeVisible();
  await expect(page.getByRole("img", { name: /^Balance from / })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [390, 1440]) {
    test(
      `the member's pages have no axe violations, ${colorScheme}, ${width} px`,
      { tag: colorScheme === "light" && width === 1440 ? [] : "@long" },
      async ({ signInAs }) => {
        test.slow();
        const page = await signInAs(DEMO.maya, { colorScheme, viewport: { width, height: 900 } });
        for (const path of MEMBER_PAGES) {
          await page.goto(new URL(path, page.url()).href);
          await expectLoaded(page);
          await expectNoViolations(page, path);
          await expectNoSidewaysScroll(page, path);
        }
      },
    );
  }
}
