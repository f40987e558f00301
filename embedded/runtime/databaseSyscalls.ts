/**
 * Database reads through syscalls, with access control for system tables.
 *
 * Not here: the table of all syscalls (transactionSyscalls), the frame they run in (syscalls).
 */
import { invalidId, tableNotFound } from "../db/ids.ts";
import { DOCUMENTS_READ_MAX } from "../db/limits.ts";
import type { PageResult, QueryJson, StoredDocument } from "../db/types.ts";
import { textArg, type SyscallArgs } from "./syscallArgs.ts";
import type { TransactionFrame } from "./syscalls.ts";
import { VISIBLE_SYSTEM_TABLES } from "./systemTables.ts";

const isHidden = (table: string): boolean =>
  table.startsWith("_") && !VISIBLE_SYSTEM_TABLES.has(table);

function assertVisible(table: string): void {
  if (isHidden(table)) throw new Error(`System table ${table} cannot be read by functions.`);
}

function queryTable(query: QueryJson): string {
  const source = query.source;
  return source.type === "FullTableScan"
    ? source.tableName
    : (source.indexName.split(".", 1)[0] ?? "");
}

/** The query of a syscall. @throws Error when it reads a hidden system table */
export function queryArg(args: SyscallArgs): QueryJson {
  const query = args.query as QueryJson;
  assertVisible(queryTable(query));
  return query;
}

function assertTable(table: string, args: SyscallArgs, operation: string): void {
  if (typeof args.table !== "string" || table === args.table) return;
  const mismatch = `expected to be an Id<"${args.table}">, got Id<"${table}"> instead.`;
  throw invalidId(operation, mismatch);
}

/** @throws Error for a system table reached by `db`, and for another table reached by `db.system` */
export function guardSystemTable(table: string, isSystem: boolean): void {
  if (table.startsWith("_") === isSystem) return;
  throw new Error(
    isSystem
      ? "User tables cannot be accessed with db.system."
      : "System tables can only be accessed with db.system.",
  );
}

/**
 * `db.get`; a hidden table has no documents.
 *
 * @throws Error for a system table read with the wrong method, then for the wrong table
 */
export function getDocument(frame: TransactionFrame, args: SyscallArgs): StoredDocument | null {
  const id = textArg(args, "id");
  const table = frame.scope.txn.tableOf(id);
  if (table === null) return frame.scope.txn.get(id);
  if (isHidden(table)) return null;
  const isSystem = args.isSystem === true;
  guardSystemTable(table, isSystem);
  assertTable(table, args, isSystem ? "system.get" : "get");
  return frame.scope.txn.get(id);
}

/** `db.get`: the document as encoded JSON, or `null`. */
export function get(frame: TransactionFrame, args: SyscallArgs): string {
  return getDocument(frame, args)?.json ?? "null";
}

/**
 * The id of a document a function may change. The transaction refuses ids of no table.
 *
 * @throws Error for a hidden table, then for the wrong table, then for a system table
 */
export function writableId(frame: TransactionFrame, args: SyscallArgs, operation: string): string {
  const id = textArg(args, "id");
  const table = frame.scope.txn.tableOf(id);
  if (table === null) return id;
  if (isHidden(table)) throw tableNotFound(operation, id);
  assertTable(table, args, operation);
  guardSystemTable(table, false);
  return id;
}

/** The next document of a stream. */
export function streamNext(frame: TransactionFrame, args: SyscallArgs): string {
  const stream = frame.scope.streams.get(args.queryId as number);
  if (stream === undefined) return '{"value":null,"done":true}';
  const document = stream.next();
  if (document !== null) return `{"value":${document.json},"done":false}`;
  closeStream(frame, args.queryId as number);
  return '{"value":null,"done":true}';
}

/** Closes a stream; does nothing when it is closed already. */
export function closeStream(frame: TransactionFrame, queryId: number): void {
  frame.scope.streams.get(queryId)?.close();
  frame.scope.streams.delete(queryId);
}

/** Reads a page. A function may read only one; its end cursor becomes the journal. */
export function readPage(frame: TransactionFrame, args: SyscallArgs): PageResult {
  const { scope } = frame;
  if (frame.hasPaginated) {
    throw new Error(
      "This query or mutation function ran multiple paginated queries. Convex only supports a single " +
        "paginated query in each function.",
    );
  }
  const pageSize = args.pageSize;
  if (typeof pageSize !== "number" || !Number.isInteger(pageSize) || pageSize < 0) {
    throw new Error("`options.numItems` must be a positive integer");
  }
  if (pageSize === 0) throw new Error("Must request at least 1 document while paginating");
  if (pageSize > DOCUMENTS_READ_MAX) throw new Error(`Requested too many items: ${pageSize}`);
  if (args.maximumRowsRead === 0 || args.maximumBytesRead === 0) {
    throw new Error("maximumRowsRead and maximumBytesRead must be greater than 0");
  }
  // The journal belongs to the query a client subscribes to, not to queries called by it.
  const isOutermost = frame.depth === 0;
  const journal = isOutermost ? scope.journal : null;
  const page = scope.txn.paginate(queryArg(args), {
    cursor: (args.cursor ?? null) as string | null,
    endCursor: (args.endCursor ?? journal) as string | null,
    pageSize,
    ...(typeof args.maximumRowsRead === "number" && { maximumRowsRead: args.maximumRowsRead }),
    ...(typeof args.maximumBytesRead === "number" && { maximumBytesRead: args.maximumBytesRead }),
  });
  frame.hasPaginated = true;
  if (isOutermost) scope.nextJournal = page.continueCursor;
  return page;
}

/** {@link readPage} as encoded JSON. */
export function queryPage(frame: TransactionFrame, args: SyscallArgs): string {
  const page = readPage(frame, args);
  const rows = page.page.map((document) => document.json).join(",");
  return (
    `{"page":[${rows}],"isDone":${page.isDone},` +
    `"continueCursor":${JSON.stringify(page.continueCursor)},` +
    `"splitCursor":${JSON.stringify(page.splitCursor)},` +
    `"pageStatus":${JSON.stringify(page.pageStatus)}}`
  );
}

/** Number of documents in a table, as encoded JSON. */
export function count(frame: TransactionFrame, args: SyscallArgs): string {
  const table = textArg(args, "table");
  assertVisible(table);
  return String(frame.scope.txn.count(table));
}
