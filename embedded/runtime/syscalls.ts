/**
 * The SDK's doors inside queries and mutations: one frame per function call, all frames of one
 * top-level call sharing a transaction scope.
 *
 * The SDK's own guards can be bypassed by calling `Convex.asyncSyscall` directly, so system tables and
 * writes from queries are refused here as well.
 * Not here: actions (actionSyscalls), calling handlers (invoke).
 */
import { Readable } from "node:stream";
import { convexToJson, type JSONValue } from "convex/values";
import type { QueryJson, StoredDocument } from "../db/types.ts";
import {
  addressedPath,
  displayPath,
  findFunction,
  FUNCTION_HANDLE_PREFIX,
  type Deployment,
} from "./deployment.ts";
import { BackendError } from "./errors.ts";
import type { SyscallHandler } from "./execution.ts";
import { identityJson } from "./identity.ts";
import type { FunctionSpec } from "./modules.ts";
import { cancelScheduled, scheduleFunction } from "./scheduling.ts";
import type { TransactionScope } from "./scope.ts";
import { VISIBLE_SYSTEM_TABLES } from "./systemTables.ts";
import { leaveUserCode } from "./watchdog.ts";

/** Arguments of a syscall after JSON.parse; every field is checked where it is used. */
export type SyscallArgs = Readonly<Record<string, unknown>>;

export const NESTED_CALL_DEPTH_MAX = 8;

/** Starts a nested call inside a frame's transaction and answers the encoded result. */
export type NestedRunner = (
  frame: TransactionFrame,
  spec: FunctionSpec,
  args: JSONValue,
  isSnapshot: boolean,
) => Promise<string>;

export class TransactionFrame implements SyscallHandler {
  readonly deployment: Deployment;
  readonly scope: TransactionScope;
  readonly functionPath: string;
  readonly canWrite: boolean;
  readonly depth: number;
  private readonly runNested: NestedRunner;
  /** Called when a syscall returns to user code. */
  private readonly onReturn: () => void;
  /** Nested calls of this frame run one at a time; while one runs, this frame's own calls wait. */
  private childTail: Promise<unknown> | null = null;

  constructor(
    deployment: Deployment,
    scope: TransactionScope,
    call: { functionPath: string; canWrite: boolean; depth: number },
    runNested: NestedRunner,
    onReturn: () => void,
  ) {
    this.onReturn = onReturn;
    this.deployment = deployment;
    this.scope = scope;
    this.functionPath = call.functionPath;
    this.canWrite = call.canWrite;
    this.depth = call.depth;
    this.runNested = runNested;
  }

  syscall(op: string, argsJson: string): string {
    leaveUserCode();
    try {
      this.assertOpen();
      const run = SYNC_OPS.get(op);
      if (run === undefined) throw new Error(`Unknown operation ${op}`);
      return run(this, parseArgs(argsJson));
    } finally {
      this.onReturn();
    }
  }

  asyncSyscall(op: string, argsJson: string): Promise<string> {
    leaveUserCode();
    try {
      this.assertOpen();
      const run = READ_OPS.get(op) ?? (this.canWrite ? WRITE_OPS.get(op) : undefined);
      if (run === undefined) throw new Error(`Unknown async operation ${op}`);
      const args = parseArgs(argsJson);
      if (this.childTail !== null) return this.afterChildren(() => run(this, args));
      return Promise.resolve(run(this, args));
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.onReturn();
    }
  }

  jsSyscall(op: string): unknown {
    throw new Error(`Unknown JS operation ${op}`);
  }

  /** Runs a nested function after the ones started before it. */
  callNested(spec: FunctionSpec, args: JSONValue, isSnapshot: boolean): Promise<string> {
    const before = this.childTail ?? Promise.resolve();
    const result = before.then(() => this.runNested(this, spec, args, isSnapshot));
    const settled = result.then(noop, noop).then(() => {
      if (this.childTail === settled) this.childTail = null;
    });
    this.childTail = settled;
    return result;
  }

