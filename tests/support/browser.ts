/**
 * The browser of the tests: CHROMIUM_PATH, or what `npm test` finds or installs (scripts/lib/install.mjs), the one without
 * windows first; undefined where Playwright has its own. `--headed` needs CHROMIUM_PATH=/usr/bin/chromium.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./sources";

const LIST = path.join(ROOT, "scripts", "lib", "browsers.json");

export const BROWSER_PATH =
  process.env.CHROMIUM_PATH ??
  (JSON.parse(readFileSync(LIST, "utf8")) as string[]).find((file) => existsSync(file));
