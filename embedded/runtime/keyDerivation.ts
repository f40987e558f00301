/**
 * PBKDF2 for user functions, in threads with a lower priority than the event loop.
 *
 * In Node's thread pool a password hash has the same priority as everything else: the log's syncs and the
 * event loop would compete with it for the CPU. Here they come first and a hash takes the remaining time. The
 * result is SubtleCrypto's, byte for byte; everything except plain PBKDF2 of a known key is left to
 * SubtleCrypto.
 *
 * Not here: which functions may derive keys (sandbox).
 */
import type { webcrypto } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** One core is left to the event loop. */
const THREADS_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
const BITS_PER_BYTE = 8;
/** Maps the names of SubtleCrypto, in upper case, to those of `node:crypto`. */
const DIGESTS: Readonly<Record<string, string>> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

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

interface Job {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly byteCount: number;
  readonly digest: string;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (bits: ArrayBuffer) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread and its current job. */
class Thread {
  private readonly worker = new Worker(THREAD, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  private current: Waiting | null = null;

  constructor(onFree: (thread: Thread) => void, onGone: (thread: Thread) => void) {
    this.worker.on("message", (bits: Uint8Array) => {
      // A copy, because the message's buffer may be larger than the derived bits.
      this.current?.resolve(Uint8Array.from(bits).buffer);
      this.current = null;
      this.worker.unref();
      onFree(this);
    });
    this.worker.on("error", (error) => this.fail(error));
    this.worker.on("exit", () => {
      // Given to it when it had ended already.
      this.fail(new Error("The thread that derives keys ended"));
      onGone(this);
    });
    this.worker.unref();
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

const free = new Set<Thread>();
const queue: Waiting[] = [];
let threadCount = 0;

function serveNext(): void {
  if (queue.length === 0) return;
  const thread = freeThread();
  if (thread === null) return;
  const next = queue.shift();
  if (next !== undefined) thread.start(next);
}

/** A thread without a job, taken out of the free ones; null while all have one. */
function freeThread(): Thread | null {
  const [thread] = free;
  if (thread !== undefined) {
    free.delete(thread);
    return thread;
  }
  if (threadCount === THREADS_MAX) return null;
  try {
    return newThread();
  } catch (error) {
    // The system has no thread to give. Where there is none, nobody would come back to those who wait.
    if (threadCount === 0) for (const { reject } of queue.splice(0)) reject(error);
    return null;
  }
}

function newThread(): Thread {
  const onFree = (thread: Thread): void => {
    free.add(thread);
    serveNext();
  };
  const onGone = (thread: Thread): void => {
    threadCount -= 1;
    free.delete(thread);
    serveNext();
  };
  const thread = new Thread(onFree, onGone);
  threadCount += 1;
  return thread;
}

/** The secrets of imported PBKDF2 keys; a CryptoKey does not reveal its own. */
const secrets = new WeakMap<webcrypto.CryptoKey, Uint8Array>();

function bytesOf(source: unknown): Uint8Array | null {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  if (!ArrayBuffer.isView(source)) return null;
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
}

/** Name of a SubtleCrypto algorithm given as a string or object, in upper case; "" when it has none. */
export function algorithmName(algorithm: unknown): string {
  const isObject = typeof algorithm === "object" && algorithm !== null;
  const name = isObject && "name" in algorithm ? algorithm.name : algorithm;
  return typeof name === "string" ? name.toUpperCase() : "";
}

/** Returns the key that `importKey` makes from `args`, and remembers the secret of a PBKDF2 key. */
export async function noteImportedKey(
  imported: Promise<webcrypto.CryptoKey>,
  [format, data, algorithm]: readonly unknown[],
): Promise<webcrypto.CryptoKey> {
  const isKnown = format === "raw" && algorithmName(algorithm) === "PBKDF2";
  // Copied now: the caller may overwrite it while the key is imported.
  const bytes = isKnown ? bytesOf(data) : null;
  const key = await imported;
  if (bytes !== null) secrets.set(key, bytes);
  return key;
}

function jobOf([algorithm, key, bitCount]: readonly unknown[]): Job | null {
  if (
    typeof algorithm !== "object" ||
    algorithm === null ||
    algorithmName(algorithm) !== "PBKDF2"
  ) {
    return null;
  }
  const { hash, salt, iterations } = algorithm as Partial<webcrypto.Pbkdf2Params>;
  const known = key as webcrypto.CryptoKey;
  const password = secrets.get(known);
  const digest = DIGESTS[algorithmName(hash)];
  const saltBytes = bytesOf(salt);
  const isWhole = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
  if (password === undefined || !known.usages.includes("deriveBits")) return null;
  if (digest === undefined || saltBytes === null) return null;
  if (!isWhole(iterations) || !isWhole(bitCount) || bitCount % BITS_PER_BYTE !== 0) return null;
  const byteCount = bitCount / BITS_PER_BYTE;
  return { password, salt: saltBytes, iterations, byteCount, digest };
}

/**
 * Runs `deriveBits` in a low-priority thread; null when SubtleCrypto has to do it.
 *
 * @param args the arguments of `deriveBits`
 */
export function deriveBitsInThread(args: readonly unknown[]): Promise<ArrayBuffer> | null {
  const job = jobOf(args);
  if (job === null) return null;
  return new Promise((resolve, reject) => {
    queue.push({ job, resolve, reject });
    serveNext();
  });
}