  private async afterChildren(run: () => string | Promise<string>): Promise<string> {
    while (this.childTail !== null) await this.childTail;
    this.assertOpen();
    return run();
  }

  private assertOpen(): void {
    if (this.scope.isClosed) {
      throw new Error("The function has already returned: await every database call in it.");
    }
  }
}

function noop(): void {
  // Only the order of nested calls matters here; their outcome belongs to the caller.
}

function parseArgs(argsJson: string): SyscallArgs {
  return JSON.parse(argsJson) as SyscallArgs;
}

/** A string field of syscall arguments. @throws Error when it is something else. */
export function textArg(args: SyscallArgs, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw new Error(`Invalid argument \`${name}\`: expected a string`);
  return value;
}

function assertTableVisible(table: string): void {
  if (table.startsWith("_") && !VISIBLE_SYSTEM_TABLES.has(table)) {
    throw new Error(`System table ${table} cannot be read by functions.`);
  }
}

function assertTableWritable(table: string): void {
  if (table.startsWith("_")) {
    throw new Error("System tables (prefixed with `_`) are read-only.");
  }
}

function queryTable(query: QueryJson): string {
  const source = query.source;
  return source.type === "FullTableScan"
    ? source.tableName
    : (source.indexName.split(".", 1)[0] ?? "");
}

function queryArg(args: SyscallArgs): QueryJson {
  const query = args.query as QueryJson;
  assertTableVisible(queryTable(query));
  return query;
}

/** Checks that an id belongs to the table the caller named, if any. */
function assertIdTable(
  frame: TransactionFrame,
  args: SyscallArgs,
  id: string,
  operation: string,
): string | null {
  const actual = frame.scope.txn.tableOf(id);
  if (typeof args.table === "string" && actual !== null && actual !== args.table) {
    throw new Error(
      `Invalid argument \`id\` for \`db.${operation}\`, expected ID in table '${args.table}' ` +
        `but got ID in table '${actual}'`,
    );
  }
  return actual;
}

function get(frame: TransactionFrame, args: SyscallArgs): string {
  const id = textArg(args, "id");
  const table = assertIdTable(frame, args, id, "get");
  const isSystemTable = table?.startsWith("_") ?? false;
  if (table !== null && isSystemTable !== (args.isSystem === true)) {
    throw new Error(
      `${isSystemTable ? "System" : "User"} tables can only be accessed from ` +
        `db.${isSystemTable ? "system." : ""}get().`,
    );
  }
  if (table !== null) assertTableVisible(table);
  return documentJson(frame.scope.txn.get(id));
}

function documentJson(document: StoredDocument | null): string {
  return document === null ? "null" : document.json;
}

function writableId(frame: TransactionFrame, args: SyscallArgs, operation: string): string {
  const id = textArg(args, "id");
  const table = assertIdTable(frame, args, id, operation);
  if (table !== null) assertTableWritable(table);
  return id;
}

function streamNext(frame: TransactionFrame, args: SyscallArgs): string {
  const stream = frame.scope.streams.get(args.queryId as number);
  if (stream === undefined) return '{"value":null,"done":true}';
  const document = stream.next();
  if (document !== null) return `{"value":${document.json},"done":false}`;
  closeStream(frame, args.queryId as number);
  return '{"value":null,"done":true}';
}

function closeStream(frame: TransactionFrame, queryId: number): void {
  frame.scope.streams.get(queryId)?.close();
  frame.scope.streams.delete(queryId);
}

