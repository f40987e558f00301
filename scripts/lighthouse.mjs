/**
 * `npm run lighthouse`: measures the public pages on simulated phones and desktops, prints a table of
 * medians, and fails below our targets. Never part of `npm test`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { countOf, fail, originOf, parseOptions } from "./lib/args.mjs";
import { ensureBrowser, ensurePackages, ROOT } from "./lib/install.mjs";
import { runCommand } from "./lib/operator.mjs";
import { STOP_SIGNALS } from "./lib/signals.mjs";

const USAGE = `usage: npm run lighthouse -- [options]

Starts the product on a free port with demonstration data (or measures --url) and prints the median
of several runs per page and device.

  --url ORIGIN    measure this server instead of starting one
  --paths LIST    pages, comma separated (/,/about,/products,/contact,/login,/signup)
  --runs N        runs per page and device (5)`;

const PATHS = ["/", "/about", "/products", "/contact", "/login", "/signup"];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const DEVICES = {
  mobile: { performanceMin: 95, isDesktop: false },
  desktop: { performanceMin: 99, isDesktop: true },
};
const OTHERS_MIN = 100;
const LAYOUT_SHIFT_MAX = 0.01;
/** Limit for the scripts that "/" may load before it is used, compressed with gzip. */
const HOME_SCRIPT_BYTES_MAX = 90 * 1024;
/** On a busy machine a trace is sometimes unreadable. */
const RUN_FAILURES_MAX = 2;
const START_TIMEOUT_MS = 180_000;
const POLL_MS = 100;

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts the product with a temporary data folder; `stop` ends it and removes the folder. */
async function startProduct() {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "lighthouse-data-"));
  const port = await freePort();
  // Before there is a process that a signal has to end.
  for (const signal of STOP_SIGNALS) {
    process.once(signal, (_, number) => void stop().then(() => process.exit(128 + number)));
  }
  const child = spawn(process.execPath, [path.join(ROOT, "scripts", "start.mjs")], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const isUp = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return { url, stop };
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  await stop();
  throw new Error("the product did not start");
}

const median = (values) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** Measures one page on one device: the medians of its scores and its layout shift. */
async function measure(lighthouse, config, url, browserPort, runs) {
  const results = [];
  const failures = [];
  const flags = { port: browserPort, output: "json", logLevel: "silent" };
  while (results.length < runs) {
    const { lhr } = await lighthouse(url, { ...flags, onlyCategories: CATEGORIES }, config);
    if (!lhr.runtimeError) results.push(lhr);
    else if (failures.push(lhr.runtimeError.message) > RUN_FAILURES_MAX) {
      throw new Error(`${url}: ${failures.join("; ")}`);
    }
  }
  const scores = CATEGORIES.map((category) =>
    Math.round(median(results.map((lhr) => lhr.categories[category].score * 100))),
  );
  const layoutShift = median(
    results.map((lhr) => lhr.audits["cumulative-layout-shift"].numericValue),
  );
  const failed = CATEGORIES.filter((category) => category !== "performance")
    .flatMap((category) => results[0].categories[category].auditRefs)
    .filter(({ id, weight }) => weight > 0 && results[0].audits[id].score === 0)
    .map(({ id }) => id);
  return { scores, layoutShift, failed };
}

/** Bytes of the scripts a page loads by itself, each compressed with gzip. */
async function scriptBytes(browser, url) {
  const page = await browser.newPage();
  const scripts = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const bodies = await Promise.all(scripts.map((response) => response.body()));
  await page.close();
  return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
}

async function measureAll(origin, paths, runs) {
  const { default: lighthouse, desktopConfig } = await import("lighthouse");
  const { chromium } = await import("playwright-core");
  const browserPort = await freePort();
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${browserPort}`],
    // It would end this process before our own handlers are done.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const problems = [];
  try {
    console.log("page            device   perf  a11y  best   seo    cls");
    for (const pagePath of paths) {
      for (const [device, { performanceMin, isDesktop }] of Object.entries(DEVICES)) {
        const deviceConfig = isDesktop ? desktopConfig : undefined;
        const found = await measure(lighthouse, deviceConfig, origin + pagePath, browserPort, runs);
        const columns = found.scores.map((score) => String(score).padStart(5)).join(" ");
        console.log(
          `${pagePath.padEnd(15)} ${device.padEnd(8)}${columns}  ${found.layoutShift.toFixed(3)}`,
        );
        const [performance, ...others] = found.scores;
        const isGood =
          performance >= performanceMin &&
          others.every((score) => score >= OTHERS_MIN) &&
          found.layoutShift <= LAYOUT_SHIFT_MAX;
        if (!isGood) problems.push([`${pagePath} (${device})`, ...found.failed].join(" "));
      }
    }
    const bytes = await scriptBytes(browser, `${origin}/`);
    console.log(`scripts of / before it is used: ${(bytes / 1024).toFixed(1)} KiB (gzip)`);
    if (bytes > HOME_SCRIPT_BYTES_MAX) problems.push("/ loads too many scripts");
  } finally {
    await browser.close();
  }
  return problems;
}

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["url", "paths", "runs"] });
await ensurePackages();
const runs = countOf(options.runs ?? "5", "--runs");
const paths = options.paths?.split(",") ?? PATHS;
const noPath = paths.find((text) => !text.startsWith("/"));
if (noPath !== undefined) fail(`--paths must begin with /, got ${noPath}`);
const given = options.url === undefined ? null : originOf(options.url, "--url");
await runCommand(async () => {
  const product = given === null ? await startProduct() : { url: given, stop: () => undefined };
  const problems = await measureAll(product.url, paths, runs).finally(() => product.stop());
  if (problems.length > 0) {
    throw new Error(`below the promised figures:\n  ${problems.join("\n  ")}`);
  }
});
