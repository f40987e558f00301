/** On a touch screen. */
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

/** The smallest target of the platforms' guidelines. */
const FINGER_PX = 44;

test("small controls can be hit with a finger", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.getByRole("button", { name: "Statements" }).click();
  for (const control of [
    page.getByRole("link", { name: "Back to Quick Actions" }),
    page.getByRole("button", { name: "Download the March 2025 statement" }),
    page.getByRole("button", { name: "Copy account number" }),
  ]) {
    await control.scrollIntoViewIfNeeded();
    const missed = await control.evaluate((element, size) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const reach = size / 2 - 1;
      const [x, y] = [left + width / 2, top + height / 2];
      const points = [
        [x - reach, y],
        [x + reach, y],
        [x, y - reach],
        [x, y + reach],
      ] as const;
      return points.filter((point) => !element.contains(document.elementFromPoint(...point)));
    }, FINGER_PX);
    expect(missed, await control.innerText()).toEqual([]);
  }
});

test(
  "the chosen tab stays in view when the device is turned",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, { viewport: { width: 844, height: 390 } });
    const tab = page.getByRole("tab", { name: "International" });
    await tab.click();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(tab).toBeInViewport({ ratio: 1 });
  },
);
