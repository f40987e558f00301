/**
 * The executor lane of mutations. Mutations that only use the database run one at a time. A mutation that
 * waits for real asynchronous work (hashing, signing) is parked and blocks no other. At its commit, its read
 * set is validated against the commits since it began; on a conflict it runs again.
 */
import { ConflictError } from "../db/errors.ts";
import { CallRefusal } from "./errors.ts";
import { isStranger } from "./sender.ts";

/** Attempts of one mutation before it fails with OptimisticConcurrencyControlFailure. */
export const MUTATION_ATTEMPTS_MAX = 10;
/** After running for this long the lane yields to sockets and timers. */
const LANE_SLICE_MS = 8;

// Captured at load: tests with fake timers must not stop the lane.
const { setImmediate: atNextTurn, clearImmediate: forgetTurn } = globalThis;

type Attempt = () => Promise<unknown>;

/** What one sender has waiting. */
interface Queue {
  readonly sender: string;
  readonly attempts: Attempt[];
}

/**
 * One per runtime. Attempts of one sender start in the order of `run`; an attempt after a conflict is queued at the
 * end. Senders take turns, so that whoever has hundreds waiting keeps nobody else waiting. All strangers together have
 * one: somebody with hundreds of addresses would otherwise keep everybody waiting for seconds.
 */
export class MutationLane {
  /** In the order of their turns; the strangers have one place in it. */
  private readonly waiting: (Queue | Queue[])[] = [];
  private readonly strangers: Queue[] = [];
  private readonly bySender = new Map<string, Queue>();
  private waitingCount = 0;
  private isRunning = false;

  /** Number of queued mutations (parked ones not counted). */
  get queueLength(): number {
    return this.waitingCount;
  }

  /**
   * Queues `attempt`, and again after each conflict.
   *
   * @param sender as from `senderOf`; those with an empty one are taken for as many people
   * @throws whatever `attempt` throws; a transient BackendError after ten conflicts
   */
  run<T>(sender: string, attempt: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = (attemptNumber: number): void => {
        this.push(sender, () => {
          const running = attempt();
          return running.then(resolve, (error: unknown) => {
            // User code may throw anything: pass it on unchanged.
            if (!(error instanceof ConflictError)) resolve(running);
            else if (attemptNumber + 1 < MUTATION_ATTEMPTS_MAX) start(attemptNumber + 1);
            else reject(conflictFailure());
          });
        });
        if (!this.isRunning) this.drain();
      };
      start(0);
    });
  }

  private push(sender: string, attempt: Attempt): void {
    this.waitingCount += 1;
    const known = this.bySender.get(sender);
    if (known !== undefined) return void known.attempts.push(attempt);
    const queue = { sender, attempts: [attempt] };
    if (!isStranger(sender)) this.waiting.push(queue);
    else if (this.strangers.push(queue) === 1) this.waiting.push(this.strangers);
    if (sender !== "") this.bySender.set(sender, queue);
  }

  private shift(): Attempt | undefined {
    const turn = this.waiting.shift();
    const areStrangers = Array.isArray(turn);
    const queue = areStrangers ? turn.shift() : turn;
    const attempt = queue?.attempts.shift();
    if (queue === undefined || attempt === undefined) return undefined;
    this.waitingCount -= 1;
    if (queue.attempts.length > 0) (areStrangers ? this.strangers : this.waiting).push(queue);
    else this.bySender.delete(queue.sender);
    if (areStrangers && this.strangers.length > 0) this.waiting.push(this.strangers);
    return attempt;
  }

  private drain(): void {
    this.isRunning = true;
    const sliceEndMs = performance.now() + LANE_SLICE_MS;
    const next = (): void => {
      if (this.waitingCount > 0 && performance.now() > sliceEndMs) {
        atNextTurn(() => this.drain());
        return;
      }
      const attempt = this.shift();
      if (attempt === undefined) this.isRunning = false;
      else this.take(attempt, next);
    };
    next();
  }

  /** Continues with `next` when the attempt is over, or when it yielded to the event loop (parked). */
  private take(attempt: Attempt, next: () => void): void {
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
    void attempt().then(moveOn, moveOn);
  }
}

function conflictFailure(): CallRefusal {
  return new CallRefusal(
    "OptimisticConcurrencyControlFailure: Documents read from or written to while this mutation was " +
      "being run changed, and retries did not help. See https://docs.convex.dev/error#1",
    { isTransient: true },
  );
}
