/**
 * `embeddedTest(schema, modules)`: the interface of `convexTest` on this backend, in memory. Tests run on the
 * same engine as a server: transactions, limits, validation, scheduler.
 *
 * Not here: network protocols (start a server with `serve` for that). Crons do not run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  actionGeneric,
  getFunctionName,
  internalMutationGeneric,
  internalQueryGeneric,
  mutationGeneric,
  queryGeneric,
  type FunctionReference,
  type GenericSchema,
  type SchemaDefinition,
  type UserIdentity,
} from "convex/server";
import { ConvexError, convexToJson, jsonToConvex, type JSONValue, type Value } from "convex/values";
import type { TestConvex } from "convex-test";
import { openMemoryDatabase } from "./db/openDatabase.ts";
import { openBackend, type Backend } from "./runtime/backend.ts";
import { memoryBlobs } from "./runtime/blobs.ts";
import { bundleFunctions } from "./runtime/bundle.ts";
import type { CallOutcome } from "./runtime/actionSyscalls.ts";
import { DEFAULT_CONTEXT, findFunction, type FunctionContext } from "./runtime/deployment.ts";
import type { FunctionFailure } from "./runtime/errors.ts";
import { newRequestId, type RequestInfo } from "./runtime/execution.ts";
import { handleHttpAction } from "./runtime/httpActions.ts";
import { NO_IDENTITY, type Identity, type IdentityAttributes } from "./runtime/identity.ts";
import {
  analyseModules,
  canonicalPath,
  loadBundle,
  type FunctionKind,
  type FunctionModules,
  type FunctionSpec,
  type RegisteredFunction,
} from "./runtime/modules.ts";
import { captureContexts } from "./runtime/sdkContexts.ts";
import { SYSTEM_TABLES } from "./runtime/systemTables.ts";
import type { Ticker } from "./runtime/timeLimits.ts";

/** `import.meta.glob` of a functions folder, or the folder itself. */
type TestModules = Record<string, () => Promise<unknown>> | string;

const SITE_URL = "https://some.convex.site";
const ITERATIONS_MAX = 100;
const IDLE_TURNS_MAX = 20;
// Captured before a test installs fake timers.
const realSetImmediate = setImmediate;

const yieldToLoop = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve));

interface Caller {
  readonly identity: Identity;
  readonly client: Pick<RequestInfo, "ip" | "userAgent">;
}

/** Module objects by path, from a glob map; its root is the folder that contains `_generated`. */
async function loadGlob(
  glob: Record<string, () => Promise<unknown>>,
): Promise<Map<string, Record<string, unknown>>> {
  const generated = Object.keys(glob).find((file) => file.includes("_generated"));
  const root = generated?.split("_generated", 1)[0] ?? "";
  const loaded = new Map<string, Record<string, unknown>>();
  for (const [file, load] of Object.entries(glob)) {
    const modulePath = file.slice(root.length).replace(/\.[^./]+$/, "");
    if (!file.startsWith(root) || modulePath.startsWith("_generated/")) continue;
    loaded.set(modulePath, (await load()) as Record<string, unknown>);
  }
  return loaded;
}

