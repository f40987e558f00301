/** Statements (spec section 2): thirteen months, a real PDF and the specified message. */
import { readFileSync } from "node:fs";
import { expectNoSidewaysScroll } from "./support/accessible";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("a statement is downloaded as PDF, CSV and OFX, and its e-mail is announced", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Statements" }).click();
  const period = panel.getByLabel("Period");
  await expect(period.getByRole("option")).toHaveCount(13);
  await expect(period.getByRole("option").first()).toHaveText("March 2025");
  await expect(period.getByRole("option").last()).toHaveText("March 2024");
  await expect(panel).toContainText(/from March 2024 only/);
  await expect(
    panel.getByRole("region", { name: "Recent Statements" }).getByRole("listitem"),
  ).toHaveCount(3);
  await panel.getByLabel("Account", { exact: true }).selectOption("Savings");
  await period.selectOption({ label: "January 2025" });

  const pdf = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Download", exact: true }).click();
  await expect(panel.getByRole("button", { name: "Preparing..." })).toBeVisible();
  const file = await pdf;
  expect(file.suggestedFilename()).toBe("statement-savings-2025-01.pdf");
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
  await expect(
    panel.getByText("Your statement will be sent to your registered email address."),
  ).toBeVisible();

  for (const kind of ["CSV", "OFX"]) {
    const download = page.waitForEvent("download");
    await panel.getByRole("button", { name: `Download ${kind}` }).click();
    expect((await download).suggestedFilename()).toBe(
      `statement-savings-2025-01.${kind.toLowerCase()}`,
    );
  }
});

test(
  "on paper all values of a list end at the same edge, with or without a button on the screen",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    await page.emulateMedia({ media: "print" });
    const values = page.getByRole("region", { name: "Checking Account" }).locator("dd > span");
    const edges = await values
      .filter({ visible: true })
      .evaluateAll((spans) => spans.map((span) => Math.round(span.getBoundingClientRect().right)));
    expect(edges).toHaveLength(5);
    expect(new Set(edges).size).toBe(1);
  },
);

test("what is still fading in is on paper", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya, { reducedMotion: "no-preference" });
  const row = page.getByRole("region", { name: "Recent Transactions" }).getByRole("listitem");
  await expect(row.first()).toHaveCSS("animation-name", "fade");
  await page.emulateMedia({ media: "print" });
  await expect(row.first()).toHaveCSS("animation-name", "none");
});

test(
  "on paper no day of the history is parted from its transactions, and no chart from its title",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    await page.getByRole("link", { name: "Search all transactions" }).click();
    const day = page.getByRole("heading", { level: 3 }).first();
    await expect(day).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(day).toHaveCSS("break-after", "avoid");
    for (const name of ["Balance over time", "Spending by category"]) {
      await expect(page.getByRole("region", { name })).toHaveCSS("break-inside", "avoid");
    }
  },
);

test("a printed statement fits the width of the paper", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Statements" }).click();
  await page.evaluate(() => (window.print = () => undefined));
  await panel.getByRole("button", { name: "Print statement" }).click();
  // A4 between margins of 16 mm.
  await page.setViewportSize({ width: 673, height: 1002 });
  await page.emulateMedia({ media: "print" });
  await expect(panel.getByRole("columnheader", { name: "Balance" })).toBeVisible();
  await expect(panel.getByRole("button")).toHaveCount(0);
  await expectNoSidewaysScroll(page, "the printed statement");
  const edges = await Promise.all(
    [
      panel.getByRole("heading", { name: "Checking statement, March 2025" }),
      panel.getByText("Opening balance"),
      panel.getByRole("columnheader", { name: "Date" }),
    ].map((text) =>
      text.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return Math.round(range.getBoundingClientRect().left);
      }),
    ),
  );
  expect(new Set(edges).size, "one left edge").toBe(1);
});

test("staff download an older statement than the member is offered, and the audit log says so", async ({
  signInAs,
  server,
}) => {
  const page = await signInAs(DEMO.admin);
  await page.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
  const card = page.getByRole("region", { name: "Statements" });
  await card.getByLabel("Period").selectOption({ label: "February 2024" });
  const download = page.waitForEvent("download");
  await card.getByRole("button", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^statement-checking-\d{10}-2024-02\.csv$/);
  await expect(card.getByText("The file was saved.")).toBeVisible();
  await page.goto(`${server.url}/admin/audit`);
  await expect(page.getByText(`Checking of ${DEMO.maya}, February 2024`)).toBeVisible();
});
