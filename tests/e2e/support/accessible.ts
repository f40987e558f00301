/** Checks for every screen: no axe violations, no horizontal scrolling, no text that is cut off. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { expect } from "./test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** axe reports only one node per passed rule, which saves a third of its time. */
const OPTIONS: RunOptions = {
  resultTypes: ["violations"],
  // Label in Name (2.5.3): experimental, so the tags alone leave it out.
  rules: { "label-content-name-mismatch": { enabled: true } },
};

/** axe finds no violations on the current page, or `within` a part of it; `name` appears in failures. */
export async function expectNoViolations(page: Page, name: string, within = "html"): Promise<void> {
  const axe = new AxeBuilder({ page }).options(OPTIONS).include(within).withTags(WCAG);
  // In the page itself: the other way, for frames of other hosts, opens a page more each time.
  axe.setLegacyMode(true);
  const { violations } = await axe.analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`),
    name,
  ).toEqual([]);
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      `${name} scrolls sideways`,
    )
    .toBeLessThanOrEqual(0);
}

/** The beginnings of texts that extend beyond the window and cannot be scrolled into view. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isHidden = (element: Element | null): boolean =>
      element !== null &&
      (element.matches("[inert], .sr-only") ||
        /auto|scroll/.test(getComputedStyle(element).overflowX) ||
        getComputedStyle(element).textOverflow === "ellipsis" ||
        isHidden(element.parentElement));
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      const isBeyond = right > width + 1 || left < -1;
      if (isBeyond && !isHidden(text.parentElement))
        found.push((text.nodeValue ?? "").slice(0, 40));
    }
    return found;
  });

/** Every text is readable without scrolling sideways. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  await expect.poll(() => cutOff(page), `${name} cuts texts off`).toEqual([]);
  await expectNoSidewaysScroll(page, name);
}
