/**
 * WCAG 1.4.10: no horizontal scrolling at 320 px (1280 px at 400 %) or at 1280 px zoomed to 200 %. WCAG 1.4.12: nor is
 * anything cut off with wider text.
 */
import type { Locator, Page } from "@playwright/test";
import { api } from "../../convex/_generated/api";
import { adminClient, userIdOf } from "../support/backOffice";
import { expectNoSidewaysScroll } from "./support/accessible";
import { DEMO } from "./support/people";
import { MEMBER_PAGES, PUBLIC_PAGES } from "./support/places";
import { expect, expectLoaded, test } from "./support/test";

/** At 200 % a page has half the CSS pixels and twice the pixel density. */
const SIZES = [
  { name: "320 px", viewport: { width: 320, height: 640 }, deviceScaleFactor: 1 },
  { name: "1280 px at 200 %", viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
] as const;

async function expectToFit(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(new URL(path, page.url()).href);
    await expectLoaded(page);
    await expectNoSidewaysScroll(page, path);
  }
}

/** Measured without scrolling, because scrolling it into view would also move what cuts it off. */
async function expectToEndWithin(element: Locator, widthPx: number): Promise<void> {
  await expect(element).toBeVisible();
  const box = await element.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(widthPx);
}

for (const { name, ...size } of SIZES) {
  test(`public pages fit at ${name}`, { tag: "@long" }, async ({ visit }) => {
    test.slow();
    await expectToFit(await visit("/", size), [
      ...PUBLIC_PAGES,
      "/locations",
      "/registration-success",
    ]);
  });

  test(`the member's pages and forms fit at ${name}`, { tag: "@long" }, async ({ signInAs }) => {
    test.slow();
    const page = await signInAs(DEMO.maya, size);
    await expectToFit(page, MEMBER_PAGES);
    await page.goto(new URL("/dashboard", page.url()).href);
    for (const tab of ["To a Wrenmoor user", "To US Bank", "International"]) {
      await page.getByRole("tab", { name: tab }).click();
      await expect(page.getByRole("tabpanel").getByLabel("From Account")).toBeVisible();
      await expectNoSidewaysScroll(page, tab);
    }
  });
}

/** A hand can turn the wheel; a script can also scroll what a person cannot. */
async function expectToScrollTo(page: Page, text: Locator, wheelPx: number): Promise<void> {
  await page.mouse.wheel(0, wheelPx);
  await expect(text).toBeInViewport({ ratio: 1 });
}

test(
  "1280 by 1024 px at 400 %: nothing of a dialog or of the notifications is out of reach",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.nora, { viewport: { width: 320, height: 256 } });
    const section = page.getByRole("region", { name: "Transfer Money" });
    await section.getByLabel("Amount").fill("5");
    await section.getByLabel("Reference").fill("Rent");
    await section.getByLabel("Reference").press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.hover();
    await expectToScrollTo(page, dialog.getByRole("heading"), -1_000);
    await expectToScrollTo(page, dialog.getByText(/Monday to Friday/), 1_000);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^Notifications/ }).click();
    const list = page.getByRole("dialog", { name: "Notifications" }).getByRole("list");
    await list.hover();
    await expectToScrollTo(page, list.locator("time").last(), 1_000);
  },
);

const LAYOUT_TIMEOUT_MS = 2_000;

test("a user's transactions fit beside the list of users at 768 and 1024 px", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin, { viewport: { width: 768, height: 1024 } });
  await page.getByRole("button", { name: /maya@demo\.example/ }).click();
  const rows = page.getByRole("region", { name: "User Transactions" });
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 1024 });
    const remove = rows.getByRole("button", { name: /^Delete / }).first();
    // Looked for anew if the layout changes meanwhile: table and list each have this button, and one is hidden.
    await expect(async () => {
      await remove.scrollIntoViewIfNeeded({ timeout: LAYOUT_TIMEOUT_MS });
      await expect(remove).toBeInViewport({ ratio: 1, timeout: LAYOUT_TIMEOUT_MS });
    }).toPass({ timeout: 10 * LAYOUT_TIMEOUT_MS });
    await expectNoSidewaysScroll(page, `/admin at ${width} px`);
  }
});

test(
  "amounts in the millions and very long words stay visible",
  { tag: "@long" },
  async ({ signInAs }) => {
    const office = await signInAs(DEMO.admin, { viewport: { width: 1280, height: 900 } });
    await office.getByRole("button", { name: /omar@demo\.example/ }).click();
    const amounts = ["1234567.89", "7654321.98"];
    for (const [index, amount] of amounts.entries()) {
      await office.getByLabel("Row 1 Type").selectOption(index === 0 ? "credit" : "debit");
      await office.getByLabel("Row 1 Amount").fill(amount);
      await office.getByLabel("Row 1 Description").fill("reconciliation".repeat(4));
      await office.getByLabel("Row 1 Status").selectOption("Pending");
      await office.getByRole("button", { name: "Add 1 transaction" }).click();
      const rows = office.getByRole("region", { name: "User Transactions" });
      const remove = rows.getByRole("button", { name: /^Delete reconciliation/ });
      await expect(remove).toHaveCount(index + 1);
      await expectToEndWithin(remove.first(), 1280);
    }
    const page = await signInAs(DEMO.omar, { viewport: { width: 320, height: 640 } });
    for (const amount of ["$8,888,889.87", "$1,234,567.89", "$7,654,321.98"]) {
      await expectToEndWithin(page.getByRole("main").getByText(amount, { exact: true }), 320);
    }
    await expectNoSidewaysScroll(page, "the member's dashboard");
  },
);

