/** What an open database keeps of the log that it replayed. */
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { JOURNAL_FOLDER, openDatabase } from "../../../embedded/db/openDatabase";
import { mutate } from "./support";
import { collectGarbage } from "../../support/heap";
import { temporaryDir } from "../../support/temporaryDir";
import { PATIENCE } from "../../support/patience";

const MIB = 1024 * 1024;

test("nothing of it stays in memory once the store has it", async () => {
  const folder = temporaryDir();
  const [running, left] = [path.join(folder, "running"), path.join(folder, "left")];
  const before = bufferBytes();
  const first = await openDatabase(running);
  const text = "x".repeat(MIB / 2);
  for (let n = 0; n < 80; n++) await mutate(first.db, (tx) => tx.insertValue("notes", { text }));
  fs.cpSync(path.join(running, JOURNAL_FOLDER), path.join(left, JOURNAL_FOLDER), {
    recursive: true,
  });
  await first.db.close();
  const { db, report } = await openDatabase(left);
  expect(report.replayedCommits).toBe(80);
  db.emptyCache();
  // The memory of a buffer is given back a moment after its collection.
  await vi.waitFor(() => expect(bufferBytes() - before).toBeLessThan(25 * MIB), PATIENCE);
  await db.close();
});

function bufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
