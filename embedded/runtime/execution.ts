/**
 * The function that is currently running: one record per invocation.
 *
 * Queries and mutations only use promises, so each promise remembers its execution. The promise hook costs a
 * few assignments, while AsyncLocalStorage up to Node 22 tracks every promise of the process. Actions also
 * have timers and callbacks and need AsyncLocalStorage; it is disabled while no action runs. The watchdog is
 * told whenever a function's code starts, continues or pauses.
 *
 * Not here: what the syscalls do (syscalls, actionSyscalls), how a function is started (invoke).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { promiseHooks } from "node:v8";
import type { Identity } from "./identity.ts";
import { enterUserCode, leaveUserCode } from "./watchdog.ts";

/** What kind of function runs. Queries and mutations are deterministic: frozen clock, no network. */
export type ExecutionKind = "query" | "mutation" | "action" | "http";

/** Metadata of the client's request, handed down to everything the request starts. */
export interface RequestInfo {
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly authToken: string | null;
  readonly scheduledFunctionId: string | null;
}

/** The syscalls through which user code reaches the host (the global `Convex`). */
export interface SyscallHandler {
  syscall(op: string, argsJson: string): string;
  asyncSyscall(op: string, argsJson: string): Promise<string>;
  jsSyscall(op: string, args: Record<string, unknown>): unknown;
}

/** Console lines of one top-level invocation, shared with everything it calls. */
export interface LogSink {
  readonly lines: string[];
  write(level: string, text: string, functionPath: string): void;
}

export interface Execution {
  readonly kind: ExecutionKind;
  readonly functionPath: string;
  readonly request: RequestInfo;
  readonly handler: SyscallHandler;
  readonly logs: LogSink;
  /** The deployment's environment, as `process.env` inside the function. */
  readonly env: Readonly<Record<string, string>>;
  /** Frozen start time in ms for queries and mutations; null where the clock runs. */
  readonly frozenNowMs: number | null;
  /** True once the function has read the clock: its result must not be shared for long. */
  hasReadClock: boolean;
  /** The seeded generator behind `Math.random`, created at first use. */
  random: (() => number) | null;
  readonly timers: Map<string, number>;
  /** Position of the function in the registry, for the watchdog; -1 when it has none. */
  readonly functionIndex: number;
}

const OWNER = Symbol("execution");
type Owned = Promise<unknown> & { [OWNER]?: Execution };

/** An action's execution, until it ends: its timers may outlive it. */
interface RunningAction {
  execution: Execution | undefined;
}

const actions = new AsyncLocalStorage<RunningAction | undefined>();
let actionsRunning = 0;

/**
 * The function whose code runs now. Not set in an action's code that a host callback called; `actions` has it
 * there.
 */
let current: Execution | undefined;
let isFollowingPromises = false;

function setCurrent(execution: Execution | undefined): void {
  current = execution;
  if (execution === undefined) leaveUserCode();
  else enterUserCode(execution.functionIndex);
}

function followPromises(): void {
  if (isFollowingPromises) return;
  isFollowingPromises = true;
  promiseHooks.createHook({
    init: (promise: Owned) => {
      const owner = current ?? (actionsRunning > 0 ? actions.getStore()?.execution : undefined);
      if (owner !== undefined) promise[OWNER] = owner;
    },
    before: (promise: Owned) => setCurrent(promise[OWNER]),
    after: () => setCurrent(undefined),
  });
}

/** The caller's execution, or undefined outside of functions (module load, host code). */
export function currentExecution(): Execution | undefined {
  return current ?? actions.getStore()?.execution;
}

/** The same for a query or mutation only, whose clock stands still and whose randomness is seeded. */
export function deterministicExecution(): (Execution & { frozenNowMs: number }) | undefined {
  const execution = currentExecution();
  return execution !== undefined && isDeterministic(execution) ? execution : undefined;
}

function isDeterministic(execution: Execution): execution is Execution & { frozenNowMs: number } {
  return execution.frozenNowMs !== null;
}

/** Runs `body` as part of a function; everything it awaits belongs to it too. */
export function runWithin<T>(execution: Execution, body: () => T): T {
  followPromises();
  const outer = current;
  setCurrent(execution);
  try {
    return body();
  } finally {
    setCurrent(outer);
  }
}

/** Runs the backend's own code on behalf of an action: what it starts belongs to no execution. */
export function runOutside<T>(body: () => T): T {
  const outer = current;
  setCurrent(undefined);
  try {
    return actions.run(undefined, body);
  } finally {
    setCurrent(outer);
  }
}

/**
 * {@link runWithin} for actions: timers and callbacks belong to the execution too, until the returned
 * function is called.
 */
export function runActionWithin<T>(
  execution: Execution,
  body: () => T,
): { result: T; ended: () => void } {
  actionsRunning += 1;
  const action: RunningAction = { execution };
  const ended = (): void => {
    if (action.execution === undefined) return;
    action.execution = undefined;
    actionsRunning -= 1;
    if (actionsRunning === 0) actions.disable();
  };
  try {
    return { result: actions.run(action, () => runWithin(execution, body)), ended };
  } catch (error) {
    ended();
    throw error;
  }
}

/** Metadata of a request that a client makes under an identity. */
export function clientRequest(
  requestId: string,
  { ip, userAgent }: Pick<RequestInfo, "ip" | "userAgent">,
  identity: Identity,
): RequestInfo {
  return {
    requestId,
    ip,
    userAgent,
    authToken: identity.kind === "user" ? identity.token : null,
    scheduledFunctionId: null,
  };
}

/** 16 hex digits, as clients see them in `[Request ID: …]`. */
export function newRequestId(): string {
  return takeRandom(8).toString("hex");
}

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let poolOffset = 0;

/** Random bytes from the system's CSPRNG, drawn in larger blocks because each draw is a system call. */
export function takeRandom(length: number): Buffer {
  if (poolOffset + length > pool.length) {
    pool = randomBytes(Math.max(POOL_BYTES, length));
    poolOffset = 0;
  }
  const taken = pool.subarray(poolOffset, poolOffset + length);
  poolOffset += length;
  return taken;
}

/** A small fast generator (sfc32) with a secret seed: for `Math.random`, never for secrets. */
export function seededRandom(): () => number {
  const seed = takeRandom(16);
  let a = seed.readUInt32LE(0);
  let b = seed.readUInt32LE(4);
  let c = seed.readUInt32LE(8);
  let counter = seed.readUInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}
