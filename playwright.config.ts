import { defineConfig } from "@playwright/test";

/** End-to-end tests: a real browser, a real server, a real database; see tests/README.md. */
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/e2e",
  globalSetup: "./tests/e2e/support/globalSetup.ts",
  fullyParallel: true,
  forbidOnly: true,
  // The slowest journeys run in `npm run test:long` (part browser): npm test stays under 20 minutes.
  grepInvert: process.env.E2E_LONG === "1" ? /^$/ : /@long/,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
