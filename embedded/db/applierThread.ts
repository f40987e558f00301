/**
 * The program of the thread that puts commits into the store (applierOnThread.ts). It gives way to the event loop:
 * answers wait for that one, and nobody for the store, until too much is missing in it.
 */
import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { JournalFollower } from "../storage/journalFollower";
import { LmdbStore } from "../storage/lmdbStore";
import { UnwritableStoreError } from "../storage/orderedStore";
import { DirectApplier, type ApplyOrder } from "./applier";
import type { ApplierFolders, ThreadAnswer, ThreadRequest } from "./applierOnThread";
import type { Catalog } from "./catalog";
import { readCatalog, restoreCatalog } from "./catalogStore";

/** The event loop gets three times as much of a core that both want. */
const NICENESS = 5;
const NICENESS_MAX = 19;
try {
  // On Linux a priority belongs to the thread that asks; elsewhere it would slow down the whole process.
  const niceness = Math.min(os.getPriority() + NICENESS, NICENESS_MAX);
  if (process.platform === "linux") os.setPriority(niceness);
} catch {
  // Where a sandbox forbids the change, commits are put into the store all the same.
}

const port = parentPort!;
const { storeFolder, journalFolder } = workerData as ApplierFolders;
const store = LmdbStore.open(storeFolder);
const log = new JournalFollower(journalFolder);
let catalog = storedCatalog();

function storedCatalog(): Catalog {
  const snapshot = store.snapshot();
  try {
    return restoreCatalog(readCatalog(snapshot));
  } finally {
    snapshot.release();
  }
}

async function apply(order: ApplyOrder, isCatalogOld: boolean): Promise<ThreadAnswer> {
  try {
    if (isCatalogOld) catalog = storedCatalog();
    for (const { name, number, byIdIndex, byCreationIndex } of order.tables) {
      // New, and without declared indexes until the schema says otherwise.
      if (catalog.table(name) === null) {
        catalog.restoreTable(name, number, byIdIndex, byCreationIndex);
      }
    }
    await new DirectApplier(store, log, catalog).apply(order);
    return { failure: null };
  } catch (error) {
    const { message } = error as Error;
    return { failure: { message, isUnwritable: error instanceof UnwritableStoreError } };
  }
}

async function close(): Promise<void> {
  log.close();
  await store.close();
  port.close();
}

port.on("message", (request: ThreadRequest) => {
  if (request.kind === "close") void close();
  else void apply(request.order, request.isCatalogOld).then((answer) => port.postMessage(answer));
});
