/**
 * The function that is running right now: one record per invocation, found through AsyncLocalStorage.
 *
 * Not here: what the syscalls do (syscalls, actionSyscalls), how a function is started (invoke).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

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

/** The doors through which user code reaches the host (the free identifier `Convex`). */
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
  /** Set when the function looked at the clock: its result must not be shared for long. */
  hasReadClock: boolean;
  /** State of the seeded generator behind `Math.random`, made at first use. */
  random: (() => number) | null;
  readonly timers: Map<string, number>;
  /** Position of the function in the registry, for the watchdog; -1 when it has none. */
  readonly functionIndex: number;
}

const storage = new AsyncLocalStorage<Execution>();

/** The execution the caller belongs to, or undefined outside of functions (module load, host code). */
export function currentExecution(): Execution | undefined {
  return storage.getStore();
}

/** Runs `body` as part of `execution`; everything it awaits belongs to it too. */
export function runWithin<T>(execution: Execution, body: () => T): T {
  return storage.run(execution, body);
}

/** 16 hex digits, as clients see them in `[Request ID: …]`. */
export function newRequestId(): string {
  return takeRandom(8).toString("hex");
}

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let poolOffset = 0;

/** Random bytes from the system's CSPRNG, drawn in larger portions because each draw is a system call. */
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
