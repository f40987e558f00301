/**
 * The SDK's doors inside queries and mutations: one frame per function call, all frames of one
 * top-level call sharing a transaction scope.
 *
 * The SDK's own guards can be bypassed by calling `Convex.asyncSyscall` directly, so system tables and
 * writes from queries are refused by the operations as well.
 * Not here: actions (actionSyscalls), the operations (transactionSyscalls), calling handlers (invoke).
 */
import { ConvexError, jsonToConvex, type JSONValue, type Value } from "convex/values";
import { messageOf } from "../storage/errorText.ts";
import type { Deployment } from "./deployment.ts";
import type { SyscallHandler } from "./execution.ts";
import type { FunctionSpec } from "./modules.ts";
import type { TransactionScope } from "./scope.ts";
import type { SyscallArgs } from "./syscallArgs.ts";
import { READ_OPS, SYNC_OPS, WRITE_OPS } from "./transactionSyscalls.ts";
import { leaveUserCode, returnToUserCode } from "./watchdog.ts";

/** Starts a nested call inside a frame's transaction and answers the encoded result. */
export type NestedRunner = (
  frame: TransactionFrame,
  spec: FunctionSpec,
  args: JSONValue,
  isSnapshot: boolean,
) => Promise<string>;

/**
 * One per call of a query or mutation. Operations throw an Error once its scope is closed; without `canWrite`
 * writes are unknown operations.
 */
export class TransactionFrame implements SyscallHandler {
  readonly deployment: Deployment;
  readonly scope: TransactionScope;
  readonly functionPath: string;
  readonly canWrite: boolean;
  readonly depth: number;
  /** One page a function; the functions it calls have one each. */
  hasPaginated = false;
  private readonly runNested: NestedRunner;
  /** Nested calls of this frame run one at a time; while one runs, this frame's own calls wait. */
  private childTail: Promise<unknown> | null = null;
  private isOver = false;
  private endNested: (() => void) | null = null;

  constructor(
    deployment: Deployment,
    scope: TransactionScope,
    call: { functionPath: string; canWrite: boolean; depth: number },
    runNested: NestedRunner,
  ) {
    this.deployment = deployment;
    this.scope = scope;
    this.functionPath = call.functionPath;
    this.canWrite = call.canWrite;
    this.depth = call.depth;
    this.runNested = runNested;
  }

  syscall(op: string, argsJson: string): string {
    const was = leaveUserCode();
    try {
      this.assertOpen();
      const run = SYNC_OPS.get(op);
      if (run === undefined) throw new Error(`Unknown operation ${op}`);
      return run(this, parseArgs(argsJson));
    } finally {
      returnToUserCode(was);
    }
  }

  asyncSyscall(op: string, argsJson: string): Promise<string> {
    const was = leaveUserCode();
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
      returnToUserCode(was);
    }
  }

  jsSyscall(op: string): unknown {
    throw new Error(`Unknown JS operation ${op}`);
  }

  /** The function has ended: what it still asks for is refused, and a nested call that still runs is undone. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endNested?.();
  }

  /** Resolves when no nested call runs or waits. */
  async settled(): Promise<void> {
    while (this.childTail !== null) await this.childTail;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** @param end ends and undoes the nested call that runs now; null: none does */
  nestedEndsBy(end: (() => void) | null): void {
    this.endNested = end;
  }

  /** True while a nested call runs or waits: this frame's own operations have to wait for it. */
  get isBusy(): boolean {
    return this.childTail !== null;
  }

  /** An operation of the native context: {@link syscall} without text in between. */
  operate<T>(run: () => T): T {
    const was = leaveUserCode();
    try {
      this.assertOpen();
      return run();
    } finally {
      returnToUserCode(was);
    }
  }

  /** {@link operate} that fails with the errors the library makes of ours. Only while not busy. */
  operateNow<T>(run: () => T): T {
    try {
      return this.operate(run);
    } catch (error) {
      throw asLibraryError(error);
    }
  }

  /** {@link asyncSyscall} without text in between: {@link operateNow}, after nested calls. */
  async operateInTurn<T>(run: () => T): Promise<T> {
    while (this.childTail !== null) await this.childTail;
    return this.operateNow(run);
  }

  /** Runs a nested function after the ones started before it. */
  callNested(spec: FunctionSpec, args: JSONValue, isSnapshot: boolean): Promise<string> {
    const before = this.childTail ?? Promise.resolve();
    const result = before.then(() => {
      this.assertOpen();
      return this.runNested(this, spec, args, isSnapshot);
    });
    const settled = result.then(noop, noop).then(() => {
      if (this.childTail === settled) this.childTail = null;
    });
    this.childTail = settled;
    return result;
  }

  /**
   * Runs an operation, or the rest of one that had to wait, when no nested call runs: what it writes would be
   * undone with that one. @throws Error when the function has ended meanwhile
   */
  async afterChildren(run: () => string | Promise<string>): Promise<string> {
    while (this.childTail !== null) await this.childTail;
    this.assertOpen();
    return run();
  }

  private assertOpen(): void {
    if (this.scope.isClosed || this.isOver) {
      throw new Error("The function has already returned: await every database call in it.");
    }
  }
}

/** What the library throws for a failed operation: a ConvexError where the failure carries data. */
function asLibraryError(error: unknown): Error {
  const message = messageOf(error);
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  if (data === undefined) return new Error(message, { cause: error });
  const carrier = new ConvexError<Value>(message);
  carrier.data = jsonToConvex(data as JSONValue);
  return carrier;
}

function noop(): void {
  // Only the order of nested calls matters here; their outcome belongs to the caller.
}

function parseArgs(argsJson: string): SyscallArgs {
  return JSON.parse(argsJson) as SyscallArgs;
}
