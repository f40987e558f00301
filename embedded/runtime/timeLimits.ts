/**
 * Time limits of functions, waiting included. A function that waits for ever would keep its slot, and all
 * versions written since, for ever. When the limit passes, the caller gets an error and further operations
 * are refused; the function's own code cannot be stopped.
 *
 * Time is counted in timer beats, so that a paused process does not use up a function's time. One timer
 * serves all calls of a limit; an idle server has none. Not here: functions that block the process
 * (watchdog).
 */
import { CallRefusal } from "./errors.ts";

/** Calls `beat` at every interval until the returned function is called. */
export type Ticker = (intervalMs: number, beat: () => void) => () => void;

const MS_PER_S = 1000;
const BEATS_PER_LIMIT = 10;
/**
 * Officially 1 s of user time and 15 s of system time. Here a function may also wait for a password hash,
 * queued behind about 300 others on one thread. While it waits, newer versions cannot be released.
 */
const TRANSACTION_MAX_S = 30;
/** The official limits, without and with `"use node"`. */
const ACTION_MAX_S = 30 * 60;
const NODE_ACTION_MAX_S = 10 * 60;

// Captured at load: tests with fake timers must not end running calls.
const { setInterval: every, clearInterval: stopEvery } = globalThis;

const machineTicker: Ticker = (intervalMs, beat) => {
  const timer = every(beat, intervalMs).unref();
  return () => stopEvery(timer);
};

interface Call {
  readonly sinceBeat: number;
  readonly onOver: (error: Error) => void;
}

/** One limit, for any number of calls. */
class TimeLimit {
  private readonly limitS: number;
  private readonly ticker: Ticker;
  /** Oldest first. */
  private readonly calls = new Set<Call>();
  private beats = 0;
  private stop: (() => void) | null = null;

  constructor(limitS: number, ticker: Ticker) {
    this.limitS = limitS;
    this.ticker = ticker;
  }

  /** Calls `onOver` when the limit has passed, unless the returned function was called before. */
  watch(onOver: (error: Error) => void): () => void {
    const call = { sinceBeat: this.beats, onOver };
    this.calls.add(call);
    this.stop ??= this.ticker((this.limitS * MS_PER_S) / BEATS_PER_LIMIT, () => this.beat());
    return () => void this.calls.delete(call);
  }

  /** The result of `work`. @throws what it throws; Error, after `onOver`, when the limit passes first */
  within<T>(work: Promise<T>, onOver?: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = this.watch((error) => {
        onOver?.();
        reject(error);
      });
      work.then(
        (result) => {
          done();
          resolve(result);
        },
        () => {
          done();
          // User code may throw anything: pass it on unchanged.
          resolve(work);
        },
      );
    });
  }

  private beat(): void {
    this.beats += 1;
    for (const call of this.calls) {
      // The first beat of a call was not a full interval.
      if (this.beats - call.sinceBeat <= BEATS_PER_LIMIT) break;
      this.calls.delete(call);
      const text = `Function execution timed out (maximum duration: ${this.limitS}s)`;
      call.onOver(new CallRefusal(text));
    }
    if (this.calls.size > 0) return;
    this.stop?.();
    this.stop = null;
  }
}

export interface TimeLimits {
  /** For a query, or one attempt of a mutation, including everything it calls. */
  readonly transaction: TimeLimit;
  readonly action: TimeLimit;
  readonly nodeAction: TimeLimit;
}

/** The limits of one backend. */
export function newTimeLimits(ticker: Ticker = machineTicker): TimeLimits {
  return {
    transaction: new TimeLimit(TRANSACTION_MAX_S, ticker),
    action: new TimeLimit(ACTION_MAX_S, ticker),
    nodeAction: new TimeLimit(NODE_ACTION_MAX_S, ticker),
  };
}
