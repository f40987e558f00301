/**
 * Turns a functions folder (any `convex/`) into modules Node can import: esbuild with the sandbox's
 * names injected, by the entry point rules of the official bundler.
 *
 * Not here: importing and analysing the result (modules).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BuildOptions } from "esbuild";
import { NODE_SANDBOX_NAMES, SANDBOX_KEY, SANDBOX_NAMES } from "./sandbox.ts";

export type ModuleRuntime = "isolate" | "node";

export interface BundledModule {
  /** Path relative to the functions folder, without extension, with `/`: `admin/users`. */
  readonly path: string;
  /** File to import, relative to the bundle's folder. */
  readonly file: string;
  readonly runtime: ModuleRuntime;
}

export interface BundleManifest {
  readonly modules: readonly BundledModule[];
  /** `schema` and `auth.config`, when the folder has them. */
  readonly schemaFile: string | null;
  readonly authConfigFile: string | null;
  /** The makers of functions of the library's copy inside the bundle; older bundles lack it. */
  readonly sdkFile?: string;
  /** Absolute functions folder, to print frames as `../convex/file.ts`. */
  readonly functionsDir: string;
}

const MANIFEST_FILE = "manifest.json";
const EXTENSIONS = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"];
const USE_NODE = /^\s*(?:(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)\s*)*["']use node["']/;

function* walk(dir: string): Generator<string> {
  const entries = readdirSync(dir, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(dir, entry.name);
    if (entry.isFile()) yield full;
    // A folder with its own convex.config.ts is another component.
    else if (entry.isDirectory() && !existsSync(path.join(full, "convex.config.ts"))) {
      yield* walk(full);
    }
  }
}

function isEntryPoint(relative: string, source: () => string): boolean {
  const { base, ext } = path.parse(relative);
  if (!EXTENSIONS.includes(ext)) return false;
  if (relative.startsWith(`_generated${path.sep}`)) return false;
  if (base.startsWith(".") || base.startsWith("#")) return false;
  if (base === "schema.ts" || base === "schema.js") return false;
  if (base.split(".").length > 2 || relative.includes(" ")) return false;
  if (ext !== ".ts" && ext !== ".tsx") return true;
  return /^\s{0,100}(import|export)/m.test(source());
}

/**
 * The entry modules of a functions folder, by path without extension.
 *
 * @throws Error when the folder is missing, uses the reserved `_deps`, or is a component project.
 */
export function findEntryPoints(
  functionsDir: string,
): { path: string; file: string; runtime: ModuleRuntime }[] {
  if (!existsSync(functionsDir)) throw new Error(`Functions folder not found: ${functionsDir}`);
  if (existsSync(path.join(functionsDir, "convex.config.ts"))) {
    throw new Error("Components (convex.config.ts) are not supported by the embedded backend.");
  }
  const found: { path: string; file: string; runtime: ModuleRuntime }[] = [];
  for (const file of walk(functionsDir)) {
    const relative = path.relative(functionsDir, file);
    if (relative.startsWith(`_deps${path.sep}`)) {
      throw new Error(`${relative}: the directory "_deps" is reserved for dependencies.`);
    }
    const source = () => readFileSync(file, "utf8");
    if (!isEntryPoint(relative, source)) continue;
    const modulePath = relative.slice(0, -path.extname(relative).length);
    found.push({
      path: modulePath.split(path.sep).join("/"),
      file,
      runtime: USE_NODE.test(source()) ? "node" : "isolate",
    });
  }
  return found;
}

function firstExisting(functionsDir: string, names: readonly string[]): string | null {
  const name = names.find((candidate) => existsSync(path.join(functionsDir, candidate)));
  return name === undefined ? null : path.join(functionsDir, name);
}

async function writeShim(outDir: string, runtime: ModuleRuntime): Promise<string> {
  const names = runtime === "isolate" ? SANDBOX_NAMES : NODE_SANDBOX_NAMES;
  const lines = names.map((name) => `const $${name} = sandbox[${JSON.stringify(name)}];`);
  const exported = names.map((name) => `$${name} as ${name}`).join(", ");
  const file = path.join(outDir, `shim.${runtime}.js`);
  // esbuild does not inject into the injected file itself: this `globalThis` is the real one.
  const text = [
    `const sandbox = globalThis[Symbol.for(${JSON.stringify(SANDBOX_KEY)})].${runtime};`,
    ...lines,
    `export { ${exported} };`,
  ].join("\n");
  await writeFile(file, text);
  return file;
}

function sharedOptions(outDir: string): BuildOptions {
  return {
    outdir: outDir,
    bundle: true,
    format: "esm",
    target: "esnext",
    sourcemap: "linked",
    sourcesContent: false,
    splitting: true,
    keepNames: true,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: false,
  };
}

const SDK_ENTRY =
  "export { queryGeneric, mutationGeneric, internalQueryGeneric, internalMutationGeneric } " +
  'from "convex/server";';

/**
 * Bundles `functionsDir` into `outDir` (replaced as a whole) and writes its manifest.
 *
 * @throws Error with esbuild's own words when a module does not compile or imports what Convex lacks.
 */
export async function bundleFunctions(
  functionsDir: string,
  outDir: string,
): Promise<BundleManifest> {
  // Loaded only here: serving functions bundled ahead of time needs no bundler.
  const { build } = await import("esbuild");
  const root = path.resolve(functionsDir);
  const entries = findEntryPoints(root);
  const schema = firstExisting(root, ["schema.ts", "schema.js"]);
  const authConfig = firstExisting(root, ["auth.config.ts", "auth.config.js"]);
  const staging = `${outDir}.${process.pid}`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  // Bundled files are ES modules wherever they lie.
  await writeFile(path.join(staging, "package.json"), '{ "type": "module" }\n');
  const isolate: Record<string, string> = {};
  const node: Record<string, string> = {};
  for (const entry of entries) {
    (entry.runtime === "node" ? node : isolate)[`${entry.runtime}/${entry.path}`] = entry.file;
  }
  if (schema) isolate["config/schema"] = schema;
  if (authConfig) isolate["config/auth.config"] = authConfig;
  await build({
    ...sharedOptions(staging),
    entryPoints: isolate,
    stdin: { contents: SDK_ENTRY, resolveDir: root, sourcefile: "sdk.js" },
    platform: "browser",
    conditions: ["convex", "module"],
    inject: [await writeShim(staging, "isolate")],
    chunkNames: "isolate-chunks/[hash]",
  });
  if (Object.keys(node).length > 0) {
    await build({
      ...sharedOptions(staging),
      entryPoints: node,
      platform: "node",
      conditions: ["convex", "module", "node"],
      inject: [await writeShim(staging, "node")],
      chunkNames: "node-chunks/[hash]",
      banner: {
        js: 'import { createRequire as $createRequire } from "node:module"; const require = $createRequire(import.meta.url);',
      },
    });
  }
  const manifest: BundleManifest = {
    modules: entries.map((entry) => ({
      path: entry.path,
      file: `${entry.runtime}/${entry.path}.js`,
      runtime: entry.runtime,
    })),
    schemaFile: schema ? "config/schema.js" : null,
    authConfigFile: authConfig ? "config/auth.config.js" : null,
    sdkFile: "stdin.js",
    functionsDir: root,
  };
  await writeFile(path.join(staging, MANIFEST_FILE), JSON.stringify(manifest));
  await rm(outDir, { recursive: true, force: true });
  await rename(staging, outDir);
  return manifest;
}

/** Reads the manifest of a bundle made earlier. @throws Error when there is none. */
export function readManifest(bundleDir: string): BundleManifest {
  const file = path.join(bundleDir, MANIFEST_FILE);
  if (!existsSync(file)) throw new Error(`No bundled functions in ${bundleDir}`);
  return JSON.parse(readFileSync(file, "utf8")) as BundleManifest;
}
