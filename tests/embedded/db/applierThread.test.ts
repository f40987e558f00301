/** What the event loop tells the thread that applies commits. */
import fs from "node:fs";
import path from "node:path";
import threads, { type Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { ThreadedApplier } from "../../../embedded/db/applierOnThread";
import { ApplierEndedError } from "../../../embedded/db/errors";
import type { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { replaceIn } from "../../support/builtins";
import { temporaryDir } from "../../support/temporaryDir";

/** Fails with what it was told of the catalog. */
const ECHO = `
import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ kind, isCatalogOld }) => {
  if (kind === "close") parentPort.close();
  else parentPort.postMessage({ failure: { name: "Error", message: "catalog old: " + isCatalogOld } });
});
`;

const ORDER = { until: 1, tables: [], state: { ts: "1", creationTime: 1, nextIndexId: 1 } };

function newApplier(text = ECHO): ThreadedApplier {
  const program = path.join(temporaryDir(), "program.mjs");
  fs.writeFileSync(program, text);
  return new ThreadedApplier(program, { storeFolder: "", journalFolder: "" }, {} as LmdbStore);
}

test("a schema that changes while commits are applied is told with the next ones, and once", async () => {
  const applier = newApplier();
  const first = applier.apply(ORDER);
  applier.schemaChanged();
  await expect(first).rejects.toThrow("catalog old: false");
  await expect(applier.apply(ORDER)).rejects.toThrow("catalog old: true");
  await expect(applier.apply(ORDER)).rejects.toThrow("catalog old: false");
  await applier.close();
});

test("a thread that has used up what it reads the log with counts as one that ended", async () => {
  const applier = newApplier(ECHO.replace('"Error"', '"ApplierEndedError"'));
  await expect(applier.apply(ORDER)).rejects.toThrow(ApplierEndedError);
  await applier.close();
});

test("a thread that the system refuses counts as one that ended: another process may get one", async () => {
  class RefusedWorker {
    constructor() {
      throw new Error("ERR_WORKER_INIT_FAILED");
    }
  }
  replaceIn(threads, { Worker: RefusedWorker as unknown as typeof Worker });
  const refused = newApplier().apply(ORDER);
  await expect(refused).rejects.toThrow(ApplierEndedError);
  await expect(refused).rejects.toThrow("cannot be made: ERR_WORKER_INIT_FAILED");
});
