/** A browser that keeps nothing for the page, as with blocked cookies: it refuses storage and locks. */
import { DEMO } from "./support/people";
import { expect, signIn, test } from "./support/test";

test(
  "where the browser refuses storage, a member signs in, stays signed in, and leaves",
  { tag: "@long" },
  async ({ letTimePass, visit }) => {
    const page = await visit("/robots.txt");
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("denied", "SecurityError");
      };
      for (const name of ["sessionStorage", "localStorage"]) {
        Object.defineProperty(window, name, { get: refuse });
      }
      LockManager.prototype.request = async () => refuse();
    });
    await page.clock.install();
    await page.goto(new URL("/login", page.url()).href);
    await signIn(page, DEMO.maya);
    const isRenewed = page.waitForResponse("**/api/action");
    await letTimePass(page, "09:59");
    expect((await isRenewed).ok()).toBe(true);
    await page.getByRole("link", { name: "Search all transactions" }).click();
    await expect(page.getByRole("heading", { name: "Transactions", exact: true })).toBeVisible();
    await page.getByRole("button", { name: /Account menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  },
);
