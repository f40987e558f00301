/**
 * Threads that derive keys with PBKDF2, with a lower priority than the event loop.
 *
 * In Node's thread pool a password hash has the same priority as everything else: the log's syncs and the
 * event loop would compete with it for the CPU. Here they come first and a hash takes the remaining time.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** One core is left to the event loop. */
const THREADS_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
/**
 * With this difference the event loop gets three times as much CPU time when both compete for a core. A
 * larger one would make signing in take seconds.
 */
const NICENESS = 5;
const NICENESS_MAX = 19;
// On Linux this sets the priority of the calling thread only; elsewhere it would slow down the whole process.
// Not permitted in some sandboxes; it works without.
const THREAD = `
const { parentPort } = require("node:worker_threads");
const { pbkdf2Sync } = require("node:crypto");
const os = require("node:os");
try {
  const niceness = Math.min(os.getPriority() + ${NICENESS}, ${NICENESS_MAX});
  if (process.platform === "linux") os.setPriority(niceness);
} catch {}
parentPort.on("message", ({ password, salt, iterations, byteCount, digest }) => {
  parentPort.postMessage(pbkdf2Sync(password, salt, iterations, byteCount, digest));
});
`;

/** What one key is derived from; `digest` as `node:crypto` names it. */
export interface KeyJob {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly byteCount: number;
  readonly digest: string;
}

interface Waiting {
  readonly job: KeyJob;
  readonly resolve: (bits: ArrayBuffer) => void;
  readonly reject: (error: unknown) => void;
}

type MakeWorker = () => Worker;

export const startWorker: MakeWorker = () =>
  new Worker(THREAD, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });

/** One thread and its current job. */
class Thread {
  private readonly worker: Worker;
  private current: Waiting | null = null;

  constructor(worker: Worker, onFree: (thread: Thread) => void, onGone: (thread: Thread) => void) {
    this.worker = worker;
    worker.on("message", (bits: Uint8Array) => {
      // A copy, because the message's buffer may be larger than the derived bits.
      this.current?.resolve(Uint8Array.from(bits).buffer);
      this.current = null;
      worker.unref();
      onFree(this);
    });
    worker.on("error", (error) => this.fail(error));
    worker.on("exit", () => {
      // Given to it when it had ended already.
      this.fail(new Error("The thread that derives keys ended"));
      onGone(this);
    });
    worker.unref();
  }

  private fail(error: unknown): void {
    this.current?.reject(error);
    this.current = null;
  }

  start(waiting: Waiting): void {
    this.current = waiting;
    this.worker.ref();
    this.worker.postMessage(waiting.job);
  }
}

/** As many threads as the machine has room for, made when they are first needed. */
export class KeyThreads {
  private readonly makeWorker: MakeWorker;
  private readonly free = new Set<Thread>();
  private readonly queue: Waiting[] = [];
  private threadCount = 0;

  constructor(makeWorker: MakeWorker = startWorker) {
    this.makeWorker = makeWorker;
  }

  /** The derived bits, once a thread had time. @throws Error when there is no thread, or it ended meanwhile */
  derive(job: KeyJob): Promise<ArrayBuffer> {
    return new Promise((resolve, reject) => {
      this.queue.push({ job, resolve, reject });
      this.serveNext();
    });
  }

  private serveNext(): void {
    if (this.queue.length === 0) return;
    const thread = this.takeThread();
    if (thread === null) return;
    const next = this.queue.shift();
    if (next !== undefined) thread.start(next);
  }

  /** A thread without a job, taken out of the free ones; null while all have one. */
  private takeThread(): Thread | null {
    const [thread] = this.free;
    if (thread !== undefined) {
      this.free.delete(thread);
      return thread;
    }
    if (this.threadCount === THREADS_MAX) return null;
    try {
      return this.newThread();
    } catch (error) {
      // The system has no thread to give. Where there is none, nobody would come back to those who wait.
      if (this.threadCount === 0) for (const { reject } of this.queue.splice(0)) reject(error);
      return null;
    }
  }

  private newThread(): Thread {
    const onFree = (thread: Thread): void => {
      this.free.add(thread);
      this.serveNext();
    };
    const onGone = (thread: Thread): void => {
      this.threadCount -= 1;
      this.free.delete(thread);
      this.serveNext();
    };
    const thread = new Thread(this.makeWorker(), onFree, onGone);
    this.threadCount += 1;
    return thread;
  }
}
