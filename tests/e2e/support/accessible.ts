/** Checks for every screen: no axe violations, no horizontal scrolling. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { expect } from "./test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** axe reports only one node per passed rule, which saves a third of its time. */
const VIOLATIONS_ONLY: RunOptions = { resultTypes: ["violations"] };

/** axe finds no violations on the current page, or `within` a part of it; `name` appears in failures. */
export async function expectNoViolations(page: Page, name: string, within = "html"): Promise<void> {
  const axe = new AxeBuilder({ page }).options(VIOLATIONS_ONLY).include(within).withTags(WCAG);
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
