/**
 * Ends the process when a function blocks it. User code shares this process's thread and cannot be stopped
 * safely from inside, so a worker thread watches: when the event loop is blocked while user code runs, it
 * records the function in a file and kills the process, for its supervisor to restart.
 *
 * Nothing is lost: what was acknowledged is durable; clients reconnect and resend the rest. A function that
 * blocks twice is refused for a while, so that a resent call cannot keep the server down.
 */
import { existsSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** Heartbeats within the allowed blocking time. Each heartbeat costs an idle server two wake-ups. */
const BEATS_PER_STALL = 10;
/** A second strike within this time makes a function refused, for the same length of time. */
export const STRIKE_MEMORY_MS = 10 * 60 * 1000;

/** Slots of the shared memory. */
const BEATS = 0;
const IS_USER_CODE = 1;
const FUNCTION_INDEX = 2;

/** Counts heartbeats, not time: a machine that was suspended as a whole has missed none. */
const WATCHER = `
const { workerData } = require("node:worker_threads");
const { appendFileSync } = require("node:fs");
const { shared, beatMs, strikesFile, paths } = workerData;
let lastBeat = -1;
let missed = 0;
setInterval(() => {
  const beat = Atomics.load(shared, ${BEATS});
  if (beat !== lastBeat || Atomics.load(shared, ${IS_USER_CODE}) !== 1) {
    lastBeat = beat;
    missed = 0;
  } else if (++missed >= ${BEATS_PER_STALL}) {
    const path = paths[Atomics.load(shared, ${FUNCTION_INDEX})] ?? "";
    try {
      appendFileSync(strikesFile, JSON.stringify({ path, atMs: Date.now() }) + "\\n");
    } finally {
      // Also when the disk is full.
      process.kill(process.pid, "SIGKILL");
    }
  }
}, beatMs);
`;

const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));

/** Records that user code of this function runs from now on. */
export function enterUserCode(functionIndex: number): void {
  shared[FUNCTION_INDEX] = functionIndex;
  shared[IS_USER_CODE] = 1;
}

/**
 * Records that the backend's own code runs from now on. It is never killed, however long the disk takes.
 * Returns the state to pass to `returnToUserCode`.
 */
export function leaveUserCode(): number {
  const was = shared[IS_USER_CODE]!;
  shared[IS_USER_CODE] = 0;
  return was;
}

/** Restores the state before `leaveUserCode`: user code runs again if it did before. */
export function returnToUserCode(was: number): void {
  shared[IS_USER_CODE] = was;
}

interface WatchdogOptions {
  /** Blocking the process for this long counts as never returning. Officially user code has 1 s. */
  readonly stallMs: number;
  readonly strikesFile: string;
  /** Function paths by index. */
  readonly paths: readonly string[];
}

/** Starts watching; returns the function that stops it. */
export function startWatchdog(options: WatchdogOptions): () => Promise<void> {
  const beatMs = options.stallMs / BEATS_PER_STALL;
  const heart = setInterval(() => void Atomics.add(shared, BEATS, 1), beatMs).unref();
  const worker = new Worker(WATCHER, {
    eval: true,
    workerData: { shared, beatMs, ...options },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
  return async () => {
    clearInterval(heart);
    await worker.terminate();
  };
}

/** Parses one line of the file; null for an empty or incomplete one. */
function parseStrike(line: string): { path: string; atMs: number } | null {
  try {
    return JSON.parse(line) as { path: string; atMs: number };
  } catch {
    return null;
  }
}

/**
 * The functions that blocked the server twice, with the time (ms) until which they are refused, from the
 * strikes file.
 */
export function blockedFunctions(strikesFile: string): ReadonlyMap<string, number> {
  const untilMs = new Map<string, number>();
  if (!existsSync(strikesFile)) return untilMs;
  const lastStrikeMs = new Map<string, number>();
  for (const line of readFileSync(strikesFile, "utf8").split("\n")) {
    const strike = parseStrike(line);
    if (strike === null) continue;
    const { path, atMs } = strike;
    if (atMs - (lastStrikeMs.get(path) ?? -Infinity) < STRIKE_MEMORY_MS) {
      untilMs.set(path, atMs + STRIKE_MEMORY_MS);
    }
    lastStrikeMs.set(path, atMs);
  }
  return untilMs;
}
