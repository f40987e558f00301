/** WCAG 1.4.4: with text at 200 % everything can be read and reached. */
import type { Locator, Page } from "@playwright/test";
import { api } from "../../convex/_generated/api";
import { AMOUNT_MAX_CENTS } from "../../convex/shared/limits";
import { adminClient, NEW_PERSON } from "../support/backOffice";
import { expectNoSidewaysScroll, expectWhole } from "./support/accessible";
import { DEMO } from "./support/people";
import { pngFile } from "./support/pictures";
import { MEMBER_PAGES, PUBLIC_PAGES } from "./support/places";
import { expect, expectLoaded, test } from "./support/test";

/** On a phone only text grows: rem and media queries know nothing of it. */
const PHONE = {
  viewport: { width: 390, height: 844 },
  screen: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

async function doubleText(page: Page, property: "font-size" | "text-size-adjust"): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.style.setProperty(name, "200%");
  }, property);
}

/** The texts and controls of `root` that end beyond the window, unless in a row that scrolls. */
async function outside(root: Locator): Promise<string[]> {
  return root.evaluate((top) => {
    const scrolls = (element: Element) =>
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
      element.scrollWidth > element.clientWidth;
    const isCut = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      // For screen readers only, as the skip link is until it has the focus.
      if (getComputedStyle(element).clipPath !== "none") return false;
      if (left >= -0.5 && right <= screen.width + 0.5) return false;
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        if (scrolls(at) && at.getAttribute("role") !== "dialog") return false;
      }
      return element.checkVisibility();
    };
    return [...top.querySelectorAll("p, span, a, button, h1, h2, h3, input, label")]
      .filter(isCut)
      .map((element) => element.textContent || element.outerHTML);
  });
}

async function expectNothingOutside(root: Locator, name: string): Promise<void> {
  await expect.poll(() => outside(root), name).toEqual([]);
}

test(
  "nothing of the public pages is cut off on a phone with text at 200 %",
  { tag: "@long" },
  async ({ visit }) => {
    test.slow();
    const page = await visit("/", PHONE);
    for (const path of PUBLIC_PAGES) {
      await page.goto(new URL(path, page.url()).href);
      await expectLoaded(page);
      await doubleText(page, "text-size-adjust");
      await expectWhole(page, path);
    }
    await page.goto(new URL("/about", page.url()).href);
    await doubleText(page, "text-size-adjust");
    await page.getByRole("button", { name: "Open menu" }).click();
    await expectWhole(page, "the menu");
  },
);

test(
  "nothing lies outside the window with text at 200 %",
  { tag: "@long" },
  async ({ signInAs }) => {
    test.slow();
    const member = await signInAs(DEMO.maya, PHONE);
    await doubleText(member, "text-size-adjust");
    await expectNothingOutside(member.locator("body"), "dashboard on a phone");
    await member.getByRole("button", { name: "Mobile Deposit" }).click();
    await expect(member.getByRole("heading", { name: "Your deposits" })).toBeVisible();
    await expectNothingOutside(member.locator("body"), "deposits on a phone");
    const office = await signInAs(DEMO.admin, PHONE);
    await doubleText(office, "text-size-adjust");
    await expectNothingOutside(office.locator("body"), "back office on a phone");
    await office.getByRole("button", { name: "Create New User" }).click();
    await expectNothingOutside(office.getByRole("dialog"), "new user on a phone");
    await office.getByRole("button", { name: "Cancel" }).click();
    await office.getByRole("button", { name: /nora@demo\.example/ }).click();
    await office.getByRole("button", { name: "Verify User" }).click();
    await expectNothingOutside(office.getByRole("dialog"), "verification on a phone");

    for (const width of [640, 1280]) {
      const viewport = { width, height: 900 };
      for (const person of [DEMO.maya, DEMO.admin]) {
        const page = await signInAs(person, { viewport, screen: viewport });
        await doubleText(page, "font-size");
        await expectNothingOutside(page.locator("body"), `${person} at ${width} px`);
        if (person === DEMO.maya) continue;
        await page.getByRole("button", { name: /maya@demo\.example/ }).click();
        const detail = page.getByRole("group", { name: "User details" });
        await expect(detail.getByRole("region", { name: "User Transactions" })).toBeVisible();
        await expectNothingOutside(detail, `a user at ${width} px`);
      }
    }
  },
);

/** Words of `texts` that are broken over two lines. */
async function brokenWords(texts: Locator): Promise<string[]> {
  return texts.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
        for (const { 0: word, index } of (node.nodeValue ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) found.push(word);
        }
      }
      return found;
    }),
  );
}

test(
  "words in rows and choices are whole on a phone with text at 200 %",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, PHONE);
    await doubleText(page, "text-size-adjust");
    await page.getByRole("link", { name: "Bill Pay" }).last().click();
    const providers = page.getByRole("group", { name: "Provider" }).locator("label");
    await expect(providers).toHaveCount(6);
    await expect.poll(() => brokenWords(providers)).toEqual([]);
    const rows = page.getByRole("region", { name: "Recent Transactions" }).getByRole("listitem");
    await expect(rows).toHaveCount(20);
    await expect.poll(() => brokenWords(rows.locator("p"))).toEqual([]);
  },
);

