/**
 * Every module of `convex/` loads as the real Convex loads it when it is deployed: bundled with the official
 * bundler's options (`convex/src/bundler/debugBundle.ts`), with the globals of its isolates and no others, and without
 * what it refuses at import time. The embedded backend is more generous: it has Node around the functions.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

const FUNCTIONS = path.resolve(import.meta.dirname, "..", "..", "convex");

/** What `npm-packages/udf-runtime` of get-convex/convex-backend sets up and a module may use while it loads. */
const GLOBALS = [
  ...["AbortController", "AbortSignal", "Blob", "DOMException", "Event", "EventTarget", "File"],
  ...["FormData", "Headers", "ReadableStream", "Request", "Response", "TextDecoder", "TextEncoder"],
  ...["TransformStream", "URL", "URLSearchParams", "WritableStream", "atob", "btoa", "console"],
  ...["structuredClone"],
] as const;

/** Officially refused while a module loads. */
const refuse = (name: string) => () => {
  throw new Error(`${name} is refused at import time`);
};
const REFUSED = {
  fetch: refuse("fetch"),
  setTimeout: refuse("setTimeout"),
  setInterval: refuse("setInterval"),
  crypto: {
    getRandomValues: refuse("getRandomValues"),
    randomUUID: refuse("randomUUID"),
    subtle: {},
  },
};

const isModule = (file: string): boolean =>
  file.endsWith(".ts") && !file.startsWith("_generated") && !file.endsWith(".d.ts");

type Loaders = Record<string, () => Promise<Record<string, unknown>>>;

/** Bundles the modules for one fresh context; calling a module's entry evaluates it there. */
async function bundled(files: readonly string[]): Promise<Loaders> {
  const lines = files.map((file) => `${JSON.stringify(file)}: () => import("./${file}"),`);
  const { outputFiles, warnings } = await build({
    stdin: {
      contents: ["export const modules = {", ...lines, "};"].join("\n"),
      resolveDir: FUNCTIONS,
    },
    bundle: true,
    write: false,
    platform: "browser",
    conditions: ["convex", "module"],
    define: { "process.env.NODE_ENV": '"production"' },
    target: "esnext",
    format: "iife",
    globalName: "bundle",
    keepNames: true,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const context = createContext({});
  const inside = runInContext("globalThis", context) as Record<string, unknown>;
  for (const name of GLOBALS) inside[name] = globalThis[name];
  const refusesEnvironment = files.includes("schema.ts");
  const get = (_env: object, name: string | symbol): undefined => {
    if (refusesEnvironment) throw new Error(`${String(name)} is refused in the schema`);
  };
  Object.assign(inside, REFUSED, { self: inside, process: { env: new Proxy({}, { get }) } });
  const { modules } = runInContext(`${outputFiles[0]!.text}; bundle`, context) as {
    modules: Loaders;
  };
  return modules;
}

const files = readdirSync(FUNCTIONS, { recursive: true, encoding: "utf8" }).filter(isModule).sort();
const isSchema = (file: string): boolean => file === "schema.ts";

test.each([
  ["modules", files.filter((file) => !isSchema(file))],
  ["the schema's tables", files.filter(isSchema)],
])("%s load with the official runtime's globals alone", async (_what, chosen) => {
  const failed: string[] = [];
  for (const [file, load] of Object.entries(await bundled(chosen))) {
    await load().catch((error: unknown) => failed.push(`${file}: ${String(error)}`));
  }
  expect(chosen).not.toEqual([]);
  expect(failed).toEqual([]);
});
