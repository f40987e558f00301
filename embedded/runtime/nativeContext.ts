/**
 * The native context: handlers of queries and mutations get it instead of the library's own context.
 * Documents are read and written as decoded values. Rare operations and wrong arguments are passed to the
 * library, whose context is the reference (the differential test runs both).
 *
 * Not here: queries (nativeQuery), the operations (databaseSyscalls), when it is used (invoke).
 */
import { convexToJson, type JSONValue, type Value } from "convex/values";
import { isPlainObject } from "../db/fits.ts";
import { isInt64 } from "../db/values.ts";
import { getDocument, writableId } from "./databaseSyscalls.ts";
import { identityJson } from "./identity.ts";
import type { FunctionSpec } from "./modules.ts";
import { NativeQuery, NativeTable, type QueryHost, type SdkQuery } from "./nativeQuery.ts";
import {
  sdkMutationContext,
  sdkQueryContext,
  type SdkContexts,
  type SdkMutationContext,
  type SdkQueryContext,
} from "./sdkContexts.ts";
import type { TransactionFrame } from "./syscalls.ts";

type Handler = (context: unknown, args: unknown) => unknown;
type Fields = Record<string, Value | undefined>;
/** Callable with any arguments: user functions need not respect the types. */
type Loose = (...args: unknown[]) => Promise<unknown>;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const PLAIN_DEPTH_MAX = 16;

/** True for plain values. All others are encoded by the library, which also reports errors. */
function isPlainValue(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return true;
    case "bigint":
      return isInt64(value);
    case "object":
      if (value === null || value instanceof ArrayBuffer) return true;
      if (depth >= PLAIN_DEPTH_MAX) return false;
      if (!Array.isArray(value)) return hasPlainFields(value, depth);
      for (let at = 0; at < value.length; at++) {
        if (!isPlainValue(value[at], depth + 1)) return false;
      }
      return true;
    default:
      return false;
  }
}

function hasPlainFields(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name of Object.keys(value)) {
    const field: unknown = (value as Record<string, unknown>)[name];
    if (!PLAIN_NAME.test(name) || name === "__proto__") return false;
    if (field !== undefined && !isPlainValue(field, depth + 1)) return false;
  }
  return true;
}

const isFields = (value: unknown): value is Fields =>
  isPlainObject(value) && hasPlainFields(value, 0);

/** Parses `[id]` or `[table, id]` as the library does; null when the library must report an error. */
function addressOf(first: unknown, second: unknown): { id: string; table?: string } | null {
  if (second === undefined) return typeof first === "string" ? { id: first } : null;
  if (typeof first !== "string" || typeof second !== "string") return null;
  return { id: second, table: first };
}

function nativeReader(frame: TransactionFrame, sdk: SdkQueryContext["db"]) {
  const host: QueryHost = {
    frame,
    // The SDK's own query object, restricted to the methods used here.
    sdkQuery: (table) => sdk.query(table) as unknown as SdkQuery,
  };
  // Untyped, because the SDK's overloads do not accept unchecked arguments.
  const library = sdk as unknown as Record<"get" | "normalizeId", Loose>;
  return {
    ...sdk,
    get: async (first: unknown, second?: unknown) => {
      const address = addressOf(first, second);
      if (address === null) return library.get(first, second);
      const args = { isSystem: false, ...address };
      const read = () => getDocument(frame, args);
      const found = frame.isBusy ? await frame.operateInTurn(read) : frame.operateNow(read);
      return found?.value() ?? null;
    },
    normalizeId: (table: unknown, id: unknown) =>
      typeof table !== "string" || typeof id !== "string" || table.startsWith("_")
        ? library.normalizeId(table, id)
        : frame.operate(() => frame.scope.txn.normalizeId(table, id)),
    query: (table: unknown) =>
      typeof table !== "string" || table.startsWith("_")
        ? sdk.query(table as string)
        : new NativeTable(host, table),
  };
}