async function loadFunctions(
  schema: SchemaDefinition<GenericSchema, boolean> | undefined,
  modules: TestModules,
): Promise<FunctionModules> {
  if (typeof modules !== "string") {
    const loaded = await loadGlob(modules);
    if (schema !== undefined) loaded.set("schema", { default: schema });
    const contexts = captureContexts({
      queryGeneric,
      mutationGeneric,
      internalQueryGeneric,
      internalMutationGeneric,
    });
    return { ...analyseModules(loaded, ""), contexts };
  }
  const outDir = mkdtempSync(path.join(os.tmpdir(), "embedded-functions-"));
  try {
    await bundleFunctions(modules, outDir);
    return await loadBundle(outDir);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function openTestBackend(
  schema: SchemaDefinition<GenericSchema, boolean> | undefined,
  modules: TestModules,
  options: TestOptions,
): Promise<Backend> {
  const backend = await openBackend({
    db: await openMemoryDatabase({ systemSchema: SYSTEM_TABLES }),
    loadModules: () => loadFunctions(schema, modules),
    blobs: memoryBlobs(),
    env: { defaults: {}, fixed: {} },
    adminKeys: [],
    settings: {
      cloudUrl: "https://some.convex.cloud",
      siteUrl: SITE_URL,
      instanceName: "test",
      context: options.context ?? DEFAULT_CONTEXT,
      ...(options.ticker !== undefined && { ticker: options.ticker }),
      isRedacting: false,
      conflictProbability: 0,
      onLogLine: null,
    },
  });
  await backend.scheduler.start();
  return backend;
}

function thrownError(failure: FunctionFailure): Error {
  if (failure.data !== undefined) return new ConvexError(jsonToConvex(failure.data));
  return new Error(failure.text.replace(/^Error: /, ""));
}

function valueOf(outcome: CallOutcome): Value {
  if ("failure" in outcome) throw thrownError(outcome.failure);
  return jsonToConvex(JSON.parse(outcome.json) as JSONValue);
}

function specOfInline(kind: FunctionKind, registered: RegisteredFunction): FunctionSpec {
  const path = `inline:${kind}`;
  return {
    path,
    index: -1,
    kind,
    isPublic: false,
    args: { type: "any" },
    returns: null,
    registered,
  };
}

type Inline = (ctx: unknown) => Promise<unknown>;

class TestAccessor {
  private readonly backend: Promise<Backend>;
  private readonly caller: Caller;

  constructor(backend: Promise<Backend>, caller: Caller) {
    this.backend = backend;
    this.caller = caller;
  }

  readonly query = (target: unknown, args?: Record<string, Value>) =>
    this.call("query", target, args, (inline) => queryGeneric(inline));

  readonly mutation = (target: unknown, args?: Record<string, Value>) =>
    this.call("mutation", target, args, (inline) => mutationGeneric(inline));

  readonly action = (target: unknown, args?: Record<string, Value>) =>
    this.call("action", target, args, (inline) => actionGeneric(inline));

  readonly run = (body: Inline) =>
    this.call("mutation", body, {}, (inline) => internalMutationGeneric(inline));

  readonly fetch = async (pathQueryFragment: string, init?: RequestInit): Promise<Response> => {
    const backend = await this.backend;
    const request = new Request(new URL(pathQueryFragment, SITE_URL), init);
    return handleHttpAction(backend.runtime, request, {
      identity: this.caller.identity,
      ...this.caller.client,
    });
  };

  readonly finishInProgressScheduledFunctions = async (): Promise<void> => {
    const { scheduler } = await this.backend;
    await yieldToLoop();
    await scheduler.settled();
  };

  readonly finishAllScheduledFunctions = async (
    advanceTimers: () => void,
    maxIterations = ITERATIONS_MAX,
  ): Promise<void> => {
    const { scheduler } = await this.backend;
    let idleTurns = 0;
    for (let i = 0; i < maxIterations && idleTurns < IDLE_TURNS_MAX;) {
      advanceTimers();
      await yieldToLoop();
      if (scheduler.runningCount > 0) {
        await scheduler.settled();
        idleTurns = 0;
        i += 1;
      } else if (scheduler.hasPending()) idleTurns += 1;
      else return;
    }
    if (idleTurns < IDLE_TURNS_MAX) {
      throw new Error("finishAllScheduledFunctions: too many iterations.");
    }
  };

  readonly withIdentity = (attributes: Partial<UserIdentity>): TestAccessor => {
    const issuer = attributes.issuer ?? "https://convex.test";
    const subject = attributes.subject ?? JSON.stringify(attributes);
    const tokenIdentifier = attributes.tokenIdentifier ?? `${issuer}|${subject}`;
    const complete = { ...attributes, issuer, subject, tokenIdentifier } as IdentityAttributes;
    return new TestAccessor(this.backend, {
      ...this.caller,
      identity: {
        kind: "user",
        attributes: complete,
        person: tokenIdentifier,
        token: "",
        expiresAtS: Infinity,
      },
    });
  };

  readonly withRequestMetadata = (
    client: Partial<Pick<RequestInfo, "ip" | "userAgent">>,
  ): TestAccessor =>
    new TestAccessor(this.backend, {
      ...this.caller,
      client: { ip: client.ip ?? null, userAgent: client.userAgent ?? null },
    });

  private async call(
    kind: "query" | "mutation" | "action",
    target: unknown,
    args: Record<string, Value> | undefined,
    registerInline: (inline: Inline) => unknown,
  ): Promise<Value> {
    const { runtime } = await this.backend;
    // Function references are callable objects too, but have a name; inline functions have none.
    const path = referencePath(target);
    const spec =
      path === null
        ? specOfInline(kind, registerInline(target as Inline) as RegisteredFunction)
        : findFunction(runtime.deployment, path, [kind]);
    const call = {
      spec,
      args: convexToJson(args ?? {}),
      identity: this.caller.identity,
      request: {
        ...this.caller.client,
        requestId: newRequestId(),
        authToken: null,
        scheduledFunctionId: null,
      },
      logs: runtime.newLogs(),
    };
    if (kind === "query") return valueOf(await runtime.runQuery(call));
    if (kind === "mutation") return valueOf(await runtime.runMutation(call));
    return valueOf(await runtime.runAction(call));
  }
}

function referencePath(target: unknown): string | null {
  try {
    return canonicalPath(getFunctionName(target as FunctionReference<"query">));
  } catch {
    return null;
  }
}

interface TestOptions {
  /** How handlers access the database. */
  readonly context?: FunctionContext;
  /** Clock for the time limits of functions, instead of the machine's. */
  readonly ticker?: Ticker;
}

/** A new backend for one test; functions are loaded at the first call. */
export function embeddedTest<Schema extends GenericSchema>(
  schema: SchemaDefinition<Schema, boolean> | undefined,
  modules: TestModules,
  options: TestOptions = {},
): TestConvex<SchemaDefinition<Schema, boolean>> {
  const backend = openTestBackend(schema, modules, options);
  // A failed start is reported by the first call, not as an unhandled rejection.
  backend.catch(() => undefined);
  const accessor = new TestAccessor(backend, {
    identity: NO_IDENTITY,
    client: { ip: null, userAgent: null },
  });
  return accessor as unknown as TestConvex<SchemaDefinition<Schema, boolean>>;
}