test(
  "dates stay on one line beside long names and the largest amounts",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    const admin = await adminClient(server.url);
    const row = {
      accountType: "Checking",
      amountCents: 999_999_999_999n,
      description: "reconciliation".repeat(4),
      category: "Transportation",
      status: "Completed",
      date: Date.now(),
    } as const;
    await admin.mutation(api.admin.transactions.addMany, {
      userId: await userIdOf(admin, DEMO.omar),
      rows: [
        { ...row, type: "credit" },
        { ...row, type: "debit" },
      ],
      updateBalance: false,
      requestKey: crypto.randomUUID(),
    });
    const office = await signInAs(DEMO.admin, { viewport: { width: 1440, height: 900 } });
    await office.getByRole("button", { name: /omar@demo\.example/ }).click();
    const dates = office.getByRole("cell").filter({ hasText: /^[A-Z][a-z]{2} \d+, \d{4} / });
    await expect(dates.first()).toBeVisible();
    const lines = await dates.evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    expect(new Set(lines)).toEqual(new Set([1]));

    await office.setViewportSize({ width: 1280, height: 900 });
    const table = office.getByRole("table", { name: "User Transactions" });
    const beyond = (element: Element) =>
      element.scrollWidth - (element.parentElement?.clientWidth ?? 0);
    await expect.poll(() => table.evaluate(beyond)).toBe(0);
  },
);

test("fields next to each other are aligned, also where one is optional", async ({ visit }) => {
  const page = await visit("/contact", { viewport: { width: 1280, height: 900 } });
  const phone = await page.getByRole("textbox", { name: "Phone" }).boundingBox();
  const subject = await page.getByLabel("Subject").boundingBox();
  expect(phone?.y).toBe(subject?.y);
});

test(
  "a statement's figures in millions and in billions do not overlap",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    const admin = await adminClient(server.url);
    const userId = await userIdOf(admin, DEMO.omar);
    const page = await signInAs(DEMO.omar, { viewport: { width: 320, height: 640 } });
    await page.goto(new URL("/dashboard#quick-actions-statements", page.url()).href);
    const panel = page.getByRole("region", { name: "Quick Actions" });
    await panel.getByLabel("Period").selectOption("March 2025");
    for (const [amountCents, total] of [
      [765_432_109n, "$7,654,321.09"],
      [999_999_999_999n, "$10,007,654,321.08"],
    ] as const) {
      await admin.mutation(api.admin.transactions.addMany, {
        userId,
        rows: [
          {
            accountType: "Checking",
            type: "credit",
            amountCents,
            description: "Reconciliation",
            category: "Other",
            status: "Completed",
            date: Date.UTC(2025, 2, 10, 12),
          },
        ],
        updateBalance: true,
        requestKey: crypto.randomUUID(),
      });
      const figures = panel.locator("dl dd");
      await expect(figures.filter({ hasText: total }).first()).toBeVisible();
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const cut = () =>
          figures.evaluateAll(
            (all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
          );
        await expect.poll(cut, `${total} at ${width} px`).toBe(0);
      }
    }
  },
);

test(
  "a statement on the narrowest phone does not cut off names",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, { viewport: { width: 320, height: 640 } });
    await page.goto(new URL("/dashboard#quick-actions-statements", page.url()).href);
    const name = page
      .getByRole("region", { name: "Quick Actions" })
      .getByText(/^Payroll, Alder and Finch Design/)
      .filter({ visible: true })
      .first();
    await expect(name).toBeVisible();
    expect(await name.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
  },
);

/** WCAG 1.4.12: what readers may set, in the units of the criterion. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`;

/** As an extension does it: the page's policy refuses style elements. */
async function spaceText(page: Page): Promise<void> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, TEXT_SPACING);
}

test(
  "nothing is cut off with the reader's own text spacing",
  { tag: "@long" },
  async ({ visit, signInAs }) => {
    const pages = await visit("/", { viewport: { width: 768, height: 1024 } });
    await spaceText(pages);
    await expectToEndWithin(pages.getByRole("link", { name: "Open Account" }).first(), 768);
    await pages.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScroll(pages, "/");

    const office = await signInAs(DEMO.admin, { viewport: { width: 768, height: 1024 } });
    await spaceText(office);
    await expectNoSidewaysScroll(office, "/admin");
    await office.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(office, "/admin");

    const member = await signInAs(DEMO.maya, { viewport: { width: 320, height: 640 } });
    await spaceText(member);
    for (const label of ["Pending", "Monthly Income", "Monthly Outgoing"]) {
      const figure = member.getByText(label, { exact: true }).first().locator("+ p");
      await expectToEndWithin(figure, 320);
      expect(await figure.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
    }
    await member.setViewportSize({ width: 390, height: 844 });
    const tile = member.getByRole("button", { name: "Statements", exact: true });
    expect(await tile.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  },
);
