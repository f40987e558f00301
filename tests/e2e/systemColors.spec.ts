/** System colors (Windows high contrast) have no background colors, more contrast has other ones: states stay visible. */
import { DEMO } from "./support/people";
import { expect, signIn, test } from "./support/test";

test(
  "a ticked box shows its tick, and the current section and row of the back office are marked",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.admin);
    await page.emulateMedia({ forcedColors: "active" });
    const row = page.getByRole("button", { name: new RegExp(DEMO.maya) });
    await row.click();
    const box = page.getByLabel("Update account balance");
    await expect(box).toBeChecked();
    const ground = await box.evaluate((input) => getComputedStyle(input).backgroundColor);
    await expect(page.locator("input:checked + svg")).not.toHaveCSS("stroke", ground);
    const section = page.getByRole("navigation", { name: "Back office" }).getByRole("link", {
      name: "Users",
    });
    await expect(section).toHaveCSS("outline-style", "solid");
    const mark = await row.evaluate(
      (button) => getComputedStyle(button, "::before").backgroundColor,
    );
    expect(mark).not.toBe(ground);
  },
);

test("the focused entry of the account menu has a ring", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("button", { name: "Account menu" }).press("ArrowDown");
  const entry = page.getByRole("menuitem").first();
  await expect(entry).toBeFocused();
  await expect(entry).toHaveCSS("outline-style", "solid");
});

test("an unread notification has its dot", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  const unread = panel.getByRole("listitem").filter({ hasText: "Unread:" }).first();
  const ground = await panel.evaluate((node) => getComputedStyle(node).backgroundColor);
  await expect(unread.locator("> [aria-hidden]")).not.toHaveCSS("background-color", ground);
});

test("the current step of a transfer is circled", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("tab", { name: "To US Bank" }).click();
  const steps = page.getByRole("list", { name: "Progress" });
  const current = steps.locator("[aria-current=step] > span");
  await expect(current).toHaveCSS("border-top-width", "2px");
});

test("an invalid field is marked", { tag: "@long" }, async ({ visit }) => {
  const page = await visit("/contact", { forcedColors: "active" });
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByLabel("Message")).toHaveCSS("border-top-width", "2px");
});

test("a refusal and a note have an outline", { tag: "@long" }, async ({ visit }) => {
  const page = await visit("/login", { forcedColors: "active" });
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("alert")).toHaveCSS("border-top-width", "1px");
  await signIn(page, DEMO.admin);
  await page.goto(new URL("/admin/reset-transfers", page.url()).href);
  const note = page.getByText("All users are reset except one protected account.");
  await expect(note.locator("..")).toHaveCSS("border-top-width", "1px");
});

test("the dot of a status is drawn", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await page.emulateMedia({ forcedColors: "active" });
  const words = page.getByRole("region", { name: "Checking Account" }).getByText("Active").first();
  const dot = words.locator("xpath=preceding-sibling::*");
  await expect(dot).toHaveCSS("border-top-width", "3px");
  const ground = await dot.evaluate((node) => getComputedStyle(node).backgroundColor);
  await expect(dot).not.toHaveCSS("border-top-color", ground);
});

test("a bank card has an outline", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("button", { name: "Cards", exact: true }).click();
  const face = page.getByText("Wrenmoor", { exact: true }).locator("xpath=../..").last();
  await expect(face).toHaveCSS("border-top-width", "1px");
});

/** WCAG 1.4.11 */
const GRAPHIC_CONTRAST_MIN = 3;

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `with more contrast a bar stands out from its track (${colorScheme})`,
    { tag: "@long" },
    async ({ signInAs }) => {
      const page = await signInAs(DEMO.maya);
      await page.emulateMedia({ contrast: "more", colorScheme });
      await page.getByRole("button", { name: "Cards", exact: true }).click();
      const usage = page.getByRole("meter", { name: "Credit usage" });
      await expect(usage).toBeVisible();
      const contrast = await usage.evaluate((meter) => {
        const fill = meter.querySelector("rect");
        if (fill === null) throw new Error("no bar");
        const luminance = (color: string) => {
          const [r = 0, g = 0, b = 0] = (color.match(/\d+/g) ?? []).map((part) => {
            const value = Number(part) / 255;
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [a = 0, b = 0] = [
          luminance(getComputedStyle(fill).fill),
          luminance(getComputedStyle(meter).backgroundColor),
        ].sort((left, right) => right - left);
        return (a + 0.05) / (b + 0.05);
      });
      expect(contrast).toBeGreaterThan(GRAPHIC_CONTRAST_MIN);
    },
  );
}
