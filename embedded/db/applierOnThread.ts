/** The {@link Applier} that works on a thread of its own, so that the event loop does not wait for the store. */
import { existsSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { LmdbStore } from "../storage/lmdbStore";
import { UnwritableStoreError } from "../storage/orderedStore";
import type { Applier, ApplyOrder } from "./applier";
import { ApplierEndedError } from "./errors";

/** Where the thread finds what it reads and writes. */
export interface ApplierFolders {
  readonly storeFolder: string;
  readonly journalFolder: string;
}

/** What the thread is asked. */
export type ThreadRequest =
  | { readonly kind: "apply"; readonly order: ApplyOrder; readonly isCatalogOld: boolean }
  | { readonly kind: "close" };

/** What it answers to "apply": nothing but that it is done, or why it failed. */
export interface ThreadAnswer {
  readonly failure: { readonly message: string; readonly isUnwritable: boolean } | null;
}

/** The thread's program beside the built server, which is one file; null where the server runs from its sources. */
export function findApplierProgram(): string | null {
  const file = path.join(import.meta.dirname, "applierThread.mjs");
  return existsSync(file) ? file : null;
}

/** The thread starts with the first order. */
export class ThreadedApplier implements Applier {
  private readonly program: string;
  private readonly folders: ApplierFolders;
  private readonly store: LmdbStore;
  private worker: Worker | null = null;
  private isCatalogOld = false;

  /** @param store reads the same folder in this thread */
  constructor(program: string, folders: ApplierFolders, store: LmdbStore) {
    this.program = program;
    this.folders = folders;
    this.store = store;
  }

  async apply(order: ApplyOrder): Promise<void> {
    const worker = (this.worker ??= this.start());
    const { failure } = await this.ask(worker, {
      kind: "apply",
      order,
      isCatalogOld: this.isCatalogOld,
    });
    this.isCatalogOld = false;
    if (failure !== null) {
      throw failure.isUnwritable
        ? new UnwritableStoreError(failure.message)
        : new Error(failure.message);
    }
    this.store.advancedTo(order.until);
  }

  schemaChanged(): void {
    this.isCatalogOld = true;
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

  private start(): Worker {
    const worker = new Worker(this.program, { workerData: this.folders });
    // Whoever waits for an answer is told (ask); without a listener an error would end the process.
    worker.on("error", () => undefined);
    worker.on("exit", () => (this.worker = null));
    // The process may end while it has nothing to do.
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
