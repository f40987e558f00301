/**
 * Pages on a separate host, as in production on hosted Convex: all their requests are cross-origin, under
 * the Content-Security-Policy of deploy/Caddyfile.
 */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { build, preview } from "vite";
import { freePort } from "../support/freePort";
import { DEMO } from "./support/people";
import { startServer } from "./support/server";
import { expectLoaded, signIn } from "./support/test";
import { ROOT } from "../support/sources";

const OUT_DIR = path.join(ROOT, "test-results", "other-host");

/** The policy that deploy/Caddyfile sends, with its two backend hosts replaced by these. */
function policyFor(apiUrl: string, actionsUrl: string): string {
  const caddyfile = readFileSync(path.join(ROOT, "deploy", "Caddyfile"), "utf8");
  const policy = /Content-Security-Policy "([^"]+)"/.exec(caddyfile)?.[1] ?? "";
  return policy
    .replace("https://{$API_HOST}", apiUrl)
    .replace("wss://{$API_HOST}", apiUrl.replace("http:", "ws:"))
    .replace("https://{$ACTIONS_HOST}", actionsUrl);
}

/** `pagesUrl` serves only the client; the backend is elsewhere and has it as `SITE_URL`. */
const test = base.extend<{ pagesUrl: string }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's dependencies from here.
  pagesUrl: async ({}, use) => {
    const pagesPort = await freePort();
    const pagesUrl = `http://127.0.0.1:${pagesPort}`;
    const backend = await startServer({ env: { SITE_URL: pagesUrl } });
    const actionsUrl = backend.url.replace("127.0.0.1", "localhost");
    await build({
      root: ROOT,
      logLevel: "error",
      define: {
        "import.meta.env.VITE_CONVEX_URL": JSON.stringify(backend.url),
        "import.meta.env.VITE_CONVEX_SITE_URL": JSON.stringify(actionsUrl),
      },
      build: { outDir: OUT_DIR, emptyOutDir: true },
    });
    const pages = await preview({
      root: ROOT,
      build: { outDir: OUT_DIR },
      preview: {
        host: "127.0.0.1",
        port: pagesPort,
        strictPort: true,
        headers: { "Content-Security-Policy": policyFor(backend.url, actionsUrl) },
      },
    });
    await use(pagesUrl);
    await pages.close();
    await backend.stop();
    rmSync(OUT_DIR, { recursive: true, force: true });
  },
});

test(
  "a check is deposited and viewed from pages on another host",
  { tag: "@long" },
  async ({ browser, pagesUrl }) => {
    const complaints: string[] = [];
    const signedIn = async (email: string): Promise<Page> => {
      const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      await page.goto(`${pagesUrl}/login`);
      await signIn(page, email);
      return page;
    };
    const [member, admin] = [await signedIn(DEMO.omar), await signedIn(DEMO.admin)];
    const panel = member.getByRole("region", { name: "Quick Actions" });
    await panel.getByRole("button", { name: "Mobile Deposit" }).click();
    await panel.getByLabel("Amount").fill("64.20");
    for (const side of ["Front of check", "Back of check"]) {
      const buffer = await member.screenshot({ type: "jpeg", quality: 60 });
      const file = { name: `${side}.jpg`, mimeType: "image/jpeg", buffer };
      await panel.getByLabel(side, { exact: true }).setInputFiles(file);
    }
    await panel.getByRole("button", { name: "Deposit Check" }).click();
    await expect(panel.getByText(/^Check deposit submitted successfully!/)).toBeVisible();

    await admin.goto(`${pagesUrl}/admin/deposits`);
    await expectLoaded(admin);
    await admin.getByRole("button", { name: new RegExp(DEMO.omar) }).click();
    for (const name of ["Front of check", "Back of check"]) {
      const image = admin.getByRole("img", { name });
      await expect
        .poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(50);
    }
    expect(complaints).toEqual([]);
  },
);
