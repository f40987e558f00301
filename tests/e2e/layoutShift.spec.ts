/** On a slow network nothing visible moves while a page and its panels load; an outcome moves no button. */
import type { Locator, Page } from "@playwright/test";
import { holdCalls } from "./support/brokenCalls";
import { DEMO } from "./support/people";
import { expect, expectLoaded, passwordStep, test } from "./support/test";

/** A tenth of the layout shift that Web Vitals rates as good. */
const SHIFT_MAX = 0.01;

const WINDOWS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

/** A slow 3G network. */
const SLOW_NETWORK = {
  offline: false,
  latency: 300,
  downloadThroughput: 200_000,
  uploadThroughput: 90_000,
};

/** Without pages shorter than the window, where content below comes into view. */
const PLACES = {
  member: [
    "/dashboard",
    "/dashboard#quick-actions-billpay",
    "/dashboard#quick-actions-cards",
    "/transactions",
    "/settings/profile",
  ],
  administrator: [
    "/admin",
    "/admin/deposits",
    "/admin/approvals",
    "/admin/messages",
    "/admin/outbox",
    "/admin/policies",
    "/admin/health",
  ],
};

declare global {
  interface Window {
    layoutShift: number;
  }
}

const boxOf = async (control: Locator) => {
  const { x = NaN, width = NaN } = (await control.boundingBox()) ?? {};
  return { x: Math.round(x), width: Math.round(width) };
};

/** Where an administrator sees one person. */
async function placeOfUser(page: Page): Promise<string> {
  await page.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
  await expect(page).toHaveURL(/user=/);
  return `/admin${new URL(page.url()).search}`;
}

const CASES = WINDOWS.flatMap((viewport) => [
  { who: "member" as const, viewport },
  { who: "administrator" as const, viewport },
]);

for (const { who, viewport } of CASES) {
  test(
    `pages of ${who}s load without a layout shift at ${viewport.width} px`,
    { tag: "@long" },
    async ({ signInAs }) => {
      const page = await signInAs(who === "member" ? DEMO.maya : DEMO.admin, { viewport });
      const places = [...PLACES[who]];
      if (who === "administrator") places.push(await placeOfUser(page));
      await page.addInitScript(() => {
        window.layoutShift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            window.layoutShift += (entry as PerformanceEntry & { value: number }).value;
          }
        }).observe({ type: "layout-shift", buffered: true });
      });
      const devTools = await page.context().newCDPSession(page);
      await devTools.send("Network.emulateNetworkConditions", SLOW_NETWORK);
      const origin = new URL(page.url()).origin;
      for (const place of places) {
        // Through an empty page, because another hash on the same path would not reload.
        await page.goto("about:blank");
        await page.goto(origin + place);
        await expectLoaded(page);
        expect.soft(await page.evaluate(() => window.layoutShift), place).toBeLessThan(SHIFT_MAX);
      }
    },
  );
}

test(
  "the spinner stays where it is when the frame of the page appears",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    // First everything from the server is held back; once that is let go, what follows the question for the accounts.
    let isHeld = true;
    let letGo = (): void => undefined;
    await page.routeWebSocket(/\/sync$/, (socket) => {
      const server = socket.connectToServer();
      const held: (string | Buffer)[] = [];
      socket.onMessage((message) => {
        if (message.toString().includes("accounts:")) isHeld = true;
        server.send(message);
      });
      server.onMessage((message) => {
        if (isHeld) held.push(message);
        else socket.send(message);
      });
      letGo = () => {
        isHeld = false;
        for (const message of held.splice(0)) socket.send(message);
      };
    });
    await page.reload();
    const label = page.getByText("Loading your account");
    await expect(label).toBeVisible();
    const navigation = page.getByRole("navigation", { name: "Main" }).first();
    await expect(navigation).toBeHidden();
    const top = async () => (await label.boundingBox())?.y ?? NaN;
    const before = await top();
    letGo();
    await expect(navigation).toBeVisible();
    // The frame's spinner gives way to that of its page: for a moment there may be none.
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  },
);

test(
  "a tab or a link that becomes the current one moves none beside it",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    const tabs = page.getByRole("region", { name: "Transfer Money" }).getByRole("tab");
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    for (const row of [tabs, links]) {
      const places = () =>
        row.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
      const before = await places();
      expect(before).toHaveLength(4);
      await row.nth(2).click();
      await expect(row.nth(2)).toHaveCSS("font-weight", "600");
      expect(await places()).toEqual(before);
    }
  },
);

for (const viewport of WINDOWS) {
  test(
    `a refused code moves nothing above the refusal at ${viewport.width} px`,
    { tag: "@long" },
    async ({ visit }) => {
      const page = await visit("/login", { viewport });
      const top = async (heading: string) =>
        (await page.getByRole("heading", { level: 1, name: heading }).boundingBox())?.y;
      const atFirst = await top("Welcome Back");
      await passwordStep(page, DEMO.maya, "wrong");
      await expect(page.getByRole("alert")).toBeVisible();
      expect(await top("Welcome Back")).toBe(atFirst);
      await passwordStep(page, DEMO.maya);
      const code = page.getByLabel("Verification code");
      await code.fill("000000");
      const before = await top("Verify OTP");
      await code.press("Enter");
      await expect(page.getByRole("alert")).toBeVisible();
      expect(await top("Verify OTP")).toBe(before);
    },
  );
}

test(
  "a button at work is as wide as before and moves nothing beside it",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    const calls = await holdCalls(page);
    await page.getByRole("tab", { name: "To a Wrenmoor user" }).click();
    const email = page.getByLabel("Recipient Email");
    const verify = page.getByRole("button", { name: "Verify" });
    const field = await boxOf(email);
    calls.hold("transfers:findRecipient");
    await email.fill(DEMO.omar);
    await email.press("Tab");
    await expect(verify).toHaveAttribute("aria-busy", "true");
    expect(await boxOf(email)).toEqual(field);
    calls.release();
    await page.getByRole("link", { name: "Cards" }).click();
    const card = page.getByRole("region", { name: "Debit card" });
    const lock = card.getByRole("button", { name: "Lock Card" });
    const places = async () =>
      Promise.all([lock, card.getByRole("button", { name: "Report Lost" })].map(boxOf));
    const before = await places();
    calls.hold("cards:lock");
    await lock.click();
    await expect(lock).toHaveAttribute("aria-busy", "true");
    expect(await places()).toEqual(before);
  },
);

for (const viewport of WINDOWS) {
  test(
    `the outcome of an action moves no one-time code at ${viewport.width} px`,
    { tag: "@long" },
    async ({ signInAs }) => {
      const page = await signInAs(DEMO.admin, { viewport });
      const remove = page.getByRole("button", { name: "Remove 204816" });
      const clear = page.getByRole("button", { name: "Clear used codes" });
      await page.getByRole("button", { name: "Manage OTPs" }).click();
      await expect(remove).toBeVisible();
      await clear.hover();
      const before = await remove.boundingBox();
      await clear.click();
      await expect(page.getByText(/^Cleared\./)).toBeVisible();
      expect(await remove.boundingBox()).toEqual(before);
    },
  );
}
