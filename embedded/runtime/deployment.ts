/** State shared by all parts of the runtime: the database, the functions, the settings, the environment. */
import type { Database } from "../db/types.ts";
import type { FileStorage } from "./files.ts";
import { type FunctionModules, type FunctionSpec, canonicalPath } from "./modules.ts";
import { BackendError, CallRefusal } from "./errors.ts";
import type { Ticker, TimeLimits } from "./timeLimits.ts";
import { STRIKE_MEMORY_MS } from "./watchdog.ts";

/**
 * How handlers of queries and mutations access the database: through the library's own context, which works
 * on JSON texts (`sdk`), or through ours on decoded values (`native`), which must give the same results.
 */
export type FunctionContext = "sdk" | "native";

export const DEFAULT_CONTEXT: FunctionContext = "native";

/** A finished call by a client. */
export interface CallRecord {
  readonly kind: "query" | "mutation" | "action" | "http";
  readonly path: string;
  /** The id the client sees in error messages. */
  readonly requestId: string;
  readonly durationMs: number;
  /** `refused`: the function threw a ConvexError, meant for its caller. */
  readonly outcome: "ok" | "refused" | "error";
  /** Set unless the outcome is `ok`. */
  readonly failure: string | null;
  /** True when there is no such function. */
  readonly isMissing: boolean;
}

export interface DeploymentSettings {
  readonly context: FunctionContext;
  /** Origin of the API and WebSocket, `process.env.CONVEX_CLOUD_URL` inside functions. */
  readonly cloudUrl: string;
  /** Origin of the HTTP actions, `process.env.CONVEX_SITE_URL` inside functions. */
  readonly siteUrl: string;
  readonly instanceName: string;
  /** True when clients see `Server Error` and a request id instead of messages and log lines. */
  readonly isRedacting: boolean;
  /** Forces a random conflict with this probability at each commit (0 to 1): for tests. */
  readonly conflictProbability: number;
  /** Clock for the time limits of functions; absent: the machine's. */
  readonly ticker?: Ticker;
  /** Receives functions' console lines on the host; null drops them. */
  readonly onLogLine: ((line: string, requestId?: string) => void) | null;
  /** Called for every finished call by a client. */
  readonly onCall?: (record: CallRecord) => void;
}

export interface Deployment {
  readonly db: Database;
  readonly modules: FunctionModules;
  readonly files: FileStorage;
  readonly settings: DeploymentSettings;
  readonly limits: TimeLimits;
  /** Functions that blocked the server, with the time (ms) until which they are refused. */
  readonly blockedFunctions: ReadonlyMap<string, number>;
  /** The newest archive requested with `convex export`, as commit timestamps. */
  latestExport: { readonly startTs: bigint; readonly completeTs: bigint } | null;
  /** The deployment's environment, built-ins included; replaced as a whole when it changes. */
  env: Readonly<Record<string, string>>;
}

/** Prefix of function handles, which functions may store in the database. */
const FUNCTION_HANDLE_PREFIX = "function://embedded/";

/** Path of the function that an SDK call names by `name`, `functionHandle` or `reference`. */
export function addressedPath(address: Readonly<Record<string, unknown>>): string {
  const { name, functionHandle, reference } = address;
  if (typeof name === "string") return canonicalPath(name);
  if (typeof functionHandle === "string" && functionHandle.startsWith(FUNCTION_HANDLE_PREFIX)) {
    return canonicalPath(functionHandle.slice(FUNCTION_HANDLE_PREFIX.length));
  }
  if (typeof reference === "string") {
    throw new BackendError("Components are not supported by the embedded backend.");
  }
  throw new BackendError("Invalid function reference.");
}

/** The handle of the function that an SDK call names. @throws BackendError as {@link findFunction} */
export function functionHandle(
  deployment: Deployment,
  address: Readonly<Record<string, unknown>>,
): string {
  const path = addressedPath(address);
  findFunction(deployment, path, ["query", "mutation", "action"]);
  return `${FUNCTION_HANDLE_PREFIX}${path}`;
}

/** What a function learns of itself. */
export const functionMetadata = (path: string) => ({ name: displayPath(path), componentPath: "" });

/** What a function learns of the deployment it runs on. */
export const deploymentMetadata = ({ settings }: Deployment) => ({
  name: settings.instanceName,
  region: null,
  class: "s16",
});

type CallableKind = "query" | "mutation" | "action";

const SYSTEM_PREFIX = "_system/";
/**
 * The official CLI stops at an error with this beginning; after any other error of a system query it waits
 * for ever.
 */
const SYSTEM_REFUSAL =
  "You do not have permission to perform this operation: it needs this deployment's admin key.";

const KIND_NAMES: Record<CallableKind, string> = {
  query: "Query",
  mutation: "Mutation",
  action: "Action",
};

/**
 * The function at `path`, of any of the given kinds.
 *
 * @throws CallRefusal when it is missing, is refused because it blocked the server, or is of another kind
 */
export function findFunction(
  deployment: Deployment,
  path: string,
  kinds: readonly CallableKind[],
): FunctionSpec {
  const spec = deployment.modules.functions.get(path);
  if (spec === undefined || spec.kind === "http") {
    throw new CallRefusal(`Could not find function for '${displayPath(path)}'.`);
  }
  const blockedMs = (deployment.blockedFunctions.get(path) ?? 0) - Date.now();
  // For longer than any: the clock was set back since.
  if (blockedMs > 0 && blockedMs <= STRIKE_MEMORY_MS) {
    throw new CallRefusal("Function execution timed out (maximum duration: 1s)", {
      isTransient: true,
    });
  }
  if (!kinds.includes(spec.kind)) {
    const [wanted = "query"] = kinds;
    throw new CallRefusal(
      `Trying to execute ${filePath(path)} as ${KIND_NAMES[wanted]}, but it is defined as ${KIND_NAMES[spec.kind]}.`,
    );
  }
  return spec;
}

/**
 * The function a client names. Missing, internal and HTTP functions give the same error; all names below
 * `_system/` give another one.
 *
 * @throws CallRefusal, with a public text, or as `findFunction`
 */
export function findPublicFunction(
  deployment: Deployment,
  rawPath: string,
  kind: CallableKind,
  mayCallInternal: boolean,
): FunctionSpec {
  const path = canonicalPath(rawPath);
  const spec = deployment.modules.functions.get(path);
  if (path.startsWith(SYSTEM_PREFIX) && !mayCallInternal) {
    throw new CallRefusal(SYSTEM_REFUSAL, { isPublic: true });
  }
  if (spec === undefined || spec.kind === "http" || (!spec.isPublic && !mayCallInternal)) {
    throw new CallRefusal(`Could not find public function for '${displayPath(path)}'.`, {
      isPublic: true,
    });
  }
  return findFunction(deployment, path, [kind]);
}

/** The path with its module's file name, as in `_scheduled_functions` and in the CLI's lists: `dir/mod.js:fn`. */
export const filePath = (path: string): string => path.replace(":", ".js:");

/** `mod` for `mod:default`, otherwise the path as it is. */
export function displayPath(path: string): string {
  return path.endsWith(":default") ? path.slice(0, -":default".length) : path;
}
