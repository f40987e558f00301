/**
 * Bundles a functions folder (any `convex/`) into one file per runtime that Node can import: esbuild with the
 * sandbox's names injected, and the official bundler's rules for entry points. A single file, because Node
 * takes longer to find and open a few hundred modules than to run them.
 *
 * Not here: importing and analysing the result (modules).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BuildOptions } from "esbuild";
import { NODE_SANDBOX_NAMES, SANDBOX_KEY, SANDBOX_NAMES } from "./sandbox.ts";
import { standIns } from "./standIns.ts";

export type ModuleRuntime = "isolate" | "node";

interface BundledModule {
  /** Path relative to the functions folder, without extension, with `/`: `admin/users`. */
  readonly path: string;
  readonly runtime: ModuleRuntime;
}

interface EntryPoint extends BundledModule {
  readonly file: string;
}

interface BundleManifest {
  /** In registry order; `schema` and `auth.config` last, when the folder has them. */
  readonly modules: readonly BundledModule[];
  /** Absolute functions folder, to print stack frames as `../convex/file.ts`. */
  readonly functionsDir: string;
}

/**
 * Exports of a runtime's file: each module by its path, evaluated on demand. The isolate's file also exports
 * the function constructors of the bundled copy of the library.
 */
export interface BundleExports {
  readonly modules: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>;
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
function findEntryPoints(functionsDir: string): EntryPoint[] {
  if (!existsSync(functionsDir)) throw new Error(`Functions folder not found: ${functionsDir}`);
  if (existsSync(path.join(functionsDir, "convex.config.ts"))) {
    throw new Error("Components (convex.config.ts) are not supported by the embedded backend.");
  }
  const found: EntryPoint[] = [];
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

/** The file of a runtime, relative to the bundle's folder. */
export const bundleFile = (runtime: ModuleRuntime): string => `${runtime}.js`;

function sharedOptions(outDir: string, runtime: ModuleRuntime): BuildOptions {
  return {
    outfile: path.join(outDir, bundleFile(runtime)),
    bundle: true,
    format: "esm",
    target: "esnext",
    sourcemap: "linked",
    sourcesContent: false,
    keepNames: true,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [standIns],
  };
}

const SDK_EXPORTS =
  "export { queryGeneric, mutationGeneric, internalQueryGeneric, internalMutationGeneric } " +
  'from "convex/server";';

/**
 * The source of an entry point that imports every module on demand, so that an error names the module that
 * failed.
 */
function entryOf(entries: readonly EntryPoint[]): string {
  const lines = entries.map(
    ({ path: name, file }) => `${JSON.stringify(name)}: () => import(${JSON.stringify(file)}),`,
  );
  return ["export const modules = {", ...lines, "};"].join("\n");
}

/**
 * Bundles `functionsDir` into `outDir` (replaced as a whole) and writes its manifest. A failure leaves nothing behind,
 * and what a killed process left goes with the next bundle: nobody else may write to `outDir` meanwhile.
 *
 * @throws Error with esbuild's message when a module does not compile or imports what Convex lacks
 */
export async function bundleFunctions(
  functionsDir: string,
  outDir: string,
): Promise<BundleManifest> {
  const staging = `${outDir}.new`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  try {
    const manifest = await bundleInto(staging, path.resolve(functionsDir));
    await rm(outDir, { recursive: true, force: true });
    await rename(staging, outDir);
    return manifest;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function bundleInto(outDir: string, root: string): Promise<BundleManifest> {
  // Loaded only here: serving a prebuilt bundle needs no bundler.
  const { build } = await import("esbuild");
  const modules = findEntryPoints(root);
  const schema = firstExisting(root, ["schema.ts", "schema.js"]);
  const authConfig = firstExisting(root, ["auth.config.ts", "auth.config.js"]);
  // Marks the bundled files as ES modules, wherever the folder is.
  await writeFile(path.join(outDir, "package.json"), '{ "type": "module" }\n');
  if (schema) modules.push({ path: "schema", file: schema, runtime: "isolate" });
  if (authConfig) modules.push({ path: "auth.config", file: authConfig, runtime: "isolate" });
  const of = (runtime: ModuleRuntime) => modules.filter((module) => module.runtime === runtime);
  await build({
    ...sharedOptions(outDir, "isolate"),
    stdin: {
      contents: `${entryOf(of("isolate"))}\n${SDK_EXPORTS}`,
      resolveDir: root,
      sourcefile: "modules.js",
    },
    platform: "browser",
    conditions: ["convex", "module"],
    inject: [await writeShim(outDir, "isolate")],
  });
  if (of("node").length > 0) {
    await build({
      ...sharedOptions(outDir, "node"),
      stdin: { contents: entryOf(of("node")), resolveDir: root, sourcefile: "modules.js" },
      platform: "node",
      conditions: ["convex", "module", "node"],
      inject: [await writeShim(outDir, "node")],
      banner: {
        js: 'import { createRequire as $createRequire } from "node:module"; const require = $createRequire(import.meta.url);',
      },
    });
  }
  const manifest: BundleManifest = {
    modules: modules.map(({ path: name, runtime }) => ({ path: name, runtime })),
    functionsDir: root,
  };
  await writeFile(path.join(outDir, MANIFEST_FILE), JSON.stringify(manifest));
  return manifest;
}

/** Reads the manifest of a bundle made earlier. @throws Error when there is none. */
export function readManifest(bundleDir: string): BundleManifest {
  const file = path.join(bundleDir, MANIFEST_FILE);
  if (!existsSync(file)) throw new Error(`No bundled functions in ${bundleDir}`);
  return JSON.parse(readFileSync(file, "utf8")) as BundleManifest;
}