function queryPage(frame: TransactionFrame, args: SyscallArgs): string {
  const { scope } = frame;
  if (scope.hasPaginated) {
    throw new Error(
      "MultiplePaginatedDatabaseQueries: This query or mutation function ran multiple paginated " +
        "queries. Convex only supports a single paginated query in each function.",
    );
  }
  const pageSize = args.pageSize;
  if (typeof pageSize !== "number" || !Number.isInteger(pageSize) || pageSize < 1) {
    throw new Error("`options.numItems` must be a positive integer");
  }
  scope.hasPaginated = true;
  const page = scope.txn.paginate(queryArg(args), {
    cursor: (args.cursor ?? null) as string | null,
    endCursor: (args.endCursor ?? scope.journal) as string | null,
    pageSize,
    ...(typeof args.maximumRowsRead === "number" && { maximumRowsRead: args.maximumRowsRead }),
    ...(typeof args.maximumBytesRead === "number" && { maximumBytesRead: args.maximumBytesRead }),
  });
  scope.nextJournal = page.continueCursor;
  const rows = page.page.map((document) => document.json).join(",");
  return (
    `{"page":[${rows}],"isDone":${page.isDone},` +
    `"continueCursor":${JSON.stringify(page.continueCursor)},` +
    `"splitCursor":${JSON.stringify(page.splitCursor)},` +
    `"pageStatus":${JSON.stringify(page.pageStatus)}}`
  );
}

function count(frame: TransactionFrame, args: SyscallArgs): string {
  const table = textArg(args, "table");
  assertTableVisible(table);
  return String(frame.scope.txn.count(table));
}

function runUdf(frame: TransactionFrame, args: SyscallArgs): Promise<string> {
  const udfType = textArg(args, "udfType");
  if (udfType === "mutation" && !frame.canWrite) {
    throw new Error("Queries cannot run mutations.");
  }
  if (frame.depth + 1 > NESTED_CALL_DEPTH_MAX) {
    throw new BackendError(
      `Nested function calls are limited to a depth of ${NESTED_CALL_DEPTH_MAX}.`,
    );
  }
  const kind = udfType === "mutation" ? "mutation" : "query";
  const spec = findFunction(frame.deployment, addressedPath(args), [kind]);
  return frame.callNested(spec, args.args as JSONValue, udfType === "snapshotQuery");
}

function metrics(frame: TransactionFrame): string {
  const { scope } = frame;
  return JSON.stringify({
    ...scope.txn.metrics,
    functionsScheduled: { used: scope.scheduledCount, remaining: 1000 - scope.scheduledCount },
    scheduledFunctionArgsBytes: {
      used: scope.scheduledBytes,
      remaining: 16 * 1024 * 1024 - scope.scheduledBytes,
    },
  });
}

function requestMetadata(frame: TransactionFrame): string {
  if (!frame.canWrite) throw new Error("getRequestMetadata() is not available in queries.");
  return JSON.stringify(frame.scope.request);
}

/** Storing from a mutation: the bytes first, the documents in the mutation's own transaction. */
async function storageStore(frame: TransactionFrame, args: SyscallArgs): Promise<string> {
  const { files } = frame.deployment;
  const bytes = Buffer.from(textArg(args, "blob"), "base64");
  const uuid = files.newUuid();
  const info = await files.blobs.write(uuid, Readable.from([bytes]), Number.MAX_SAFE_INTEGER);
  const contentType =
    typeof args.contentType === "string" && args.contentType !== "" ? args.contentType : null;
  return JSON.stringify(files.record(frame.scope.txn, uuid, info, contentType));
}

async function storageGet(frame: TransactionFrame, args: SyscallArgs): Promise<string> {
  const { files } = frame.deployment;
  const file = files.byId(frame.scope.txn, textArg(args, "storageId"));
  const stream = file === null ? null : files.blobs.read(file.uuid);
  if (file === null || stream === null) return "null";
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const blob = Buffer.concat(chunks).toString("base64");
  return JSON.stringify({ blob, contentType: file.contentType });
}

type SyncOp = (frame: TransactionFrame, args: SyscallArgs) => string;
type AsyncOp = (frame: TransactionFrame, args: SyscallArgs) => string | Promise<string>;

