/** On a touch screen. */
import type { Locator } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

/** The smallest target of the platforms' guidelines. */
const FINGER_PX = 44;

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** A finger that lands anywhere within its size around the middle of `control` hits it, or what acts for it. */
async function expectRoomForFinger(control: Locator): Promise<void> {
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
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    return points.filter((point) => {
      const hit = document.elementFromPoint(...point);
      return !element.contains(hit) && hit !== label;
    });
  }, FINGER_PX);
  expect(missed, String(control)).toEqual([]);
}

test("small controls can be hit with a finger", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya, PHONE);
  await page.getByRole("button", { name: "Statements" }).click();
  await expectRoomForFinger(page.getByRole("link", { name: "Wrenmoor Credit Union, home" }));
  await expectRoomForFinger(page.getByRole("link", { name: "Back to Quick Actions" }));
  await expectRoomForFinger(
    page.getByRole("button", { name: "Download the March 2025 statement" }),
  );
  await expectRoomForFinger(page.getByRole("button", { name: "Copy account number" }));
  await page.getByRole("button", { name: "Account menu" }).click();
  await expectRoomForFinger(page.getByRole("menuitem", { name: "Profile Settings" }));
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Search all transactions" }).last().click();
  await expectRoomForFinger(page.getByRole("link", { name: "Balance and spending charts" }));
  await page.getByRole("button", { name: "Filters" }).click();
  await expectRoomForFinger(page.getByLabel("Status"));
  await expectRoomForFinger(page.getByLabel("Minimum amount"));
  await expectRoomForFinger(page.getByText("Show the values"));
});

test(
  "small controls of the back office can be hit with a finger",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.admin, PHONE);
    const sections = page.getByRole("navigation", { name: "Back office" });
    await expectRoomForFinger(sections.getByRole("link", { name: "Deposits" }));
    await page.getByRole("button", { name: /Maya Torres/ }).click();
    await expectRoomForFinger(page.getByLabel("Row 1 Category"));
    const box = page.getByLabel("Update account balance");
    await expectRoomForFinger(box);
    await box.tap();
    await expect(box).not.toBeChecked();
  },
);

test(
  "the chosen tab and section stay in view when the device is turned",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, { viewport: { width: 844, height: 390 } });
    const tab = page.getByRole("tab", { name: "International" });
    await tab.click();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(tab).toBeInViewport({ ratio: 1 });
    const office = await signInAs(DEMO.admin, { viewport: { width: 844, height: 390 } });
    const section = office.getByRole("link", { name: "Health" });
    await section.click();
    await office.setViewportSize({ width: 390, height: 844 });
    await expect(section).toBeInViewport({ ratio: 1 });
  },
);
