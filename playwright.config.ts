import { defineConfig } from "@playwright/test";
import { BROWSER_PATH } from "./tests/support/browser";

/**
 * The browser uses only the last list it is given. This one is Playwright's own (chromiumSwitches, the Linux part), plus
 * parts of the browser's own interface, which nobody sees but which would slow down every page.
 */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "PreloadTopChromeWebUI",
];

/** End-to-end tests: a real browser, a real server, a real database; see tests/README.md. */
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/e2e",
  globalSetup: "./tests/e2e/support/globalSetup.ts",
  fullyParallel: true,
  forbidOnly: true,
  // The slowest tests, and those of layout and rare failures, run in `npm run test:long` (part browser), to keep npm
  // test under 20 minutes.
  grepInvert: process.env.E2E_LONG === "1" ? /^$/ : /@long/,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    // Tracing would take a fifth of the time; `npm run test:e2e -- --trace on` records traces.
    screenshot: "only-on-failure",
    launchOptions: {
      ...(BROWSER_PATH !== undefined && { executablePath: BROWSER_PATH }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        `--disable-features=${DISABLED_FEATURES.join(",")}`,
      ],
    },
  },
});
