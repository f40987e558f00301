/**
 * The registry of a functions folder: every exported function with its kind, visibility and validators,
 * plus the HTTP router, crons, schema and auth configuration.
 *
 * Not here: bundling (bundle), running functions (invoke).
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JSONValue } from "convex/values";
import { wrongFieldIn } from "../db/schemaRules.ts";
import type { ValidatorJson } from "../db/types.ts";
import { messageOf } from "../storage/errorText.ts";
import { bundleFile, readManifest, type BundleExports, type ModuleRuntime } from "./bundle.ts";
import type { Deployment } from "./deployment.ts";
import type { TransactionScope } from "./scope.ts";
import { captureContexts, type FunctionMakers, type SdkContexts } from "./sdkContexts.ts";

export type FunctionKind = "query" | "mutation" | "action" | "http";

/** The properties the SDK puts on a registered function. */
export interface RegisteredFunction {
  readonly isQuery?: boolean;
  readonly isMutation?: boolean;
  readonly isAction?: boolean;
  readonly isHttp?: boolean;
  readonly isPublic?: boolean;
  invokeQuery?(argsJson: string): Promise<string>;
  invokeMutation?(argsJson: string): Promise<string>;
  invokeAction?(requestId: string, argsJson: string): Promise<string>;
  invokeHttpAction?(request: Request): Promise<Response>;
  exportArgs?(): string;
  exportReturns?(): string;
  readonly _handler?: unknown;
}

export interface FunctionSpec {
  /** Canonical path: `dir/module:name`, `dir/module` for default exports is `dir/module:default`. */
  readonly path: string;
  /** Position in the registry; -1 for functions outside of it. */
  readonly index: number;
  readonly kind: FunctionKind;
  readonly isPublic: boolean;
  readonly args: ValidatorJson;
  readonly returns: ValidatorJson | null;
  readonly registered: RegisteredFunction;
  /** Its module says `"use node"`. */
  readonly isNode?: boolean;
  /** Set for queries of the backend itself, which have no SDK function. */
  readonly native?: NativeQuery;
}

/** A query of the backend itself; answers encoded JSON text. */
export type NativeQuery = (
  deployment: Deployment,
  scope: TransactionScope,
  args: JSONValue,
) => string;

/** The part of the official HttpRouter that routing uses. */
interface HttpRouterLike {
  readonly isRouter: true;
  lookup(
    path: string,
    method: string,
  ): readonly [action: RegisteredFunction, method: string, path: string] | null;
}

export interface CronJson {
  readonly name: string;
  readonly args: readonly JSONValue[];
  readonly schedule: { readonly type: string } & Record<string, unknown>;
}

export interface AuthProviderJson {
  readonly type?: string;
  readonly domain?: string;
  readonly applicationID?: string;
  readonly issuer?: string;
  readonly jwks?: string;
  readonly algorithm?: string;
}

export interface FunctionModules {
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  readonly http: HttpRouterLike | null;
  readonly crons: Readonly<Record<string, CronJson>>;
  /** Text of `schema.export()`, or null without a schema. */
  readonly schemaJson: string | null;
  readonly authProviders: readonly AuthProviderJson[];
  /** Folder to strip from stack frames. */
  readonly functionsDir: string;
  /** The library's contexts that the native context uses; null when there is none for these functions. */
  readonly contexts: SdkContexts | null;
}

/** A module object by path without extension (`admin/users`, `http`, `schema`, `auth.config`). */
type LoadedModules = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Canonical form of `a/b.js:c` and `a/b`: `a/b:c` and `a/b:default`. */
export function canonicalPath(functionPath: string): string {
  const colon = functionPath.lastIndexOf(":");
  const modulePath = colon < 0 ? functionPath : functionPath.slice(0, colon);
  const name = colon < 0 ? "default" : functionPath.slice(colon + 1);
  return `${modulePath.replace(/\.js$/, "")}:${name}`;
}

function kindOf(value: RegisteredFunction): FunctionKind | null {
  if (value.isQuery) return "query";
  if (value.isMutation) return "mutation";
  if (value.isAction) return "action";
  return value.isHttp ? "http" : null;
}

function specOf(path: string, index: number, value: unknown, isNode: boolean): FunctionSpec | null {
  if (typeof value !== "function") return null;
  const registered = value as RegisteredFunction;
  const kind = kindOf(registered);
  if (kind === null) return null;
  const args = JSON.parse(registered.exportArgs?.() ?? '{"type":"any"}') as ValidatorJson;
  if (args.type !== "object" && args.type !== "any") {
    throw new Error(`${path}: the args validator must be an object, got ${args.type}`);
  }
  const returns = JSON.parse(registered.exportReturns?.() ?? "null") as ValidatorJson | null;
  const wrong = wrongFieldIn(args) ?? wrongFieldIn(returns ?? { type: "any" });
  if (wrong !== null) {
    throw new Error(`${path}: a validator has a field with the invalid name "${wrong}"`);
  }
  if (isNode && kind !== "action") {
    throw new Error(`${path}: only actions can be defined in a module that says "use node"`);
  }
  const isPublic = registered.isPublic === true;
  return { path, index, kind, isPublic, args, returns, registered, isNode };
}