test(
  "no page scrolls sideways in a narrow window with the browser's text size at 200 %",
  { tag: "@long" },
  async ({ visit, signInAs }) => {
    test.slow();
    const places = [
      { page: await visit("/"), paths: PUBLIC_PAGES },
      { page: await signInAs(DEMO.maya), paths: MEMBER_PAGES },
      { page: await signInAs(DEMO.admin), paths: ["/admin", "/admin/audit"] },
    ];
    for (const { page, paths } of places) {
      const origin = new URL(page.url()).origin;
      for (const path of paths) {
        await page.goto("about:blank");
        await page.goto(origin + path);
        await expectLoaded(page);
        await doubleText(page, "font-size");
        for (const width of [320, 390, 768]) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page, `${path} at ${width} px`);
        }
      }
    }
  },
);

test(
  "the notice of a lost connection stays below the top bar, also with text at 200 %",
  { tag: "@long" },
  async ({ signInAs, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await signInAs(DEMO.maya, PHONE);
    await doubleText(page, "text-size-adjust");
    await page.context().setOffline(true);
    const notice = page.locator("[data-connection-banner]");
    await expect(notice).toBeVisible();
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await expect(notice).toBeInViewport({ ratio: 1 });
    const bar = (await page.getByRole("banner").boundingBox())!;
    expect((await notice.boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  },
);

test(
  "the name and the buttons of a photo stay below it with text at 200 %",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.omar, PHONE);
    const panel = page.getByRole("region", { name: "Quick Actions" });
    await panel.getByRole("button", { name: "Mobile Deposit" }).click();
    const photo = panel.getByLabel("Front of check", { exact: true });
    await photo.setInputFiles(pngFile("front.png"));
    await doubleText(page, "font-size");
    const tile = (await photo.boundingBox())!;
    const name = (await panel.getByText("front.png").boundingBox())!;
    expect(name.width).toBeGreaterThan(tile.width / 2);
    for (const button of ["Replace front of check", "Remove front of check"]) {
      const words = await panel.getByRole("button", { name: button }).evaluate((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().right;
      });
      expect(words, button).toBeLessThanOrEqual(tile.x + tile.width + 1);
    }
  },
);

test("a dialog with text at 200 % can be used in a low window", async ({ signInAs }) => {
  const viewport = { width: 1280, height: 500 };
  const office = await signInAs(DEMO.admin, { viewport, screen: viewport });
  await doubleText(office, "font-size");
  await office.getByRole("button", { name: /nora@demo\.example/ }).click();
  await office.getByRole("button", { name: "Reset password" }).click();
  const dialog = office.getByRole("dialog", { name: "Reset password" });
  for (const part of [
    dialog.getByLabel("Reason"),
    dialog.getByText(/one-time password from you/),
    dialog.getByRole("button", { name: "Reset password" }),
  ]) {
    await part.scrollIntoViewIfNeeded();
    await expect(part).toBeInViewport({ ratio: 1 });
  }
});

test("the longest amounts can be read on a phone with text at 200 %", async ({
  server,
  signInAs,
}) => {
  const email = "rich@demo.example";
  const longest = { balanceCents: AMOUNT_MAX_CENTS, availableCents: AMOUNT_MAX_CENTS };
  await (
    await adminClient(server.url)
  ).action(api.admin.users.create, {
    ...NEW_PERSON,
    name: "Rica Rich",
    email,
    checking: longest,
    savings: longest,
  });
  const page = await signInAs(email, { viewport: PHONE.viewport, screen: PHONE.screen });
  const from = page.getByRole("region", { name: "Transfer Money" }).getByLabel("From Account");
  await page.setViewportSize({ width: 320, height: 640 });
  await from.selectOption({ index: 1 });
  const line = await from.evaluate((select) => parseFloat(getComputedStyle(select).lineHeight));
  expect((await from.boundingBox())!.height, "a choice of two lines").toBeGreaterThan(2 * line);
  await page.setViewportSize(PHONE.viewport);
  await doubleText(page, "font-size");
  await expectNothingOutside(page.locator("body"), "dashboard");
  await page.goto(new URL("/dashboard#quick-actions-billpay", page.url()).href);
  await from.waitFor();
  await doubleText(page, "font-size");
  await expectNothingOutside(page.locator("body"), "bills");
  await page.goto(new URL("/dashboard#quick-actions-statements", page.url()).href);
  await expect(page.getByRole("button", { name: "Download CSV" })).toBeVisible();
  await doubleText(page, "font-size");
  const wider = page
    .getByRole("region", { name: "Quick Actions" })
    .locator("button, dt, dd")
    .evaluateAll((parts) =>
      parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent),
    );
  expect(await wider, "words wider than their part of a statement").toEqual([]);
});
