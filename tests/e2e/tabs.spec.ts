/** Tabs that share a session because the browser copied one into the other. */
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const refreshToken = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.includes("RefreshToken"));
    return key === undefined ? null : sessionStorage.getItem(key);
  });

test("a session that one tab refreshes continues in its duplicate", async ({ signInAs }) => {
  const first = await signInAs(DEMO.maya);
  const opened = first.context().waitForEvent("page");
  await first.evaluate(() => void window.open("/dashboard"));
  const second = await opened;
  for (const [renewing, other] of [
    [second, first],
    [first, second],
  ] as const) {
    await expect(renewing.getByRole("navigation", { name: "Main" })).toBeVisible();
    const before = await refreshToken(other);
    await renewing.reload();
    await expect.poll(() => refreshToken(other)).not.toBe(before);
    await expect
      .poll(async () => (await refreshToken(other)) === (await refreshToken(renewing)))
      .toBe(true);
  }
});
