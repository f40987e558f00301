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
import { DEMO_CODES, DEMO_PASSWORD } from "./people";
import { startServer, type RunningServer } from "./server";

export { expect };

/** Console errors that a page may print while the test cuts its connection. */
const OFFLINE_NOISE = /WebSocket|ERR_CONNECTION|Failed to load resource|ERR_INTERNET_DISCONNECTED/;

interface Fixtures {
  server: RunningServer;
  /** Opens `path` in a new browser context: another person, another device. */
  visit: (path?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** A page signed in with both steps. */
  signInAs: (email: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Call before cutting connections or stopping the server on purpose. */
  expectConnectionTrouble: () => void;
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

/**
 * A document of the server that runs no code of ours: the storage of its origin can be filled before the first page opens.
 */
const QUIET_DOCUMENT = "/robots.txt";

/**
 * Signs in without the pages of sign-in, which the tests of joining, attacks and sentences go through: the browser
 * itself calls the same functions, and this tab then holds what the auth library would have kept. The history has only
 * the person's home page. Takes a third of the processor time.
 */
async function signInQuietly(page: Page, email: string): Promise<void> {
  const home = await page.evaluate(
    async ({ password, code, ...person }) => {
      const call = async (kind: string, path: string, args: object, token?: string) => {
        const headers = {
          "Content-Type": "application/json",
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        };
        const body = JSON.stringify({ path, args, format: "json" });
        const response = await fetch(`/api/${kind}`, { method: "POST", headers, body });
        const answer = (await response.json()) as { status: string; value: unknown };
        if (answer.status !== "success") throw new Error(`${path}: ${JSON.stringify(answer)}`);
        return answer.value;
      };
      const params = { flow: "signIn", email: person.email, password };
      const { tokens } = (await call("action", "auth:signIn", {
        provider: "password",
        params,
      })) as {
        tokens: { token: string; refreshToken: string };
      };
      const verified = await call("mutation", "otp:verifyLogin", { code }, tokens.token);
      if (!(verified as { ok: boolean }).ok) throw new Error(JSON.stringify(verified));
      const viewer = await call("query", "viewer:get", {}, tokens.token);
      const namespace = location.origin.replace(/[^a-zA-Z0-9]/g, "");
      sessionStorage.setItem(`__convexAuthJWT_${namespace}`, tokens.token);
      sessionStorage.setItem(`__convexAuthRefreshToken_${namespace}`, tokens.refreshToken);
      return (viewer as { home: string }).home;
    },
    { email, password: DEMO_PASSWORD, code: DEMO_CODES[0] },
  );
  await Promise.all([
    page.waitForURL(`**${home}`),
    page.evaluate((path) => location.replace(path), home),
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
      await signInQuietly(page, email);
      return page;
    });
  },
  expectConnectionTrouble: async ({ troubles }, use) => {
    await use(() => void troubles.expected.push(OFFLINE_NOISE));
  },
  expectConsole: async ({ troubles }, use) => {
    await use((expected) => void troubles.expected.push(expected));
  },
});
