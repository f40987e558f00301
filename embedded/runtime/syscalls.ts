/**
 * The SDK's syscalls inside queries and mutations: one frame per function call; all frames of one top-level
 * call share a transaction scope.
 *
 * The SDK's own checks can be bypassed by calling `Convex.asyncSyscall` directly, so the operations
 * themselves also refuse system tables and writes from queries. Not here: actions (actionSyscalls), the
 * operations (transactionSyscalls), calling handlers (invoke).
 */
import { ConvexError, jsonToConvex, type JSONValue, type Value } from "convex/values";
import { messageOf } from "../storage/errorText.ts";
import type { Deployment } from "./deployment.ts";
import type { SyscallHandler } from "./execution.ts";
import type { FunctionSpec } from "./modules.ts";
import type { NestedLimits } from "./nestedLimits.ts";
import type { TransactionScope } from "./scope.ts";
import type { SyscallArgs } from "./syscallArgs.ts";
import { READ_OPS, SYNC_OPS, WRITE_OPS } from "./transactionSyscalls.ts";
import { leaveUserCode, returnToUserCode } from "./watchdog.ts";

/** A call of a function by another one, in its transaction. */
export interface NestedCall {
  readonly args: JSONValue;
  /** It sees the state at the transaction's begin. */
  readonly isSnapshot: boolean;
  readonly limits: NestedLimits | null;
}

/** Runs a nested call inside a frame's transaction and returns the encoded result. */
type NestedRunner = (
  frame: TransactionFrame,
  spec: FunctionSpec,
  call: NestedCall,
) => Promise<string>;

/**
 * One per call of a query or mutation. Operations throw an Error once the scope is closed; without
 * `canWrite`, writes are unknown operations.
 */
export class TransactionFrame implements SyscallHandler {
  readonly deployment: Deployment;
  readonly scope: TransactionScope;
  readonly functionPath: string;
  readonly canWrite: boolean;
  readonly depth: number;
  /** One page per function; the functions it calls have their own. */
  hasPaginated = false;
  private readonly runNested: NestedRunner;
  /** Nested calls of this frame run one at a time; while one runs, this frame's own operations wait. */
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

  /** Ends the frame: further operations are refused, and a nested call that is still running is undone. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endNested?.();
  }

  /** Resolves when no nested call is running or queued. */
  async settled(): Promise<void> {
    while (this.childTail !== null) await this.childTail;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** @param end ends and undoes the running nested call; null when none is running */
  nestedEndsBy(end: (() => void) | null): void {
    this.endNested = end;
  }

  /** True while a nested call is running or queued: this frame's own operations have to wait. */
  get isBusy(): boolean {
    return this.childTail !== null;
  }

  /** An operation of the native context: like {@link syscall}, without JSON text. */
  operate<T>(run: () => T): T {
    const was = leaveUserCode();
    try {
      this.assertOpen();
      return run();
    } finally {
      returnToUserCode(was);
    }
  }

  /** Like {@link operate}, but throws the library's form of our errors. Only while not busy. */
  operateNow<T>(run: () => T): T {
    try {
      return this.operate(run);
    } catch (error) {
      throw asLibraryError(error);
    }
  }

  /** Like {@link asyncSyscall}, without JSON text: {@link operateNow} after the nested calls. */
  async operateInTurn<T>(run: () => T): Promise<T> {
    while (this.childTail !== null) await this.childTail;
    return this.operateNow(run);
  }

  /** Runs a nested function after those started before it. */
  callNested(spec: FunctionSpec, call: NestedCall): Promise<string> {
    const before = this.childTail ?? Promise.resolve();
    const result = before.then(() => {
      this.assertOpen();
      return this.runNested(this, spec, call);
    });
    const settled = result.then(noop, noop).then(() => {
      if (this.childTail === settled) this.childTail = null;
    });
    this.childTail = settled;
    return result;
  }

  /**
   * Runs an operation, or the rest of one that had to wait, when no nested call is running: otherwise its
   * writes could be undone together with the nested call's. @throws Error when the function has ended
   * meanwhile
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

/** The library's error for a failed operation: a ConvexError when the failure carries data. */
function asLibraryError(error: unknown): Error {
  const message = messageOf(error);
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  if (data === undefined) return new Error(message, { cause: error });
  const carrier = new ConvexError<Value>(message);
  carrier.data = jsonToConvex(data as JSONValue);
  return carrier;
}

function noop(): void {
  // Only the order of nested calls matters here; their outcome is the caller's concern.
}

function parseArgs(argsJson: string): SyscallArgs {
  return JSON.parse(argsJson) as SyscallArgs;
}