function nativeWriter(frame: TransactionFrame, sdk: SdkMutationContext["db"]) {
  const { txn } = frame.scope;
  // Untyped, as in the reader.
  const library = sdk as unknown as Record<"insert" | "patch" | "replace" | "delete", Loose>;
  /** Values must be copied now. When the operation has to wait, the library's encoding is that copy. */
  const change =
    (operation: "patch" | "replace", run: (id: string, fields: Fields) => void): Loose =>
    async (first, second, third) => {
      const address = third === undefined ? addressOf(first, undefined) : addressOf(first, second);
      const fields = third === undefined ? second : third;
      if (address === null || frame.isBusy || !isFields(fields)) {
        return library[operation](first, second, third);
      }
      frame.operateNow(() => run(writableId(frame, address, operation), fields));
      return undefined;
    };
  return {
    ...nativeReader(frame, sdk),
    insert: async (table: unknown, fields: unknown) => {
      if (typeof table !== "string" || frame.isBusy || !isFields(fields)) {
        return library.insert(table, fields);
      }
      // Not inside the operation: the library reports writes to system tables with its own message.
      if (table.startsWith("_")) return library.insert(table, fields);
      return frame.operateNow(() => txn.insertValue(table, fields));
    },
    patch: change("patch", (id, fields) => txn.patchValue(id, fields)),
    replace: change("replace", (id, fields) => txn.replaceValue(id, fields)),
    delete: async (first: unknown, second?: unknown) => {
      const address = addressOf(first, second);
      if (address === null || frame.isBusy) return library.delete(first, second);
      frame.operateNow(() => txn.remove(writableId(frame, address, "delete")));
      return undefined;
    },
  };
}

function nativeAuth(frame: TransactionFrame, sdk: SdkQueryContext["auth"]) {
  return {
    ...sdk,
    getUserIdentity: () =>
      frame.operateInTurn(() => {
        frame.scope.hasReadIdentity = true;
        return JSON.parse(identityJson(frame.scope.identity)) as JSONValue;
      }),
  };
}

function contextOf(frame: TransactionFrame, contexts: SdkContexts, spec: FunctionSpec): object {
  if (spec.kind === "query") {
    const sdk = sdkQueryContext(contexts, spec);
    return {
      ...sdk,
      db: nativeReader(frame, sdk.db),
      auth: nativeAuth(frame, sdk.auth),
      storage: { ...sdk.storage },
      meta: { ...sdk.meta },
    };
  }
  const sdk = sdkMutationContext(contexts, spec);
  return {
    ...sdk,
    db: nativeWriter(frame, sdk.db),
    auth: nativeAuth(frame, sdk.auth),
    storage: { ...sdk.storage },
    scheduler: { ...sdk.scheduler },
    meta: { ...sdk.meta },
  };
}

/** Marks a ConvexError for the backend as the library does: its data as JSON text. */
function marked(thrown: unknown): unknown {
  if (typeof thrown !== "object" || thrown === null || !(Symbol.for("ConvexError") in thrown)) {
    return thrown;
  }
  const error = thrown as { data?: unknown; ConvexErrorSymbol?: symbol };
  error.data = JSON.stringify(convexToJson((error.data ?? null) as Value));
  error.ConvexErrorSymbol = Symbol.for("ConvexError");
  return error;
}

function isQueryObject(result: unknown, contexts: SdkContexts): boolean {
  if (typeof result !== "object" || result === null) return false;
  if (result instanceof NativeQuery || result instanceof NativeTable) return true;
  // Any table name works: only the classes of the SDK's query objects matter, typed as in the reader.
  const table = contexts.query.db.query("any") as unknown as SdkQuery;
  return [table, table.fullTableScan()].some(
    (query) => Object.getPrototypeOf(result) === Object.getPrototypeOf(query),
  );
}

/** The handler of a function that can run natively, or null. */
export function nativeHandler(spec: FunctionSpec): Handler | null {
  const handler = spec.registered._handler;
  return typeof handler === "function" ? (handler as Handler) : null;
}

/**
 * Calls a handler with a native context.
 *
 * @param args decoded, a fresh copy: the handler may change them
 * @returns the encoded result, and the result itself for validation
 * @throws what the handler throws, ConvexErrors marked as the library marks them
 */
export async function callNatively(
  handler: Handler,
  frame: TransactionFrame,
  contexts: SdkContexts,
  call: { spec: FunctionSpec; args: Value },
): Promise<{ json: string; value: Value }> {
  const context = contextOf(frame, contexts, call.spec);
  let result: unknown;
  try {
    result = await handler(context, call.args);
  } catch (error) {
    throw marked(error);
  }
  if (isQueryObject(result, contexts)) {
    throw new Error(
      "Return value is a Query. Results must be retrieved with `.collect()`, `.take(n), `.unique()`, or `.first()`.",
    );
  }
  const value = (result === undefined ? null : result) as Value;
  return { json: JSON.stringify(convexToJson(value)), value };
}
