/**
 * The `test` of every end-to-end spec: a server with its own copy of the demo data per test, and
 * pages that fail the test on console errors, unhandled rejections and requests to other hosts.
 *
 * `server` starts lazily, `visit()` opens a page in a new browser context (own storage), and
 * `signInAs(email)` gives a page that has passed both steps.
 */
import {
  test as base,
  expect,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from "@playwright/test";
import { api } from "../../../convex/_generated/api";
import { newSession } from "../../support/wireClient";
import { DEMO_CODES, DEMO_PASSWORD } from "./people";
import { startServer, type RunningServer } from "./server";

export { expect };

/** Console errors that a page may print while the test cuts its connection. */
const OFFLINE_NOISE = /WebSocket|ERR_CONNECTION|Failed to load resource|ERR_INTERNET_DISCONNECTED/;
/** A page that finds a minute gone gives its connection up, and one that it is just opening, of which browsers warn. */
const GIVEN_UP_NOISE = /WebSocket is closed before the connection is established/;

/** Moves the installed clock of a page's browser on by `time` ("mm:ss"), in one jump as after a sleep. */
export type LetTimePass = (page: Page, time: string) => Promise<void>;

interface Fixtures {
  server: RunningServer;
  /** Opens `path` in a new browser context: another person, another device. */
  visit: (path?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** A page signed in with both steps. */
  signInAs: (email: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Call before cutting connections or stopping the server on purpose. */
  expectConnectionTrouble: () => void;
  letTimePass: LetTimePass;
  /** Call before a deliberate failure: console lines that match are expected. */
  expectConsole: (expected: RegExp) => void;
  troubles: { list: string[]; expected: RegExp[] };
}

/** Records errors of a page that must not happen. */
function watch(page: Page, origin: string, troubles: Fixtures["troubles"]): void {
  page.on("pageerror", (error) => troubles.list.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const text = `${message.text()} (${message.location().url})`;
    if (troubles.expected.some((expected) => expected.test(text))) return;
    troubles.list.push(`console ${message.type()}: ${text}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (/^(data|blob):/.test(url) || url.startsWith(origin)) return;
    troubles.list.push(`request to another host: ${url}`);
  });
}

/** Waits until a page has its heading and has loaded its content. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/** Does the first step only. */
export async function passwordStep(
  page: Page,
  email: string,
  password: string = DEMO_PASSWORD,
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Does the second step, after the first. */
export async function codeStep(page: Page, code: string = DEMO_CODES[0]): Promise<void> {
  await page.getByLabel("Verification code").fill(code);
  await page.getByRole("button", { name: "Verify OTP" }).click();
}

/** Signs in with both steps on `page`; ends on the person's home page, loaded. */
export async function signIn(page: Page, email: string): Promise<void> {
  await passwordStep(page, email);
  await codeStep(page);
  await expect(page).toHaveURL(/\/(dashboard|admin)/);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expectLoaded(page);
}

/** A document of the server that runs no code of ours: what its origin stores can be filled before the first page opens. */
const QUIET_DOCUMENT = "/robots.txt";

/**
 * Opens the home page of a person who has signed in without the pages of sign-in, which the tests of joining, attacks and
 * sentences go through: this tab holds what the auth library would have kept. The history begins with that page.
 */
async function openSignedIn(page: Page, email: string): Promise<void> {
  const { origin } = new URL(page.url());
  const { http, token, refreshToken } = await newSession(origin, email);
  const viewer = await http.query(api.viewer.get, {});
  if (viewer === null) throw new Error(`${email} is not signed in`);
  const namespace = origin.replace(/[^a-zA-Z0-9]/g, "");
  const stored = {
    [`__convexAuthJWT_${namespace}`]: token,
    [`__convexAuthRefreshToken_${namespace}`]: refreshToken,
  };
  await Promise.all([
    page.waitForURL(`**${viewer.home}`),
    page.evaluate(
      ([entries, home]) => {
        for (const [key, value] of entries) sessionStorage.setItem(key, value);
        location.replace(home);
      },
      [Object.entries(stored), viewer.home] as const,
    ),
  ]);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expectLoaded(page);
}

/** What the page's policy stopped is an error of the page, even if the code that tried has caught it. */
function reportPolicyViolations(): void {
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, sourceFile }) => {
    throw new Error(`${effectiveDirective} stopped ${sourceFile}`);
  });
}

async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  troubles: Fixtures["troubles"],
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  await context.addInitScript(reportPolicyViolations);
  const page = await context.newPage();
  watch(page, new URL(url).origin, troubles);
  await page.goto(url);
  return page;
}

export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's dependencies from here.
  troubles: async ({}, use) => {
    const troubles = { list: [] as string[], expected: [] as RegExp[] };
    await use(troubles);
    expect(troubles.list, "the browser's console and network stay quiet").toEqual([]);
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  server: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
  visit: async ({ browser, server, troubles }, use) => {
    const pages: Page[] = [];
    await use(async (path = "/", options = {}) => {
      const page = await openPage(browser, `${server.url}${path}`, options, troubles);
      pages.push(page);
      return page;
    });
    await Promise.all(pages.map((page) => page.context().close()));
  },
  signInAs: async ({ visit }, use) => {
    await use(async (email, options) => {
      const page = await visit(QUIET_DOCUMENT, options);
      await openSignedIn(page, email);
      return page;
    });
  },
  expectConnectionTrouble: async ({ troubles }, use) => {
    await use(() => void troubles.expected.push(OFFLINE_NOISE));
  },
  letTimePass: async ({ troubles }, use) => {
    await use(async (page, time) => {
      troubles.expected.push(GIVEN_UP_NOISE);
      await page.clock.fastForward(time);
    });
  },
  expectConsole: async ({ troubles }, use) => {
    await use((expected) => void troubles.expected.push(expected));
  },
});