const SYNC_OPS: ReadonlyMap<string, SyncOp> = new Map<string, SyncOp>([
  [
    "1.0/queryStream",
    (frame, args) => {
      const stream = frame.scope.txn.openStream(queryArg(args));
      const queryId = (frame.scope.nextStreamId += 1);
      frame.scope.streams.set(queryId, stream);
      return `{"queryId":${queryId}}`;
    },
  ],
  [
    "1.0/queryCleanup",
    (frame, args) => {
      closeStream(frame, args.queryId as number);
      return "true";
    },
  ],
  [
    "1.0/db/normalizeId",
    (frame, args) =>
      JSON.stringify({
        id: frame.scope.txn.normalizeId(textArg(args, "table"), textArg(args, "idString")),
      }),
  ],
  ["1.0/getSnapshotTs", (frame) => JSON.stringify(convexToJson(frame.scope.txn.beginTs))],
]);

const READ_OPS: ReadonlyMap<string, AsyncOp> = new Map<string, AsyncOp>([
  ["1.0/get", get],
  ["1.0/queryStreamNext", streamNext],
  ["1.0/queryPage", queryPage],
  ["1.0/count", count],
  [
    "1.0/getUserIdentity",
    (frame) => {
      frame.scope.hasReadIdentity = true;
      return identityJson(frame.scope.identity);
    },
  ],
  ["1.0/runUdf", runUdf],
  [
    "1.0/createFunctionHandle",
    (frame, args) => {
      const path = addressedPath(args);
      findFunction(frame.deployment, path, ["query", "mutation", "action"]);
      return JSON.stringify(`${FUNCTION_HANDLE_PREFIX}${path}`);
    },
  ],
  [
    "1.0/storageGetUrl",
    (frame, args) =>
      JSON.stringify(frame.deployment.files.urlOf(frame.scope.txn, textArg(args, "storageId"))),
  ],
  [
    "1.0/storageGetMetadata",
    (frame, args) =>
      JSON.stringify(
        frame.deployment.files.metadataOf(frame.scope.txn, textArg(args, "storageId")),
      ),
  ],
  ["1.0/getTransactionMetrics", metrics],
  [
    "1.0/getFunctionMetadata",
    (frame) => JSON.stringify({ name: displayPath(frame.functionPath), componentPath: "" }),
  ],
  [
    "1.0/getDeploymentMetadata",
    (frame) =>
      JSON.stringify({
        name: frame.deployment.settings.instanceName,
        region: null,
        class: "s16",
      }),
  ],
  ["1.0/getRequestMetadata", requestMetadata],
  ["1.0/auditLog", () => "null"],
]);

const WRITE_OPS: ReadonlyMap<string, AsyncOp> = new Map<string, AsyncOp>([
  [
    "1.0/insert",
    (frame, args) => {
      const table = textArg(args, "table");
      assertTableWritable(table);
      const id = frame.scope.txn.insert(table, args.value as JSONValue);
      return `{"_id":${JSON.stringify(id)}}`;
    },
  ],
  [
    "1.0/shallowMerge",
    (frame, args) =>
      frame.scope.txn.patch(writableId(frame, args, "patch"), args.value as JSONValue).json,
  ],
  [
    "1.0/replace",
    (frame, args) =>
      frame.scope.txn.replace(writableId(frame, args, "replace"), args.value as JSONValue).json,
  ],
  ["1.0/remove", (frame, args) => frame.scope.txn.remove(writableId(frame, args, "delete")).json],
  ["1.0/schedule", (frame, args) => JSON.stringify(scheduleFunction(frame, args))],
  [
    "1.0/cancel_job",
    (frame, args) => {
      cancelScheduled(frame.scope, textArg(args, "id"));
      return "null";
    },
  ],
  ["1.0/storageStore", storageStore],
  ["1.0/storageGet", storageGet],
  ["1.0/storageGenerateUploadUrl", (frame) => JSON.stringify(frame.deployment.files.uploadUrl())],
  [
    "1.0/storageDelete",
    (frame, args) => {
      const uuid = frame.deployment.files.remove(frame.scope.txn, textArg(args, "storageId"));
      frame.scope.after.deletedFiles.push(uuid);
      return "null";
    },
  ],
]);