/** Paths of public functions that no builder of the project marked. */
export function unmarkedFunctions(modules: FunctionModules, mark: string): string[] {
  const isUnmarked = ({ isPublic, registered }: FunctionSpec): boolean =>
    isPublic && !Object.hasOwn(registered, mark);
  return [...modules.functions.values()].filter(isUnmarked).map(({ path }) => path);
}

function defaultExport(modules: LoadedModules, name: string): unknown {
  return modules.get(name)?.default;
}

function isRouter(value: unknown): value is HttpRouterLike {
  return typeof value === "object" && value !== null && "isRouter" in value;
}

/** @throws Error in the official words for a job that runs nothing, or what cannot be scheduled */
function checkCrons(
  crons: FunctionModules["crons"],
  functions: FunctionModules["functions"],
): void {
  for (const [name, { name: path }] of Object.entries(crons)) {
    const kind = functions.get(canonicalPath(path))?.kind;
    if (kind === "mutation" || kind === "action") continue;
    const said = `The cron job '${name}' schedules`;
    if (kind === undefined) throw new Error(`${said} a function that does not exist: ${path}`);
    const what = kind === "http" ? "an HTTP action" : "a query function";
    throw new Error(`${said} ${what}, only actions and mutations can be scheduled: ${path}`);
  }
}

function exportedJson(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("export" in value)) return null;
  const text: unknown = (value as { export(): unknown }).export();
  return typeof text === "string" ? text : JSON.stringify(text);
}

/**
 * Reads every export of the given modules.
 *
 * @param nodeModules modules with `"use node"`
 * @throws Error naming the module, for undefined validators, for wrong default exports of http, crons and schema,
 *   and for a cron job whose function cannot be scheduled
 */
export function analyseModules(
  modules: LoadedModules,
  functionsDir: string,
  nodeModules: ReadonlySet<string> = new Set(),
): FunctionModules {
  const functions = new Map<string, FunctionSpec>();
  for (const [modulePath, exports] of modules) {
    for (const [name, value] of Object.entries(exports)) {
      const spec = specOf(
        `${modulePath}:${name}`,
        functions.size,
        value,
        nodeModules.has(modulePath),
      );
      if (spec !== null) functions.set(spec.path, spec);
    }
  }
  const http = defaultExport(modules, "http");
  if (modules.has("http") && !isRouter(http)) {
    throw new Error("http must default-export an HttpRouter made by httpRouter()");
  }
  const cronsJson = exportedJson(defaultExport(modules, "crons"));
  if (modules.has("crons") && cronsJson === null) {
    throw new Error("crons must default-export the result of cronJobs()");
  }
  const crons = cronsJson === null ? {} : (JSON.parse(cronsJson) as FunctionModules["crons"]);
  checkCrons(crons, functions);
  const schemaJson = exportedJson(defaultExport(modules, "schema"));
  if (modules.has("schema") && schemaJson === null) {
    throw new Error("schema must default-export the result of defineSchema()");
  }
  const authConfig = defaultExport(modules, "auth.config") as
    { providers?: readonly AuthProviderJson[] } | undefined;
  return {
    functions,
    http: isRouter(http) ? http : null,
    crons,
    schemaJson,
    authProviders: authConfig?.providers ?? [],
    functionsDir,
    contexts: null,
  };
}

/** Imports a bundle made by `bundleFunctions` and analyses it. The sandbox must be installed. */
export async function loadBundle(bundleDir: string): Promise<FunctionModules> {
  const manifest = readManifest(bundleDir);
  process.setSourceMapsEnabled(true);
  const importFile = async (runtime: ModuleRuntime): Promise<BundleExports> => {
    const url = pathToFileURL(path.join(bundleDir, bundleFile(runtime))).href;
    return (await import(url)) as BundleExports;
  };
  const isolate = await importFile("isolate");
  const ofNode = manifest.modules.filter(({ runtime }) => runtime === "node");
  const nodeModules = new Set(ofNode.map((module) => module.path));
  const bundles = { isolate, node: ofNode.length > 0 ? await importFile("node") : null };
  const loaded = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { path: modulePath, runtime } of manifest.modules) {
    try {
      const evaluate = bundles[runtime]?.modules[modulePath];
      if (evaluate === undefined) throw new Error("the bundle lacks it");
      loaded.set(modulePath, await evaluate());
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`Failed to load ${modulePath}: ${reason}`, { cause: error });
    }
  }
  const functions = analyseModules(loaded, manifest.functionsDir, nodeModules);
  return { ...functions, contexts: captureContexts(isolate as BundleExports & FunctionMakers) };
}
