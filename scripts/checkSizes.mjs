/**
 * `node scripts/checkSizes.mjs`: measures how much JavaScript each page loads before its first view,
 * compressed with gzip, from the import graph of dist/client. Prints a table; fails above the limits.
 *
 * Counted: scripts named in the page's HTML, the chunks its route always renders, and everything these import
 * statically. Not counted: dialogs, comboboxes, panels and exports that are loaded on demand.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { fail, parseOptions } from "./lib/args.mjs";
import { CLIENT_DIST } from "./lib/builds.mjs";

const USAGE = `usage: node scripts/checkSizes.mjs

Reads dist/client (npm run build) and prints the JavaScript loaded before the first view of each page.`;

/**
 * Pages with their limits. `chunks` are loaded by `import()` for the first view, by module name; a page's
 * HTML does not name the chunks that depend on the visitor. A page whose HTML is complete
 * (`data-start="on-use"`, scripts/prerender.ts) loads them when it is used: they are printed, but not
 * counted.
 */
const PAGES = [
  { path: "/", document: "index.html", chunks: ["start", "PublicFrame", "HomeRoute"], maxKib: 90 },
  {
    path: "/login",
    document: "login.html",
    chunks: ["start", "BackendFrame", "LoginRoute"],
    maxKib: 130,
  },
  {
    path: "/dashboard",
    document: "dashboard.html",
    // Reached only after signing in.
    chunks: [
      "start",
      "BackendFrame",
      "LoginRoute",
      "SignedInFrame",
      "DashboardRoute",
      "InternalTransfer",
    ],
    maxKib: 180,
  },
];
const KIB = 1024;
const LARGEST_SHOWN = 15;
const ASSETS = path.join(CLIENT_DIST, "assets");

/** The file of a chunk. A missing chunk would make the sum too small, so it is an error. */
function fileOf(files, name) {
  const found = files.filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  if (found.length !== 1) fail(`Expected one chunk of ${name} in ${ASSETS}, found ${found.length}`);
  return found[0];
}

/** Everything `file` imports statically, itself included. */
function addImports(file, loaded) {
  if (loaded.has(file)) return;
  const code = readFileSync(path.join(ASSETS, file), "utf8");
  loaded.set(file, gzipSync(code, { level: 9 }).length);
  // Minified: `import{a}from"./x.js"`, `import"./x.js"`; `import("./x.js")` does not match.
  for (const match of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
    addImports(match[1], loaded);
  }
}

/** Bytes of each script that the page loads before its first view, and of those it loads when used. */
function scriptsOf(page, files) {
  const html = readFileSync(path.join(CLIENT_DIST, page.document), "utf8");
  const loaded = new Map();
  for (const match of html.matchAll(/(?:src|href)="\/([\w./-]+\.js)"/g)) {
    const file = match[1];
    if (file.startsWith("assets/")) addImports(path.basename(file), loaded);
    else loaded.set(file, gzipSync(readFileSync(path.join(CLIENT_DIST, file))).length);
  }
  const used = new Map(loaded);
  for (const name of page.chunks) addImports(fileOf(files, name), used);
  return html.includes('data-start="on-use"') ? { loaded, used } : { loaded: used, used };
}

parseOptions(process.argv.slice(2), USAGE);
if (!existsSync(ASSETS)) fail("No build in dist/client: run npm run build first");
const files = readdirSync(ASSETS);
const kib = (bytes) => (bytes / KIB).toFixed(1);
const sumOf = (scripts) => [...scripts.values()].reduce((sum, size) => sum + size, 0);
let isOver = false;
console.log("page         scripts  KiB gzip  limit  KiB once used");
for (const page of PAGES) {
  const { loaded, used } = scriptsOf(page, files);
  const isPageOver = sumOf(loaded) > page.maxKib * KIB;
  const cells = [
    page.path.padEnd(12),
    String(loaded.size).padStart(7),
    kib(sumOf(loaded)).padStart(9),
    String(page.maxKib).padStart(6),
    kib(sumOf(used)).padStart(14),
  ];
  console.log(`${cells.join(" ")}${isPageOver ? "  OVER" : ""}`);
  if (!isPageOver) continue;
  isOver = true;
  const largest = [...loaded].sort(([, a], [, b]) => b - a).slice(0, LARGEST_SHOWN);
  for (const [file, size] of largest) console.log(`  ${kib(size).padStart(6)}  ${file}`);
}
process.exit(isOver ? 1 : 0);
