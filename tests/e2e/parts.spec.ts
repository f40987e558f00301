/** Lazily loaded parts of the page: without a connection, and after a new release. */
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const section = (page: Page) => page.getByRole("region", { name: "Transfer Money" });
const failure = (page: Page) => section(page).getByRole("alert");
const tryAgain = (page: Page) => section(page).getByRole("button", { name: "Try again" });

/** Returns a function that tells whether the page was reloaded since. */
function watchReload(page: Page): () => boolean {
  let isReloaded = false;
  page.on("load", () => (isReloaded = true));
  return () => isReloaded;
}

test(
  "form rules that could not be loaded are requested again when the form is sent",
  { tag: "@long" },
  async ({ signInAs, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await signInAs(DEMO.maya);
    const isReloaded = watchReload(page);
    await page.route("**/assets/internalTransfer-*", (route) => route.abort());
    const isMissed = page.waitForEvent("requestfailed");
    await section(page).getByLabel("Amount").fill("5");
    await isMissed;
    await section(page).getByLabel("Reference").fill("Patience");
    await section(page).getByRole("button", { name: "Transfer $5.00" }).click();
    await expect(failure(page)).toHaveText("Transfer failed. Please try again.");
    await page.unroute("**/assets/internalTransfer-*");
    await section(page).getByRole("button", { name: "Transfer $5.00" }).click();
    await expect(page.locator("main")).toContainText("Available Balance$4,245.75");
    expect(isReloaded()).toBe(false);
  },
);

test("a part that cannot be loaded while the server is down does not break the page, and is retried", async ({
  signInAs,
  server,
  expectConnectionTrouble,
  expectConsole,
}) => {
  expectConnectionTrouble();
  expectConsole(/PartUnavailableError/);
  const page = await signInAs(DEMO.maya);
  const isReloaded = watchReload(page);
  await expect(section(page).getByLabel("Amount")).toBeVisible();
  await server.kill();
  await section(page).getByRole("tab", { name: "To a Wrenmoor user" }).click();
  await expect(page.getByText("You're offline. Balances may be out of date.")).toBeVisible();
  await expect(failure(page)).toContainText("could not be shown");
  await expect(failure(page)).toContainText("The connection may have been interrupted.");
  await tryAgain(page).click();
  await expect(failure(page)).toContainText("could not be shown");
  await server.restart();
  await tryAgain(page).click();
  await expect(section(page).getByLabel("Recipient Email")).toBeVisible();
  await expect(section(page).getByRole("heading", { name: "Transfer Money" })).toBeFocused();
  expect(isReloaded()).toBe(false);
});

test(
  "a page that cannot be loaded says so in the column of a page, and is retried",
  { tag: "@long" },
  async ({ signInAs, expectConnectionTrouble, expectConsole }) => {
    expectConnectionTrouble();
    expectConsole(/PartUnavailableError/);
    const page = await signInAs(DEMO.maya, { viewport: { width: 390, height: 844 } });
    const main = page.getByRole("main");
    await page.route("**/assets/TransactionsRoute-*", (route) => route.abort());
    await page.getByRole("link", { name: "Search all transactions" }).click();
    const alert = main.getByRole("alert");
    await expect(alert).toContainText("This page could not be shown.");
    await expect(alert.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle("This page could not be shown · Wrenmoor Credit Union");
    const [inner, outer] = await Promise.all([alert.boundingBox(), main.boundingBox()]);
    expect((inner?.x ?? 0) - (outer?.x ?? 0)).toBe(16);
    expect((inner?.y ?? 0) - (outer?.y ?? 0)).toBeGreaterThan(16);
    await page.unroute("**/assets/TransactionsRoute-*");
    await main.getByRole("button", { name: "Try again" }).click();
    await expect(main.getByRole("heading", { name: "Transactions", exact: true })).toBeVisible();
  },
);

test(
  "a part that no longer exists reloads the page with the new release, once the server is reachable",
  { tag: "@long" },
  async ({ signInAs, expectConsole }) => {
    expectConsole(/PartUnavailableError|Failed to load resource/);
    const page = await signInAs(DEMO.maya);
    await expect(section(page).getByLabel("Amount")).toBeVisible();
    await page.route("**/assets/*Transfer-*", (route) => route.fulfill({ status: 404 }));
    // A proxy whose server is down.
    await page.route("**/dashboard", (route) => route.fulfill({ status: 502 }));
    const isAsked = page.waitForResponse((response) => response.status() === 502);
    await section(page).getByRole("tab", { name: "To a Wrenmoor user" }).click();
    await isAsked;
    await expect(failure(page)).toContainText("could not be shown");
    await page.unroute("**/dashboard");
    const isLoaded = page.waitForEvent("load");
    await tryAgain(page).click();
    await isLoaded;
  },
);

test(
  "the time-out warning appears without a connection, even if no dialog was opened before",
  { tag: "@long" },
  async ({ letTimePass, signInAs, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await signInAs(DEMO.admin);
    await page.clock.install();
    const isHere = page.waitForResponse(/\/assets\/DialogPanel-/);
    await page.reload();
    await (await isHere).finished();
    await page.context().setOffline(true);
    await letTimePass(page, "13:40");
    const warning = page.getByRole("alertdialog", { name: "Are you still there?" });
    await warning.getByRole("button", { name: "Stay signed in" }).click();
    await expect(warning).toBeHidden();
    await expect(page.getByRole("button", { name: "Create New User" })).toBeVisible();
  },
);

test(
  "a dialog whose library cannot be loaded opens as a native dialog, and no input is lost",
  { tag: "@long" },
  async ({ signInAs, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await signInAs(DEMO.nora, { viewport: { width: 390, height: 844 } });
    await page.route("**/assets/DialogPanel-*", (route) => route.abort());
    await page.reload();
    const transfer = section(page).getByRole("button", { name: "Transfer $5.00" });
    const refused = async () => {
      await section(page).getByLabel("Amount").fill("5");
      await section(page).getByLabel("Reference").fill("Rent");
      await transfer.focus();
      await page.keyboard.down("Enter");
      const dialog = page.getByRole("alertdialog", { name: "Transaction Blocked" });
      await expect(dialog.getByRole("link")).toHaveText("support@wrenmoor.example");
      return dialog;
    };
    let dialog = await refused();
    const native = page.locator("dialog:modal");
    await expect(native).toBeVisible();
    // On a phone it leaves a margin, as the other does.
    expect(await native.boundingBox()).toMatchObject({ x: 16, width: 358 });
    await expect(dialog).toHaveAccessibleDescription(/^For security reasons/);
    await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
    // Still down: a repeat, which presses nothing.
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(transfer).toBeFocused();
    await expect(section(page).getByLabel("Reference")).toHaveValue("Rent");

    await page.unroute("**/assets/DialogPanel-*");
    dialog = await refused();
    await expect(page.locator("dialog")).toHaveCount(0);
    await page.keyboard.up("Enter");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  },
);

for (const { what, missing, elements } of [
  { what: "application", missing: "**/assets/*.js", elements: 0 },
  { what: "frame", missing: "**/assets/BackendFrame-*.js", elements: 1 },
]) {
  test(`a page whose ${what} is still being fetched shows that it is loading`, async ({
    visit,
  }) => {
    const page = await visit("/privacy");
    await page.route(missing, () => undefined);
    await page.goto(new URL("/dashboard", page.url()).href, { waitUntil: "commit" });
    const root = page.locator("#root");
    await expect(root.locator("*")).toHaveCount(elements);
    await expect(root).toHaveText("");
    const ring = () =>
      root.evaluate((element) => {
        const { content, animationName } = getComputedStyle(element, "::before");
        return { content, animationName };
      });
    await expect.poll(ring).toEqual({ content: '""', animationName: "spin, fade" });
  });
}

test("a page whose own file does not arrive says so after a while, and can be loaded again", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const note = page.getByText("This page is still loading.");
  await page.route("**/assets/TransactionsRoute-*", () => undefined, { times: 1 });
  await page.goto(new URL("/transactions", page.url()).href, { waitUntil: "commit" });
  await expect(page.getByRole("status").getByText("Loading your account")).toBeVisible();
  await expect(note).toBeHidden();
  const delaysMs = await note.evaluate((element) =>
    element.getAnimations().map((animation) => {
      const delayMs = animation.effect?.getTiming().delay;
      animation.finish();
      return delayMs;
    }),
  );
  expect(delaysMs).toEqual([30_000]);
  await expect(note).toBeInViewport();
  await page.getByRole("link", { name: "load it again" }).click();
  await expect(page.getByRole("heading", { name: "Transactions", exact: true })).toBeVisible();
  await expect(note).toBeHidden();
});

test(
  "a page whose scripts do not arrive says so, and can be loaded again",
  { tag: "@long" },
  async ({ visit, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await visit("/about");
    const note = page.getByText("This page is still loading.");
    for (const [path, button] of [
      ["/dashboard", "Sign In"],
      ["/login", "Sign In"],
      ["/contact", "Send Message"],
    ] as const) {
      await page.route("**/assets/start-*", (route) => route.fulfill({ status: 503 }));
      await page.goto(new URL(path, page.url()).href);
      await expect(note).toBeVisible();
      await expect(note).toBeInViewport();
      await page.unroute("**/assets/start-*");
      await page.getByRole("link", { name: "load it again" }).click();
      await expect(page.getByRole("button", { name: button })).toBeEnabled();
      await expect(note).toBeHidden();
    }
  },
);
