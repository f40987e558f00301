/** Exporting a database, also while it accepts commits. */
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase, openMemoryDatabase } from "../../../embedded/db/openDatabase";
import { exportDeployment } from "../../../embedded/operations/archive";
import { memoryBlobs } from "../../../embedded/runtime/blobs";
import { SYSTEM_TABLES } from "../../../embedded/runtime/systemTables";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { mutate } from "../db/support";
import { temporaryDir } from "../../support/temporaryDir";
import { watchSyncs } from "./syncs";

test("it holds what was committed before, and nothing in memory of what is written meanwhile", async () => {
  const folder = temporaryDir();
  const { db } = await openDatabase(path.join(folder, "db"), { systemSchema: SYSTEM_TABLES });
  await db.applySchema(null);
  const insert = (n: number) => mutate(db, (tx) => tx.insertValue("notes", { n }));
  await insert(1);
  const finish = Object.getOwnPropertyDescriptor(ZipWriter.prototype, "finish")!
    .value as ZipWriter["finish"];
  let isKept: boolean | null = null;
  vi.spyOn(ZipWriter.prototype, "finish").mockImplementation(async function (this: ZipWriter) {
    const id = await insert(2);
    await db.drain();
    db.emptyCache();
    isKept = db.versions.knows(id);
    return finish.call(this);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const target = path.join(folder, "archive.zip");
  await exportDeployment({ db, blobs: memoryBlobs() }, target, { includeFiles: true });
  expect(isKept).toBe(false);
  const archive = await ZipReader.open(target);
  const lines: string[] = [];
  for await (const line of archive.lines("notes/documents.jsonl")) lines.push(line);
  expect(lines).toEqual([expect.stringContaining('"n":1')]);
  await archive.close();
  await db.close();
});

test("an archive is on the disk, its name too, before it is said to be done", async () => {
  const db = await openMemoryDatabase({ systemSchema: SYSTEM_TABLES });
  await db.applySchema(null);
  const target = path.join(temporaryDir(), "archive.zip");
  const synced: string[] = [];
  await watchSyncs((one) => synced.push(path.relative(target, one) || "."));
  await exportDeployment({ db, blobs: memoryBlobs() }, target, { includeFiles: true });
  expect(synced).toEqual([".", ".."]);
  await db.close();
});
