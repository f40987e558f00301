/**
 * The browser of the tests: CHROMIUM_PATH, or what `npm test` finds or installs (scripts/lib/install.mjs), the one without
 * windows first; undefined where Playwright has its own. `--headed` needs CHROMIUM_PATH=/usr/bin/chromium.
 */
import { existsSync } from "node:fs";

export const BROWSER_PATH =
  process.env.CHROMIUM_PATH ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((file) => existsSync(file));
