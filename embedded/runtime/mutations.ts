/**
 * The executor lane of mutations. Mutations that only use the database run one at a time. A mutation that
 * waits for real asynchronous work (hashing, signing) is parked and blocks no other. At its commit, its read
 * set is validated against the commits since it began; on a conflict it runs again.
 */
import { ConflictError } from "../db/errors.ts";
import { BackendError } from "./errors.ts";

/** Attempts of one mutation before it fails with OptimisticConcurrencyControlFailure. */
export const MUTATION_ATTEMPTS_MAX = 10;
/** After running for this long the lane yields to sockets and timers. */
const LANE_SLICE_MS = 8;

// Captured at load: tests with fake timers must not stop the lane.
const { setImmediate: atNextTurn, clearImmediate: forgetTurn } = globalThis;

interface Waiting {
  readonly run: () => Promise<unknown>;
}

/** One per runtime. Attempts start in the order of `run`; an attempt after a conflict is queued at the end. */
export class MutationLane {
  private readonly waiting: Waiting[] = [];
  private isRunning = false;

  /** Number of queued mutations (parked ones not counted). */
  get queueLength(): number {
    return this.waiting.length;
  }

  /**
   * Queues `attempt`, and again after each conflict.
   *
   * @throws whatever `attempt` throws; a transient BackendError after ten conflicts
   */
  run<T>(attempt: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = (attemptNumber: number): void => {
        this.waiting.push({
          run: () => {
            const running = attempt();
            return running.then(resolve, (error: unknown) => {
              // User code may throw anything: pass it on unchanged.
              if (!(error instanceof ConflictError)) resolve(running);
              else if (attemptNumber + 1 < MUTATION_ATTEMPTS_MAX) start(attemptNumber + 1);
              else reject(conflictFailure());
            });
          },
        });
        if (!this.isRunning) this.drain();
      };
      start(0);
    });
  }

  private drain(): void {
    this.isRunning = true;
    const sliceEndMs = performance.now() + LANE_SLICE_MS;
    const next = (): void => {
      const entry = this.waiting.shift();
      if (entry === undefined) {
        this.isRunning = false;
      } else if (performance.now() > sliceEndMs) {
        this.waiting.unshift(entry);
        atNextTurn(() => this.drain());
      } else {
        this.take(entry, next);
      }
    };
    next();
  }

  /** Continues with `next` when the entry is done, or when it yielded to the event loop (parked). */
  private take(entry: Waiting, next: () => void): void {
    let hasMovedOn = false;
    const moveOn = (): void => {
      if (hasMovedOn) return;
      hasMovedOn = true;
      forgetTurn(parked);
      next();
    };
    const parked = atNextTurn(() => {
      hasMovedOn = true;
      this.drain();
    });
    void entry.run().then(moveOn, moveOn);
  }
}

function conflictFailure(): BackendError {
  return new BackendError(
    "OptimisticConcurrencyControlFailure: Documents read from or written to while this mutation was " +
      "being run changed, and retries did not help. See https://docs.convex.dev/error#1",
    { isTransient: true },
  );
}
