/**
 * Calls one query or mutation inside a transaction scope: validates arguments and result, sets up the frame
 * for the SDK's syscalls, runs nested calls under savepoints.
 *
 * Not here: transactions (runtime, queries), retries (mutations), actions (actions).
 */
import { jsonToConvex, type JSONValue, type Value } from "convex/values";
import type { Deployment } from "./deployment.ts";
import { describeFailure, NestedFunctionError } from "./errors.ts";
import { runWithin, type Execution } from "./execution.ts";
import { readArgs, type KeptArgs } from "./keptArgs.ts";
import type { FunctionSpec } from "./modules.ts";
import { callNatively, nativeHandler } from "./nativeContext.ts";
import { restrict } from "./nestedLimits.ts";
import { closeSnapshot, type TransactionScope } from "./scope.ts";
import { TransactionFrame, type NestedCall } from "./syscalls.ts";
import { assertArgs, assertReturns, type CallResult } from "./validation.ts";

/** Arguments in both forms, so that they are converted only once. */
export interface CallArgs {
  readonly json: JSONValue;
  readonly value: Value;
}

/** Decodes arguments (already checked for safety). @throws Error for malformed encodings */
export function callArgs(args: KeptArgs): CallArgs {
  const json = readArgs(args);
  return { json, value: jsonToConvex(json) };
}

/**
 * Runs a query or mutation in `scope` and returns its encoded result.
 *
 * @throws whatever the function throws, validation errors, the errors of the database
 */
export async function invokeInScope(
  deployment: Deployment,
  scope: TransactionScope,
  spec: FunctionSpec,
  args: CallArgs,
  depth = 0,
  onFrame?: (frame: TransactionFrame) => void,
): Promise<string> {
  const tableOfId = (id: string) => scope.txn.tableOf(id);
  assertArgs(spec, args.value, tableOfId);
  const frame = new TransactionFrame(
    deployment,
    scope,
    { functionPath: spec.path, canWrite: spec.kind === "mutation", depth },
    runNested,
  );
  onFrame?.(frame);
  const execution: Execution = {
    kind: spec.kind,
    functionPath: spec.path,
    request: scope.request,
    handler: frame,
    logs: scope.logs,
    env: scope.env,
    frozenNowMs: scope.nowMs,
    hasReadClock: false,
    random: null,
    timers: new Map(),
    functionIndex: spec.index,
  };
  try {
    const builtIn = spec.native?.(deployment, scope, args.json);
    const result =
      builtIn === undefined
        ? await runWithin(execution, () => callFunction(frame, spec, args))
        : { json: builtIn };
    // As officially: nested calls that were not awaited also run to their end, unless the function failed.
    if (frame.isBusy) await frame.settled();
    assertReturns(spec, result, tableOfId);
    return result.json;
  } finally {
    frame.end();
    scope.hasReadClock ||= execution.hasReadClock;
  }
}

function callFunction(
  frame: TransactionFrame,
  spec: FunctionSpec,
  args: CallArgs,
): Promise<CallResult> {
  const { modules, settings } = frame.deployment;
  const { contexts } = modules;
  const handler = settings.context === "native" ? nativeHandler(spec) : null;
  if (handler !== null && contexts !== null) {
    return callNatively(handler, frame, contexts, { spec, args: args.value });
  }
  const { registered } = spec;
  const argsJson = JSON.stringify([args.json]);
  const result =
    spec.kind === "mutation"
      ? registered.invokeMutation?.(argsJson)
      : registered.invokeQuery?.(argsJson);
  if (result === undefined) throw new Error(`${spec.path} cannot be invoked as ${spec.kind}`);
  return result.then((json) => ({ json }));
}

/**
 * Nested mutations are sub-transactions: when one throws, its writes are undone and the caller may catch the
 * error; its reads stay in the read set. Snapshot queries see the state at the transaction's begin.
 */
async function runNested(
  parent: TransactionFrame,
  spec: FunctionSpec,
  { args, isSnapshot, limits }: NestedCall,
): Promise<string> {
  const { deployment, scope } = parent;
  const childScope = isSnapshot ? snapshotScope(scope) : scope;
  if (isSnapshot) scope.snapshot = childScope;
  const savepoint = spec.kind === "mutation" ? scope.txn.savepoint() : null;
  const scheduled = { count: scope.scheduledCount, bytes: scope.scheduledBytes };
  const deletedFiles = scope.after.deletedFiles.length;
  const restore = limits === null ? null : restrict(childScope, limits);
  const undo = (): void => {
    if (savepoint === null) return;
    scope.txn.rollbackTo(savepoint);
    scope.scheduledCount = scheduled.count;
    scope.scheduledBytes = scheduled.bytes;
    scope.after.deletedFiles.length = deletedFiles;
  };
  const onFrame = (frame: TransactionFrame): void =>
    parent.nestedEndsBy(() => {
      frame.end();
      undo();
      restore?.();
    });
  try {
    const call = callArgs(args);
    return await invokeInScope(deployment, childScope, spec, call, parent.depth + 1, onFrame);
  } catch (error) {
    if (!parent.hasEnded) undo();
    throw new NestedFunctionError(describeFailure(error, deployment.modules.functionsDir));
  } finally {
    if (!parent.hasEnded) {
      parent.nestedEndsBy(null);
      restore?.();
    }
    if (isSnapshot) closeSnapshot(scope, childScope);
  }
}

function snapshotScope(scope: TransactionScope): TransactionScope {
  return { ...scope, txn: scope.txn.snapshotAtBegin(), streams: new Map() };
}
