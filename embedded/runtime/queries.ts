/** Runs one query on a snapshot and reports what its result depends on. */
import type { ReadSet, Transaction } from "../db/types.ts";
import type { Deployment } from "./deployment.ts";
import { describeFailure, type FunctionFailure } from "./errors.ts";
import type { LogSink, RequestInfo } from "./execution.ts";
import type { Identity } from "./identity.ts";
import { invokeInScope, type CallArgs } from "./invoke.ts";
import type { FunctionSpec } from "./modules.ts";
import { isJsonObject } from "./safeJson.ts";
import { closeScope, newScope } from "./scope.ts";

export interface QueryOutcome {
  /** Encoded result, or why there is none. */
  readonly result: { readonly json: string } | { readonly failure: FunctionFailure };
  readonly readSet: ReadSet;
  readonly snapshotTs: bigint;
  readonly logLines: readonly string[];
  /**
   * End cursor of the query's page; after a failure, that of its previous page, for its next run. Null
   * without one.
   */
  readonly journal: string | null;
  /** False when the result is the same for everyone. */
  readonly hasReadIdentity: boolean;
  /** True when the result may change over time, as a transient failure does. */
  readonly hasReadClock: boolean;
}

/** Runs a query. Never rejects: an error thrown by `findSpec` (missing function) is an outcome, too. */
export async function executeQuery(
  deployment: Deployment,
  txn: Transaction,
  call: {
    findSpec: () => FunctionSpec;
    args: () => CallArgs;
    identity: Identity;
    request: RequestInfo;
    logs: LogSink;
    journal: string | null;
    nowMs: number;
  },
): Promise<QueryOutcome> {
  const scope = newScope(txn, { env: deployment.env, ...call });
  let result: QueryOutcome["result"];
  try {
    const running = invokeInScope(deployment, scope, call.findSpec(), call.args());
    result = { json: await deployment.limits.transaction.within(running) };
  } catch (error) {
    result = { failure: describeFailure(error, deployment.modules.functionsDir) };
  } finally {
    closeScope(scope);
    txn.close();
  }
  return {
    result,
    readSet: txn.readSet,
    snapshotTs: txn.beginTs,
    logLines: call.logs.lines,
    journal: scope.nextJournal ?? ("failure" in result ? keptJournal(result, call.journal) : null),
    hasReadIdentity: scope.hasReadIdentity,
    hasReadClock: scope.hasReadClock || ("failure" in result && result.failure.isTransient),
  };
}

/** The journal after a failure: unchanged, unless it is the cursor of another query. */
function keptJournal(result: { failure: FunctionFailure }, journal: string | null): string | null {
  const { data } = result.failure;
  const isUnfit = isJsonObject(data) && data.paginationError === "InvalidCursor";
  return isUnfit ? null : journal;
}
