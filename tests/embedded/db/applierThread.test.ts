/** What the event loop tells the thread that applies commits. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ThreadedApplier } from "../../../embedded/db/applierOnThread";
import type { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { temporaryDir } from "../server/testServer";

/** Fails with what it was told of the catalog. */
const ECHO = `
import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ kind, isCatalogOld }) => {
  if (kind === "close") parentPort.close();
  else parentPort.postMessage({ failure: { message: "catalog old: " + isCatalogOld, isUnwritable: false } });
});
`;

test("a schema that changes while commits are applied is told with the next ones, and once", async () => {
  const program = path.join(temporaryDir(), "echo.mjs");
  fs.writeFileSync(program, ECHO);
  const folders = { storeFolder: "", journalFolder: "" };
  const applier = new ThreadedApplier(program, folders, {} as LmdbStore);
  const order = { until: 1, tables: [], state: { ts: "1", creationTime: 1, nextIndexId: 1 } };
  const first = applier.apply(order);
  applier.schemaChanged();
  await expect(first).rejects.toThrow("catalog old: false");
  await expect(applier.apply(order)).rejects.toThrow("catalog old: true");
  await expect(applier.apply(order)).rejects.toThrow("catalog old: false");
  await applier.close();
});
