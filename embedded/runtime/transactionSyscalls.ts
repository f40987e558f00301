/**
 * The syscalls of queries and mutations, by name.
 *
 * Not here: the frame they run in and the order of nested calls (syscalls).
 */
import { Readable } from "node:stream";
import { convexToJson, type JSONValue } from "convex/values";
import {
  guardSystemTable,
  closeStream,
  count,
  get,
  queryArg,
  queryPage,
  streamNext,
  writableId,
} from "./databaseSyscalls.ts";
import {
  addressedPath,
  deploymentMetadata,
  findFunction,
  functionHandle,
  functionMetadata,
} from "./deployment.ts";
import { BackendError } from "./errors.ts";
import { identityJson } from "./identity.ts";
import { nestedLimits } from "./nestedLimits.ts";
import { cancelScheduled, scheduleFunction } from "./scheduling.ts";
import { textArg, type SyscallArgs } from "./syscallArgs.ts";
import type { TransactionFrame } from "./syscalls.ts";

const NESTED_CALL_DEPTH_MAX = 8;

function runUdf(frame: TransactionFrame, args: SyscallArgs): Promise<string> {
  const udfType = textArg(args, "udfType");
  if (udfType === "mutation" && !frame.canWrite) {
    throw new Error("Queries cannot run mutations.");
  }
  if (udfType === "snapshotQuery" && !frame.canWrite) {
    // A snapshot query's reads are in no read set, nor is its use of the identity recorded; but the result of
    // a query is shared.
    throw new Error("Queries cannot run queries on a stale snapshot.");
  }
  if (frame.depth + 1 > NESTED_CALL_DEPTH_MAX) {
    throw new BackendError(
      "Cross component call depth limit exceeded. Do you have an infinite loop in your app?",
    );
  }
  const kind = udfType === "mutation" ? "mutation" : "query";
  const spec = findFunction(frame.deployment, addressedPath(args), [kind]);
  return frame.callNested(spec, {
    args: args.args as JSONValue,
    isSnapshot: udfType === "snapshotQuery",
    limits: nestedLimits(args.transactionLimits),
  });
}

function metrics(frame: TransactionFrame): string {
  const { txn, scheduledCount, scheduledBytes, schedulingLimits } = frame.scope;
  return JSON.stringify({
    ...txn.metrics,
    functionsScheduled: {
      used: scheduledCount,
      remaining: schedulingLimits.functionsScheduled - scheduledCount,
    },
    scheduledFunctionArgsBytes: {
      used: scheduledBytes,
      remaining: schedulingLimits.scheduledFunctionArgsBytes - scheduledBytes,
    },
  });
}

function requestMetadata(frame: TransactionFrame): string {
  if (!frame.canWrite) throw new Error("getRequestMetadata() is not available in queries.");
  return JSON.stringify(frame.scope.request);
}

/**
 * Storing a file from a mutation: first the bytes, then the documents in the mutation's own transaction. When
 * these cannot be written any more, the bytes are removed.
 */
async function storageStore(frame: TransactionFrame, args: SyscallArgs): Promise<string> {
  const { files } = frame.deployment;
  const bytes = Readable.from([Buffer.from(textArg(args, "blob"), "base64")]);
  const type = typeof args.contentType === "string" ? args.contentType : "";
  const sha256 = typeof args.sha256 === "string" ? args.sha256 : null;
  const { uuid, info, contentType } = await files.keep(bytes, type, sha256);
  try {
    return await frame.afterChildren(() =>
      JSON.stringify(files.record(frame.scope.txn, uuid, info, contentType)),
    );
  } catch (error) {
    await files.discard(uuid);
    throw error;
  }
}

async function storageGet(frame: TransactionFrame, args: SyscallArgs): Promise<string> {
  const { files } = frame.deployment;
  const file = files.byId(frame.scope.txn, textArg(args, "storageId"));
  const bytes = await files.bytesOf(file);
  if (file === null || bytes === null) return "null";
  return JSON.stringify({ blob: bytes.toString("base64"), contentType: file.contentType });
}

type SyncOp = (frame: TransactionFrame, args: SyscallArgs) => string;
type AsyncOp = (frame: TransactionFrame, args: SyscallArgs) => string | Promise<string>;

/** Synchronous operations. */
export const SYNC_OPS: ReadonlyMap<string, SyncOp> = new Map<string, SyncOp>([
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

/** Operations available in queries and mutations. */
export const READ_OPS: ReadonlyMap<string, AsyncOp> = new Map<string, AsyncOp>([
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
    (frame, args) => JSON.stringify(functionHandle(frame.deployment, args)),
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
  ["1.0/getFunctionMetadata", (frame) => JSON.stringify(functionMetadata(frame.functionPath))],
  ["1.0/getDeploymentMetadata", (frame) => JSON.stringify(deploymentMetadata(frame.deployment))],
  ["1.0/getRequestMetadata", requestMetadata],
  ["1.0/auditLog", () => "null"],
]);

/** Operations available in mutations only. */
export const WRITE_OPS: ReadonlyMap<string, AsyncOp> = new Map<string, AsyncOp>([
  [
    "1.0/insert",
    (frame, args) => {
      const table = textArg(args, "table");
      guardSystemTable(table, false);
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
      const { scope } = frame;
      const id = textArg(args, "id");
      // Officially, only an action may, and no mutation that it calls.
      if (scope.request.scheduledFunctionId === id) {
        throw new Error("A mutation cannot cancel itself");
      }
      cancelScheduled(scope, id);
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
