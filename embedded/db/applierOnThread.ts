/** The {@link Applier} that runs in a worker thread, so that the event loop does not wait for the store. */
import { existsSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { messageOf } from "../storage/errorText.ts";
import type { LmdbStore } from "../storage/lmdbStore.ts";
import { UnwritableStoreError } from "../storage/orderedStore.ts";
import type { Applier, ApplyOrder } from "./applier.ts";
import { ApplierEndedError } from "./errors.ts";

/** The folders the thread reads from and writes to. */
export interface ApplierFolders {
  readonly storeFolder: string;
  readonly journalFolder: string;
}

/** Requests to the thread. */
export type ThreadRequest =
  | { readonly kind: "apply"; readonly order: ApplyOrder; readonly isCatalogOld: boolean }
  | { readonly kind: "endPauses" }
  | { readonly kind: "close" };

/** The response to "apply": null on success, otherwise why it failed. */
export interface ThreadAnswer {
  readonly failure: { readonly name: string; readonly message: string } | null;
}

/** The errors that are distinguished; all others arrive as plain ones. */
const ERRORS = new Map<string, typeof UnwritableStoreError | typeof ApplierEndedError>([
  ["UnwritableStoreError", UnwritableStoreError],
  ["ApplierEndedError", ApplierEndedError],
]);

/**
 * The thread's program next to the built server, which is one file; null when the server runs from its
 * sources.
 */
export function findApplierProgram(): string | null {
  const file = path.join(import.meta.dirname, "applierThread.mjs");
  return existsSync(file) ? file : null;
}

/** The thread is started by the first `apply`. */
export class ThreadedApplier implements Applier {
  private readonly program: string;
  private readonly folders: ApplierFolders;
  private readonly store: LmdbStore;
  private worker: Worker | null = null;
  private isCatalogOld = false;
  private isEnding = false;

  /** @param store the store of this thread on the same folder */
  constructor(program: string, folders: ApplierFolders, store: LmdbStore) {
    this.program = program;
    this.folders = folders;
    this.store = store;
  }

  async apply(order: ApplyOrder): Promise<void> {
    const worker = (this.worker ??= this.start());
    const { isCatalogOld } = this;
    // A change that comes meanwhile is for the next time.
    this.isCatalogOld = false;
    const { failure } = await this.ask(worker, { kind: "apply", order, isCatalogOld });
    if (failure !== null) {
      const Kind = ERRORS.get(failure.name) ?? Error;
      throw new Kind(failure.message);
    }
    this.store.advancedTo(order.until);
  }

  schemaChanged(): void {
    this.isCatalogOld = true;
  }

  endPauses(): void {
    this.isEnding = true;
    this.worker?.postMessage({ kind: "endPauses" } satisfies ThreadRequest);
  }

  async close(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    this.worker = null;
    worker.ref();
    const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ kind: "close" } satisfies ThreadRequest);
    await gone;
  }

  /** @throws ApplierEndedError when the system has no thread to give: another process may get one */
  private start(): Worker {
    let worker: Worker;
    try {
      worker = new Worker(this.program, { workerData: this.folders });
    } catch (error) {
      const reason = messageOf(error);
      throw new ApplierEndedError(`The thread that writes the store cannot be made: ${reason}`);
    }
    if (this.isEnding) worker.postMessage({ kind: "endPauses" } satisfies ThreadRequest);
    // A waiting `ask` is rejected by its own listener; without any listener an error would end the process.
    worker.on("error", () => undefined);
    worker.on("exit", () => (this.worker = null));
    // An idle thread must not keep the process alive.
    worker.unref();
    return worker;
  }

  private ask(worker: Worker, request: ThreadRequest): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      const over = () => {
        worker.removeListener("message", onAnswer);
        worker.removeListener("error", onGone);
        worker.removeListener("exit", onGone);
        worker.unref();
      };
      const onAnswer = (answer: ThreadAnswer) => {
        over();
        resolve(answer);
      };
      const onGone = (reason: Error | number) => {
        over();
        const why = reason instanceof Error ? reason.message : `exit code ${reason}`;
        reject(new ApplierEndedError(`The thread that writes the store ended: ${why}`));
      };
      worker.ref();
      worker.on("message", onAnswer);
      worker.on("error", onGone);
      worker.on("exit", onGone);
      worker.postMessage(request);
    });
  }
}
