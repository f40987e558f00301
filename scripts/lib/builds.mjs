/**
 * Builds what serving needs, each part only when its sources have changed: the backend (dist/server), the
 * functions (dist/functions), the client (dist/client).
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { CLIENT_SETTINGS } from "./configuration.mjs";
import { withLock } from "./lock.mjs";
import { refuseUnwritable, ROOT, run } from "./install.mjs";

const DIST = path.join(ROOT, "dist");
const SERVER_ENTRY = path.join(DIST, "server", "main.js");
/** The applier thread's program; the server expects it next to its own file. */
const APPLIER_PROGRAM = path.join(DIST, "server", "applierThread.mjs");
export const FUNCTIONS_DIST = path.join(DIST, "functions");
export const CLIENT_DIST = path.join(DIST, "client");

/** Sources of each part, relative to the repository. */
const SOURCES = {
  server: ["embedded"],
  functions: [
    "convex",
    "embedded/runtime/bundle.ts",
    "embedded/runtime/sandbox.ts",
    "embedded/runtime/standIns.ts",
  ],
  client: [
    "src",
    "public",
    "convex/shared",
    "convex/_generated",
    "index.html",
    "vite.config.ts",
    "scripts/prerender.ts",
  ],
};
/** Environment variables that are built into the client: a different value requires a new build. */
const CLIENT_ENV = Object.keys(CLIENT_SETTINGS);
const COMPRESSED = /\.(?:js|css|html|svg|json|txt|xml|webmanifest)$/;
const COMPRESS_MIN_BYTES = 512;

/** The files of a source; those of a folder sorted by name. */
function filesOf(file) {
  if (!statSync(file).isDirectory()) return [file];
  return readdirSync(file)
    .sort()
    .flatMap((name) => filesOf(path.join(file, name)));
}

/** Hash of a part's sources, by content: file times change with a copy, an image's layers or a branch. */
function fingerprint(part) {
  const hash = createHash("sha256");
  for (const source of [...SOURCES[part], "package-lock.json"]) {
    for (const file of filesOf(path.join(ROOT, source))) {
      hash
        .update(`${path.relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  }
  const env = part === "client" ? CLIENT_ENV.map((name) => process.env[name] ?? "") : [];
  return hash.update(JSON.stringify(env)).digest("hex");
}

const markerOf = (part) => path.join(DIST, `.built-${part}`);

const LOCK = path.join(DIST, ".lock");

/** Runs `build` unless the part is up to date. When `check` throws, the existing build is kept. */
async function ensure(part, output, build, check = () => undefined) {
  const marker = markerOf(part);
  const isFresh = () =>
    existsSync(output) && existsSync(marker) && readFileSync(marker, "utf8") === fingerprint(part);
  if (isFresh()) return;
  const folder = existsSync(DIST) ? DIST : ROOT;
  refuseUnwritable(folder, `The ${part} was not built from these sources`, "npm run build");
  mkdirSync(DIST, { recursive: true });
  await withLock(LOCK, async () => {
    if (isFresh()) return;
    check();
    const wanted = fingerprint(part);
    // If the build is interrupted, the old marker would be wrong.
    rmSync(marker, { force: true });
    await build();
    writeFileSync(marker, wanted);
  });
}

/** Packages that stay external because they have native files: a database and a compiler. */
const NATIVE_PACKAGES = ["lmdb", "esbuild"];
/** CommonJS packages call `require` for Node's modules at run time. */
const REQUIRE_BANNER =
  'import { createRequire as $createRequire } from "node:module"; const require = $createRequire(import.meta.url);';

async function bundle(source, outfile) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [path.join(ROOT, source)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: NATIVE_PACKAGES,
    banner: { js: REQUIRE_BANNER },
    sourcemap: "linked",
    sourcesContent: false,
    // Whoever calls prints the error.
    logLevel: "silent",
  });
}

/**
 * Builds the backend as one file with all packages except the native ones: Node takes longer to find and open
 * their few hundred modules than to run them.
 */
function ensureServer() {
  return ensure("server", SERVER_ENTRY, async () => {
    await bundle(path.join("embedded", "db", "applierThread.ts"), APPLIER_PROGRAM);
    await bundle(path.join("embedded", "main.ts"), SERVER_ENTRY);
  });
}

/** The exports of the last build of the backend. */
export function importServer() {
  return import(pathToFileURL(SERVER_ENTRY).href);
}

/** The backend's exports, after building it if necessary. */
export async function loadServer() {
  await ensureServer();
  return importServer();
}

export async function ensureFunctions() {
  await ensureServer();
  return ensure("functions", path.join(FUNCTIONS_DIST, "manifest.json"), async () => {
    const { bundleFunctions } = await importServer();
    await bundleFunctions(path.join(ROOT, "convex"), FUNCTIONS_DIST);
  });
}

function compressFolder(dir) {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
    const body = readFileSync(file);
    if (body.length < COMPRESS_MIN_BYTES) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    writeFileSync(`${file}.br`, brotliCompressSync(body, quality));
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  }
}

const VITE = path.join(ROOT, "node_modules", "vite", "bin", "vite.js");

function checkVite() {
  if (existsSync(VITE)) return;
  throw new Error(
    `The pages were built from other sources, or with another ${CLIENT_ENV.join(", ")}, and what builds them is not ` +
      "installed here. Install it (npm ci --include=dev), build them with these values (a container: --build-arg), or " +
      "leave the variables as they were.",
  );
}

/** Builds the client: Vite's build, public pages prerendered to HTML, compressed. */
function ensureClient() {
  const build = async () => {
    // Otherwise another value in the environment would give React's slow and large development build.
    const env = { NODE_ENV: "production" };
    await run(process.execPath, [VITE, "build", "--logLevel", "warn"], env);
    const [runner, prerender] = ["run.mjs", "prerender.ts"].map((name) =>
      path.join(ROOT, "scripts", name),
    );
    await run(process.execPath, [runner, prerender, CLIENT_DIST], env);
    compressFolder(CLIENT_DIST);
  };
  return ensure("client", path.join(CLIENT_DIST, "index.html"), build, checkVite);
}

export async function ensureAll() {
  await ensureServer();
  await ensureFunctions();
  await ensureClient();
}
