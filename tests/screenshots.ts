/** `npm run screenshots`: pictures of every screen, to be looked at, not compared. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "./e2e/support/people";
import { startServer } from "./e2e/support/server";
import { BROWSER_PATH } from "./support/browser";

const OUT_DIR = path.resolve("screenshots");
const SIZES = [
  { name: "phone", width: 390, height: 844 },
  { name: "desktop", width: 1440, height: 900 },
] as const;
const SCHEMES = ["light", "dark"] as const;

interface Screen {
  readonly name: string;
  readonly who?: string;
  readonly path: string;
  /** Brings the page into the state of the picture. */
  readonly arrange?: (page: Page) => Promise<void>;
}

const click = (role: "button" | "tab" | "link", name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click();

const PUBLIC = ["/", "/about", "/products", "/contact", "/calculators", "/privacy", "/terms"];
const PUBLIC_MORE = ["/accessibility", "/security", "/login", "/signup", "/registration-success"];
const ADMIN = [
  "deposits",
  "approvals",
  "messages",
  "outbox",
  "audit",
  "policies",
  "health",
  "reset-transfers",
];

const SCREENS: readonly Screen[] = [
  ...[...PUBLIC, ...PUBLIC_MORE, "/locations"].map((route) => ({
    name: `public${route === "/" ? "-home" : route.replaceAll("/", "-")}`,
    path: route,
  })),
  {
    name: "login-otp",
    path: "/login",
    arrange: async (page) => {
      await passwordStep(page, DEMO.maya);
      await page.getByRole("heading", { name: "Verify OTP" }).waitFor();
      await page.getByLabel("Verification code").fill("482");
    },
  },
  {
    name: "signup-errors",
    path: "/signup",
    arrange: click("button", "Submit Application"),
  },
  {
    name: "pending",
    path: "/login",
    arrange: async (page) => {
      await passwordStep(page, DEMO.lena);
      await page.getByRole("heading", { name: "Account Pending Approval" }).waitFor();
    },
  },
  {
    name: "rejected",
    path: "/login",
    arrange: async (page) => {
      await passwordStep(page, DEMO.rui);
      await page.waitForURL(/pending-approval/);
    },
  },
  { name: "dashboard", who: DEMO.maya, path: "/dashboard" },
  { name: "transfer-user", who: DEMO.maya, path: "/dashboard", arrange: click("tab", /^To a /) },
  {
    name: "transfer-external",
    who: DEMO.maya,
    path: "/dashboard",
    arrange: click("tab", "To US Bank"),
  },
  {
    name: "transfer-international",
    who: DEMO.maya,
    path: "/dashboard",
    arrange: click("tab", "International"),
  },
  {
    name: "transfer-blocked",
    who: DEMO.nora,
    path: "/dashboard",
    arrange: async (page) => {
      const panel = page.getByRole("region", { name: "Transfer Money" });
      await panel.getByLabel("From Account").selectOption({ index: 1 });
      await panel.getByLabel("To Account").selectOption({ index: 2 });
      await panel.getByLabel("Amount").fill("1.00");
      await panel.getByLabel("Reference").fill("Rent");
      await panel.getByRole("button", { name: /^Transfer \$/ }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  ...["Bill Pay", "Mobile Deposit", "Cards", "Statements", "Zelle", "Rewards"].map((tile) => ({
    name: `panel-${tile.toLowerCase().replace(" ", "-")}`,
    who: DEMO.maya,
    path: "/dashboard",
    arrange: async (page: Page) => {
      const actions = page.getByRole("region", { name: "Quick Actions" });
      await actions.getByRole("button", { name: tile }).click();
      await page.getByRole("heading", { name: tile, exact: true }).waitFor();
    },
  })),
  {
    name: "notifications",
    who: DEMO.maya,
    path: "/dashboard",
    arrange: click("button", /Notifications/),
  },
  {
    name: "account-menu",
    who: DEMO.maya,
    path: "/dashboard",
    arrange: click("button", /Account menu/),
  },
  { name: "transactions", who: DEMO.maya, path: "/transactions" },
  { name: "settings-profile", who: DEMO.maya, path: "/settings/profile" },
  { name: "settings-account", who: DEMO.maya, path: "/settings/account" },
  { name: "admin", who: DEMO.admin, path: "/admin" },
  {
    name: "admin-user",
    who: DEMO.admin,
    path: "/admin",
    arrange: click("button", /maya@demo\.example/),
  },
  {
    name: "admin-edit",
    who: DEMO.admin,
    path: "/admin",
    arrange: async (page) => {
      await page.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
      await page.getByRole("button", { name: "Edit Checking" }).click();
      await page.getByLabel("Row 1 Amount").fill("-12");
      await page.getByLabel("Row 1 Description").fill("Paper statement fee");
      await page.getByRole("button", { name: "Add row" }).click();
    },
  },
  {
    name: "admin-verify",
    who: DEMO.admin,
    path: "/admin",
    arrange: async (page) => {
      await click("button", /lena@demo\.example/)(page);
      await click("button", "Verify User")(page);
      await page.getByRole("dialog", { name: "User Verification" }).waitFor();
    },
  },
  {
    name: "admin-create",
    who: DEMO.admin,
    path: "/admin",
    arrange: async (page) => {
      await click("button", "Create New User")(page);
      await page.getByRole("dialog", { name: "Create New User" }).waitFor();
    },
  },
  { name: "admin-otps", who: DEMO.admin, path: "/admin", arrange: click("button", "Manage OTPs") },
  ...ADMIN.map((page) => ({ name: `admin-${page}`, who: DEMO.admin, path: `/admin/${page}` })),
];

async function passwordStep(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Signs in once; every screen of that person is visited in the same tab, where the session is. */
async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await passwordStep(page, email);
  await page.getByLabel("Verification code").fill(DEMO_CODES[0]);
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.waitForURL(/\/(dashboard|admin)/);
}

/** Nothing loads any more: no skeleton, and no form of the build that the application replaces. */
const UNSETTLED = '[aria-busy=true], .animate-skeleton, [data-start="replace"]';

async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction((selector) => document.querySelector(selector) === null, UNSETTLED);
}

/** The whole page in one window of its own height, so that fixed bars stand at its edges. */
async function takeWholePage(page: Page, file: string): Promise<void> {
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (size !== null) await page.setViewportSize({ width: size.width, height });
  await page.screenshot({ path: file, animations: "disabled" });
  if (size !== null) await page.setViewportSize(size);
}

async function takeAll(browser: Browser, url: string, filter: string): Promise<number> {
  let count = 0;
  const wanted = SCREENS.filter((screen) => screen.name.includes(filter));
  const people = [...new Set(wanted.map((screen) => screen.who))];
  for (const size of SIZES) {
    for (const scheme of SCHEMES) {
      for (const who of people) {
        const context = await browser.newContext({
          viewport: { width: size.width, height: size.height },
          colorScheme: scheme,
          reducedMotion: "reduce",
        });
        const page = await context.newPage();
        if (who !== undefined) await signIn(page, url, who);
        for (const screen of wanted.filter((candidate) => candidate.who === who)) {
          const file = path.join(OUT_DIR, `${screen.name}-${size.name}-${scheme}.png`);
          try {
            if (who === undefined)
              await page.evaluate(() => sessionStorage.clear()).catch(() => {});
            // By way of an empty page: another hash on the same path would load nothing anew.
            await page.goto("about:blank");
            await page.goto(`${url}${screen.path}`);
            await page.getByRole("heading", { level: 1 }).first().waitFor();
            await settle(page);
            await screen.arrange?.(page);
            await settle(page);
            // A dialog belongs to the window, not to the page behind it.
            const isDialogOpen = await page
              .locator("[role=dialog], [role=alertdialog]")
              .first()
              .isVisible();
            if (isDialogOpen) await page.screenshot({ path: file, animations: "disabled" });
            else await takeWholePage(page, file);
            count += 1;
          } catch (error) {
            console.error(`${screen.name} ${size.name} ${scheme}: ${String(error).split("\n")[0]}`);
            await page.screenshot({ path: file.replace(".png", "-FAILED.png") });
          }
        }
        await context.close();
      }
    }
  }
  return count;
}

const [namePart = ""] = process.argv.slice(2);
if (namePart === "--help" || namePart === "-h") {
  console.log(`usage: npm run screenshots [-- PART]

Takes every screen at 390 and 1440 px, light and dark, into screenshots/; with PART, those whose name
contains it: ${[...new Set(SCREENS.map(({ name }) => name.split("-")[0]))].join(", ")}, ...`);
  process.exit(0);
}
if (!SCREENS.some(({ name }) => name.includes(namePart))) {
  console.error(`There is no screen with ${namePart} in its name`);
  process.exit(1);
}
mkdirSync(OUT_DIR, { recursive: true });
const server = await startServer({ isEmpty: true });
const browser = await chromium.launch({
  ...(BROWSER_PATH !== undefined && { executablePath: BROWSER_PATH }),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const count = await takeAll(browser, server.url, namePart);
  console.log(`${count} pictures in screenshots/`);
} finally {
  await browser.close();
  await server.stop();
}
