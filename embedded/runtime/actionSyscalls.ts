/**
 * The SDK's syscalls inside actions and HTTP actions: every call that touches data is a transaction of its
 * own.
 *
 * Not here: queries and mutations (syscalls).
 */
import type { JSONValue } from "convex/values";
import type { Transaction } from "../db/types.ts";
import {
  addressedPath,
  deploymentMetadata,
  findFunction,
  functionHandle,
  functionMetadata,
  type Deployment,
} from "./deployment.ts";
import { NestedFunctionError, type FunctionFailure } from "./errors.ts";
import { runOutside, type LogSink, type RequestInfo, type SyscallHandler } from "./execution.ts";
import { identityJson, type Identity } from "./identity.ts";
import type { KeptArgs } from "./keptArgs.ts";
import type { FunctionSpec } from "./modules.ts";
import { cancelScheduled, scheduleFunction } from "./scheduling.ts";
import type { TransactionScope } from "./scope.ts";
import { textArg, type SyscallArgs } from "./syscallArgs.ts";
import { readNewest } from "./tableReads.ts";

/** A call of a known function, from the server's own code. */
export interface InternalCall {
  readonly spec: FunctionSpec;
  readonly args: KeptArgs;
  readonly identity: Identity;
  readonly request: RequestInfo;
  readonly logs: LogSink;
  readonly around?: Around;
}

/** The caller's own work inside a mutation's transaction (the scheduler's bookkeeping). */
export interface Around {
  /** False when the mutation must not run (any more). */
  mayRun(txn: Transaction): boolean;
  onSuccess?(txn: Transaction, nowMs: number): void;
}

/** What an action and everything that it calls have in common. */
export type ActionCall = Omit<InternalCall, "spec" | "args"> & { readonly functionPath: string };

export type CallOutcome = { readonly json: string } | { readonly failure: FunctionFailure };

/** Who caused a transaction of the backend's own. */
export type OnBehalfOf = Pick<InternalCall, "identity" | "request">;

/** What actions need from the runtime. */
export interface ActionHost {
  readonly deployment: Deployment;
  runQuery(call: InternalCall): Promise<CallOutcome>;
  runMutation(call: InternalCall): Promise<CallOutcome>;
  runAction(call: InternalCall): Promise<CallOutcome>;
  /** Runs the backend's own `body` in a transaction, by default on its own behalf, and waits until it is durable. */
  transact<T>(body: (scope: TransactionScope) => T, onBehalfOf?: OnBehalfOf): Promise<T>;
  storeBlob(blob: Blob, expectedSha256: string | null): Promise<string>;
  readBlob(storageId: string): Promise<Blob | null>;
}

const IO_OPERATIONS_MAX = 1000;

/** One per action call. An operation rejects with an Error when 1,000 others are in progress, and after `end`. */
export class ActionFrame implements SyscallHandler {
  private readonly host: ActionHost;
  private readonly call: ActionCall;
  private operations = 0;
  private isOver = false;

  constructor(host: ActionHost, call: ActionCall) {
    this.host = host;
    this.call = call;
  }

  /** Called when the action's time limit has passed: further operations are rejected. */
  end(): void {
    this.isOver = true;
  }

  syscall(op: string): string {
    throw new Error(`Unknown operation ${op}`);
  }

  asyncSyscall(op: string, argsJson: string): Promise<string> {
    return this.counted(() => this.dispatch(op, JSON.parse(argsJson) as SyscallArgs));
  }

  jsSyscall(op: string, args: SyscallArgs): unknown {
    switch (op) {
      case "storage/storeBlob": {
        const options = args.options as { sha256?: string } | undefined;
        return this.counted(() => this.host.storeBlob(args.blob as Blob, options?.sha256 ?? null));
      }
      case "storage/getBlob":
        return this.counted(() => this.host.readBlob(textArg(args, "storageId")));
      default:
        throw new Error(`Unknown JS operation ${op}`);
    }
  }

  private counted<T>(run: () => Promise<T>): Promise<T> {
    return runOutside(async () => {
      if (this.isOver) throw new Error("The time of this action is over.");
      if (this.operations >= IO_OPERATIONS_MAX) {
        throw new Error(
          `Too many concurrent operations in a function (limit: ${IO_OPERATIONS_MAX})`,
        );
      }
      this.operations += 1;
      try {
        return await run();
      } finally {
        this.operations -= 1;
      }
    });
  }

  private async dispatch(op: string, args: SyscallArgs): Promise<string> {
    const { deployment } = this.host;
    switch (op) {
      case "1.0/actions/query":
        return this.runFunction("query", args);
      case "1.0/actions/mutation":
        return this.runFunction("mutation", args);
      case "1.0/actions/action":
        return this.runFunction("action", args);
      case "1.0/actions/schedule":
        return JSON.stringify(
          await this.host.transact(
            (scope) => scheduleFunction({ deployment, scope }, args),
            this.call,
          ),
        );
      case "1.0/actions/cancel_job":
        await this.host.transact((scope) => cancelScheduled(scope, textArg(args, "id")), this.call);
        return "null";
      case "1.0/getUserIdentity":
        return identityJson(this.call.identity);
      case "1.0/createFunctionHandle":
        return JSON.stringify(functionHandle(deployment, args));
      case "1.0/getFunctionMetadata":
        return JSON.stringify(functionMetadata(this.call.functionPath));
      case "1.0/getDeploymentMetadata":
        return JSON.stringify(deploymentMetadata(deployment));
      case "1.0/getRequestMetadata":
        return JSON.stringify(this.call.request);
      case "1.0/auditLog":
        throw new Error("Audit logging is not yet supported in actions");
      case "1.0/actions/vectorSearch":
        throw new Error("Vector search is not supported by the embedded backend.");
      default:
        return this.storage(op, args);
    }
  }

  private async storage(op: string, args: SyscallArgs): Promise<string> {
    const { files, db } = this.host.deployment;
    switch (op) {
      case "1.0/storageGenerateUploadUrl":
        return JSON.stringify(files.uploadUrl());
      case "1.0/storageDelete":
        await this.host.transact((scope) => {
          scope.after.deletedFiles.push(files.remove(scope.txn, textArg(args, "storageId")));
        }, this.call);
        return "null";
      case "1.0/storageGetUrl":
      case "1.0/storageGetMetadata": {
        const storageId = textArg(args, "storageId");
        const answer = readNewest(db, (txn) =>
          op === "1.0/storageGetUrl"
            ? files.urlOf(txn, storageId)
            : files.metadataOf(txn, storageId),
        );
        return JSON.stringify(answer);
      }
      default:
        throw new Error(`Unknown async operation ${op}`);
    }
  }

  private async runFunction(
    kind: "query" | "mutation" | "action",
    args: SyscallArgs,
  ): Promise<string> {
    const spec = findFunction(this.host.deployment, addressedPath(args), [kind]);
    const call: InternalCall = {
      spec,
      args: args.args as JSONValue,
      identity: this.call.identity,
      request: this.call.request,
      logs: this.call.logs,
    };
    const outcome = await (kind === "query"
      ? this.host.runQuery(call)
      : kind === "mutation"
        ? this.host.runMutation(call)
        : this.host.runAction(call));
    if ("failure" in outcome) throw new NestedFunctionError(outcome.failure);
    return outcome.json;
  }
}
