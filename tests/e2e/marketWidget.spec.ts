/**
 * The third-party market overview in its frame. Its address is part of the client's build, so these tests
 * build a client with an address and serve it with the product's own headers. The third party is a small
 * server on another origin.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { rmSync } from "node:fs";
import path from "node:path";
import { expect, test as base, type Page } from "@playwright/test";
import { build } from "vite";
import { securityHeaders } from "../../embedded/server/securityHeaders";
import { StaticFiles } from "../../embedded/server/staticFiles";
import { freePort } from "../support/freePort";
import { ROOT } from "../support/sources";

const CLIENT_DIR = path.join(ROOT, "test-results", "widget-client");
/** Acts like a hostile third party: tries to navigate the page and to access it. */
const WIDGET_PAGE = `<!doctype html><title>Quotes</title><h1>Quotes of today</h1><p id="report"></p>
<script>
  let report = "";
  try { top.location.href = "/elsewhere"; } catch { report += "navigation refused "; }
  try { report += top.document.title; } catch { report += "page out of reach"; }
  document.getElementById("report").textContent = report;
</script>`;

interface Widget {
  /** Home page of a build with a third party's address. */
  readonly home: string;
  /** Starts the third party's server; until then its port is closed. */
  readonly open: () => Promise<void>;
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

const test = base.extend<{ widget: Widget }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's dependencies from here.
  widget: async ({}, use, testInfo) => {
    const thirdParty = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(WIDGET_PAGE);
    });
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const outDir = `${CLIENT_DIR}-${testInfo.workerIndex}`;
    await build({
      root: ROOT,
      logLevel: "error",
      define: { "import.meta.env.VITE_MARKET_WIDGET_URL": JSON.stringify(`${origin}/overview`) },
      build: { outDir, emptyOutDir: true },
    });
    const files = new StaticFiles(outDir);
    const headers = securityHeaders({ frames: [origin], isSecure: false });
    const product = createServer((request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (!files.serve(request, response, request.url ?? "/")) response.writeHead(404).end();
    });
    await use({
      home: `http://127.0.0.1:${await listen(product)}/`,
      open: async () => void (await listen(thirdParty, port)),
    });
    await close(product);
    if (thirdParty.listening) await close(thirdParty);
    rmSync(outDir, { recursive: true, force: true });
  },
});

/** Each builds a client first, which takes most of a minute on a busy machine. */
test.describe.configure({ timeout: 120_000 });

/** The content of Home besides the market overview. */
async function expectWholeHome(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Get Started" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Loan Calculator/ })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("NCUA");
}

test("a widget that loads is shown in a sandboxed frame and cannot access the page", async ({
  page,
  widget,
}) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await widget.open();
  await page.goto(widget.home);
  const frame = page.locator('iframe[title="Market overview"]');
  await frame.scrollIntoViewIfNeeded();
  await expect(frame).toHaveAttribute("sandbox", /allow-scripts/);
  await expect(frame).not.toHaveAttribute("sandbox", /allow-top-navigation/);
  const inside = page.frameLocator('iframe[title="Market overview"]');
  await expect(inside.getByRole("heading", { name: "Quotes of today" })).toBeVisible();
  await expect(inside.locator("#report")).toHaveText("navigation refused page out of reach");
  await expect(page).toHaveURL(widget.home);
  await expect(page.getByText("Sample data")).toBeHidden();
  await expectWholeHome(page);
  expect(errors).toEqual([]);
});

test("when the widget does not load, the page is complete with the sample panel", async ({
  page,
  widget,
}) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const refused = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/overview"),
  );
  await page.goto(widget.home);
  await refused;
  await expect(page.getByText("Sample data")).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
  await expectWholeHome(page);
  expect(errors).toEqual([]);
});
