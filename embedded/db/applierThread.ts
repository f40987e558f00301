/**
 * The program of the applier thread (applierOnThread.ts). It runs at a lower priority than the event loop:
 * calls wait for the event loop, but not for the store, until the store's lag reaches its limit.
 */
import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { JournalFollower } from "../storage/journalFollower.ts";
import { LmdbStore } from "../storage/lmdbStore.ts";
import { DirectApplier, type ApplyOrder } from "./applier.ts";
import type { ApplierFolders, ThreadAnswer, ThreadRequest } from "./applierOnThread.ts";
import { readCatalog, restoreCatalog } from "./catalogStore.ts";

/** With this difference the event loop gets three times as much CPU time when both compete for a core. */
const NICENESS = 5;
const NICENESS_MAX = 19;
try {
  // On Linux this sets the priority of the calling thread only; elsewhere it would slow down the whole
  // process.
  const niceness = Math.min(os.getPriority() + NICENESS, NICENESS_MAX);
  if (process.platform === "linux") os.setPriority(niceness);
} catch {
  // Not permitted in some sandboxes; it works without.
}

const port = parentPort!;
const { storeFolder, journalFolder } = workerData as ApplierFolders;
const store = LmdbStore.open(storeFolder);
const log = new JournalFollower(journalFolder);
const applier = new DirectApplier(store, log, restoreCatalog(readCatalog(store)));

async function apply(order: ApplyOrder, isCatalogOld: boolean): Promise<ThreadAnswer> {
  try {
    if (isCatalogOld) applier.catalog = restoreCatalog(readCatalog(store));
    const { catalog } = applier;
    for (const { name, number, byIdIndex, byCreationIndex } of order.tables) {
      // A new table has no declared indexes until the schema changes.
      if (catalog.table(name) === null) {
        catalog.restoreTable(name, number, byIdIndex, byCreationIndex);
      }
    }
    await applier.apply(order);
    return { failure: null };
  } catch (error) {
    const { name, message } = error as Error;
    return { failure: { name, message } };
  }
}

async function close(): Promise<void> {
  log.close();
  await store.close();
  port.close();
}

port.on("message", (request: ThreadRequest) => {
  if (request.kind === "close") void close();
  else if (request.kind === "endPauses") applier.endPauses();
  else void apply(request.order, request.isCatalogOld).then((answer) => port.postMessage(answer));
});
