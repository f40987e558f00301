/** The public pages as visitors use them: navigation, home, about, products, contact, calculator. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const PHONE = { viewport: { width: 390, height: 844 } };
/** Scripts of `/` before anybody uses it, compressed with gzip. */
const HOME_SCRIPT_BYTES_MAX = 90 * 1024;

const scrollTo = (page: Page, y: number) => page.evaluate((top) => window.scrollTo(0, top), y);
const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });

test("home links to all pages, restyles its bar after 10 px and shows 'back to top' after 300 px", async ({
  visit,
}) => {
  const page = await visit("/");
  await expect(page).toHaveTitle(/Wrenmoor Credit Union/);
  const links: [string, string][] = [
    ["Home", "/"],
    ["About", "/about"],
    ["Products", "/products"],
    ["Contact", "/contact"],
    ["Sign In", "/login"],
    ["Open Account", "/signup"],
  ];
  for (const [name, href] of links) {
    const link = navigation(page).getByRole("link", { name, exact: true });
    await expect(link).toHaveAttribute("href", href);
  }
  await expect(page.getByRole("link", { name: "Get Started", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Learn More", exact: true })).toBeVisible();
  for (const market of ["S&P 500", "US 100", "EUR/USD", "Bitcoin"]) {
    await expect(page.getByText(market, { exact: true })).toBeVisible();
  }

  const wayUp = page.getByRole("button", { name: "Scroll to top" });
  await expect(wayUp).toHaveCount(0);
  await scrollTo(page, 11);
  await expect(navigation(page)).toHaveAttribute("data-scrolled", "true");
  await expect(wayUp).toHaveCount(0);
  await scrollTo(page, 10);
  await expect(navigation(page)).toHaveAttribute("data-scrolled", "false");
  await scrollTo(page, 301);
  await wayUp.click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(wayUp).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  await page.getByRole("link", { name: /^Schedule Meeting/ }).click();
  await expect(page).toHaveURL(/\/contact$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("home loads at most 90 KB of scripts before it is used and works as plain HTML", async ({
  server,
  browser,
}) => {
  const fresh = await browser.newContext();
  const page = await fresh.newPage();
  const scripts: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.body());
  });
  await page.goto(server.url, { waitUntil: "networkidle" });
  const bodies = await Promise.all(scripts);
  await fresh.close();
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(bodies.length).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(HOME_SCRIPT_BYTES_MAX);

  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${server.url}/`);
  await plain.getByRole("button", { name: "Open menu" }).click();
  await navigation(plain).getByRole("link", { name: "Products" }).click();
  await expect(plain.getByText("500 free transactions")).toBeVisible();
  await navigation(plain).getByRole("link", { name: "Wrenmoor Credit Union" }).click();
  await expect(plain.getByText("3.50% APY")).toBeVisible();
  await plain.goto(`${server.url}/about`);
  await expect(plain.getByRole("list").filter({ hasText: "1973" })).toContainText("2023");
  await expect(plain.getByText("100,000")).toBeVisible();
  await plain.goto(`${server.url}/contact`);
  await expect(plain.getByText(/Without it, please write to/)).toBeVisible();
  await expect(plain.getByRole("button", { name: "Send Message" })).toBeDisabled();
  await plain.goto(`${server.url}/mortgages`);
  await expect(plain).toHaveURL(/\/products#mortgages$/);
  await context.close();
});

test("the phone menu works by keyboard and closes after a choice", async ({ visit }) => {
  const page = await visit("/about", PHONE);
  const open = page.getByRole("button", { name: "Open menu" });
  const contact = navigation(page).getByRole("link", { name: "Contact" });
  await expect(contact).toBeHidden();
  await open.focus();
  await page.keyboard.press("Enter");
  await expect(contact).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(contact).toBeHidden();
  await expect(open).toBeFocused();
  // A reaction to scrolling shows that the application has started (hydration).
  await scrollTo(page, 11);
  await expect(navigation(page)).toHaveAttribute("data-scrolled", "true");
  await page.keyboard.press("Enter");
  await navigation(page).getByRole("link", { name: "Open Account" }).focus();
  await page.keyboard.press("Tab");
  await expect(contact).toBeHidden();
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  await open.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Tab");
  await expect(contact).toBeHidden();
  await open.click();
  await contact.click();
  await expect(page).toHaveURL(/\/contact$/);
  await expect(contact).toBeHidden();
  await expect(page).toHaveTitle(/^Contact · /);
});

test("about animates its figures and lists fifty years in order", async ({ visit }) => {
  const page = await visit("/about", { reducedMotion: "no-preference" });
  // While it counts, a second text runs beside the final one, hidden from assistive technology.
  const counting = page.getByRole("region", { name: "In figures" }).locator("[aria-hidden]");
  await expect(counting).toHaveCount(0);
  for (const figure of ["100,000", "$2,500M", "98%", "25", "$5M"]) {
    await expect(page.getByText(figure, { exact: true })).toBeVisible();
  }
  const history = page.getByRole("list").filter({ hasText: "1973" });
  await expect(history).toContainText("2023");
});

test("products switch between personal and business, and links lead to the right section", async ({
  visit,
}) => {
  const page = await visit("/products");
  await expect(page.getByText("3.50% APY", { exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Business" }).click();
  await expect(page.getByRole("tab", { name: "Business" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  for (const figure of ["4.99% APR", "2.50% APY", "500 free transactions"]) {
    await expect(page.getByText(figure, { exact: true })).toBeVisible();
  }
  await expect(page.getByText("3.50% APY", { exact: true })).toBeHidden();
  await page.getByRole("contentinfo").getByRole("link", { name: "Mortgages" }).click();
  await expect(page).toHaveURL(/\/products#mortgages$/);
  await expect(page.getByRole("heading", { name: "Mortgages" })).toBeInViewport();
  await page.getByRole("link", { name: "Learn More", exact: true }).first().click();
  await expect(page).toHaveURL(/\/contact$/);
});

test("a contact message is sent and gets a reference number", async ({ visit, signInAs }) => {
  const page = await visit("/contact", PHONE);
  await page.getByRole("button", { name: "Send Message" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("Please fill in all required fields");
  await expect(alert).toBeInViewport();
  await expect(alert.getByRole("link")).toHaveAttribute("href", "#contact-name");
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("textbox", { name: "Name" }).fill("Ada Miles");
  await page.getByRole("textbox", { name: "Email" }).fill("ada@mail.example");
  await page.getByLabel("Subject").selectOption("loan");
  await page.getByRole("textbox", { name: "Message" }).fill("What does a boat loan cost?");
  await page
    .getByRole("group", { name: "Preferred contact method" })
    .getByRole("radio", { name: "Phone" })
    .check();
  await page.getByRole("button", { name: "Send Message" }).click();
  const sent = page.getByRole("status").filter({ hasText: "reference number" });
  const reference = await sent.getByRole("strong").textContent();
  expect(reference).toMatch(/^[A-Z0-9-]{6,}$/);

  const admin = await signInAs(DEMO.admin);
  await admin.goto(new URL("/admin/messages", page.url()).href);
  await expect(admin.getByText("What does a boat loan cost?")).toBeVisible();
});

test("the loan calculator follows its input and prints its table", async ({ visit }) => {
  const page = await visit("/calculators");
  await page.getByLabel("Loan amount").fill("200000");
  await page.getByLabel("Annual rate (%)").fill("6");
  await page.getByLabel("Term (years)").fill("30");
  const result = page.getByRole("region", { name: "Your payment" });
  await expect(result).toContainText("$1,199.10");
  await expect(page.getByRole("img", { name: /Payments over 30 years/ })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByLabel("Loan amount")).toBeHidden();
  await expect(page.getByText("$200,000.00 at 6% a year over 30 years")).toBeVisible();
  await expect(page.getByRole("table", { name: "Amortization by year" })).toBeVisible();
  await expect(page.getByLabel("Show payments")).toBeHidden();
  // Also where browsers print backgrounds, and below the end of the page.
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(navigation(page)).toBeHidden();
});
