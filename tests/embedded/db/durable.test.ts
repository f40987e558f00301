/**
 * What a database on disk preserves: across restarts, damage, backups and schema changes.
 *
 * Long because it is one folder's life.
 */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { backupDatabase, rebuildFromLog, unpackDatabase } from "../../../embedded/db/backup";
import {
  JOURNAL_FOLDER,
  openDatabase,
  openMemoryDatabase,
  STORE_FOLDER,
} from "../../../embedded/db/openDatabase";
import { exportTables, importTables, insertDocuments } from "../../../embedded/db/tableArchive";
import { SchemaMismatchError } from "../../../embedded/db/errors";
import { newId } from "../../../embedded/db/ids";
import { inspectStore } from "../../../embedded/operations/inspect";
import { FolderInUseError } from "../../../embedded/storage/folderLock";
import { listSegments } from "../../../embedded/storage/journalFiles";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { DamageError } from "../../../embedded/storage/orderedStore";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { collect, mutate, range, read, scan, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});

const NOTES = schema(table("notes", { by_text: ["text"] }));
const JOURNAL = { firstSegmentBytes: 65_536, segmentBytes: 65_536 };
const where = (name: string) => path.join(folder, name);

async function open(name: string, definition = NOTES) {
  const { db, report } = await openDatabase(where(name), { journal: JOURNAL });
  await db.applySchema(definition);
  return { db, report };
}

async function fill(name: string, count: number): Promise<Record<string, unknown>[]> {
  const { db } = await open(name);
  for (let n = 0; n < count; n++) {
    await mutate(db, (tx) => tx.insertValue("notes", { text: `note ${n}`, amount: BigInt(n) }));
  }
  const docs = read(db, (tx) => collect(tx, scan("notes")));
  await db.close();
  return docs;
}

test("everything is there after closing and opening, in every index", async () => {
  const docs = await fill("a", 40);
  const { db, report } = await open("a");
  expect(report.store.isFullCheck).toBe(false);
  expect(read(db, (tx) => collect(tx, scan("notes")))).toEqual(docs);
  expect(read(db, (tx) => collect(tx, range("notes.by_text")))).toHaveLength(40);
  expect(read(db, (tx) => collect(tx, range("notes.by_id", [], "desc")))).toHaveLength(40);
  await db.close();
});

test("a second server on the same folder is refused", async () => {
  const { db } = await open("a");
  await expect(openDatabase(where("a"))).rejects.toThrow(FolderInUseError);
  await db.close();
});

test("timestamps and creation times never go back, whatever the clock does", async () => {
  const later = { journal: JOURNAL, now: () => 2_000_000_000_000 };
  const first = (await openDatabase(where("a"), later)).db;
  const tx = first.beginMutation(2_000_000_000_000);
  tx.insertValue("notes", { n: 1 });
  const { ts, durable } = first.commit(tx);
  await durable;
  await first.close();
  const second = (await openDatabase(where("a"), { journal: JOURNAL, now: () => 1000 })).db;
  const next = second.beginMutation(1000);
  next.insertValue("notes", { n: 2 });
  const after = second.commit(next);
  await after.durable;
  expect(after.ts > ts).toBe(true);
  expect(read(second, (query) => collect(query, scan("notes"))).map((doc) => doc.n)).toEqual([
    1, 2,
  ]);
  await second.close();
});

test("a flipped byte anywhere in a closed store's file is found before anything is served", async () => {
  await fill("a", 30);
  const file = path.join(where("a"), "store", "data.mdb");
  const original = fs.readFileSync(file);
  for (let at = 100; at < original.length; at += Math.ceil(original.length / 12)) {
    const bytes = Buffer.from(original);
    bytes[at]! ^= 1;
    fs.writeFileSync(file, bytes);
    await expect(openDatabase(where("a"), { journal: JOURNAL }), `byte ${at}`).rejects.toThrow(
      DamageError,
    );
  }
  fs.writeFileSync(file, original.subarray(0, original.length / 2));
  await expect(openDatabase(where("a"))).rejects.toThrow(DamageError);
  fs.rmSync(file);
  await expect(openDatabase(where("a"))).rejects.toThrow(DamageError);
  fs.writeFileSync(file, original);
  await (await open("a")).db.close();
});

test("the checksum of a closed store is withdrawn before the file may change", async () => {
  await fill("a", 1);
  const checksum = () => {
    const seal = fs.readFileSync(path.join(where("a"), STORE_FOLDER, "seal"), "utf8");
    return (JSON.parse(seal) as { wholeFile: number | null }).wholeFile;
  };
  expect(checksum()).not.toBeNull();
  const openStore = LmdbStore.open.bind(LmdbStore);
  const opened = vi.spyOn(LmdbStore, "open").mockImplementation((file) => {
    expect(checksum()).toBeNull();
    return openStore(file);
  });
  onTestFinished(() => opened.mockRestore());
  const { db } = await open("a");
  expect(opened).toHaveBeenCalledOnce();
  await db.close();
});

test("a log that is gone, or older, is missed as long as the store lacks what was acknowledged", async () => {
  await fill("db", 5);
  const log = path.join(where("db"), JOURNAL_FOLDER);
  fs.cpSync(log, where("earlier"), { recursive: true });
  const { db } = await open("db");
  const apply = vi.spyOn(LmdbStore.prototype, "apply").mockRejectedValue(new Error("ENOSPC"));
  await mutate(db, (tx) => tx.insertValue("notes", { text: "acknowledged" }));
  await expect(db.drain()).rejects.toThrow("ENOSPC");
  await db.close();
  apply.mockRestore();
  fs.renameSync(log, where("away"));
  const attempts = [() => open("db"), () => rebuildFromLog(where("db"))];
  const gone = `There is no log in ${log}, but`;
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(gone);
  const [, finding] = await inspectStore(folder);
  expect(finding).toMatchObject({ check: "log", status: "problem" });
  fs.renameSync(where("earlier"), log);
  for (const attempt of attempts)
    await expect(attempt()).rejects.toThrow("The log ends at position");
  fs.rmSync(log, { recursive: true });
  fs.renameSync(where("away"), log);
  const again = await open("db");
  expect(read(again.db, (tx) => collect(tx, scan("notes")))).toHaveLength(6);
  await again.db.close();
});

test("a log that is gone is not missed when the store has everything", async () => {
  await fill("a", 5);
  fs.rmSync(path.join(where("a"), JOURNAL_FOLDER), { recursive: true });
  const { db } = await open("a");
  expect(read(db, (tx) => collect(tx, scan("notes")))).toHaveLength(5);
  await db.close();
});

test("a damaged store is rebuilt from the log, on request only", async () => {
  const docs = await fill("a", 30);
  fs.writeFileSync(path.join(where("a"), "store", "data.mdb"), Buffer.alloc(8192));
  await expect(openDatabase(where("a"))).rejects.toThrow(DamageError);
  expect((await rebuildFromLog(where("a"))).commits).toBe(30);
  const { db } = await open("a");
  expect(read(db, (tx) => collect(tx, scan("notes")))).toEqual(docs);
  expect(read(db, (tx) => collect(tx, range("notes.by_text")))).toHaveLength(30);
  await db.close();
});

test("a store is not rebuilt when it is sound, nor from a log that is not there or began later", async () => {
  await fill("a", 10);
  await expect(rebuildFromLog(where("a"))).rejects.toThrow("The store is sound");
  const { db } = await open("a");
  await backupDatabase(db, where("backup"));
  await db.close();
  await unpackDatabase(where("backup"), where("b"));
  const store = path.join(where("b"), "store", "data.mdb");
  const sound = fs.readFileSync(store);
  fs.writeFileSync(store, Buffer.alloc(8192));
  await expect(rebuildFromLog(where("b"))).rejects.toThrow("There is no log");
  fs.writeFileSync(store, sound);
  await (await open("b")).db.close();
  fs.writeFileSync(store, Buffer.alloc(8192));
  await expect(rebuildFromLog(where("b"))).rejects.toThrow("but 1 is needed");
  expect(fs.readdirSync(where("b")).sort()).toEqual(["journal", "store"]);
});

test("a backup taken while writes go on restores to a whole database", async () => {
  const { db } = await open("a");
  await mutate(db, (tx) => tx.insertValue("notes", { text: "before" }));
  const backup = backupDatabase(db, where("backup"));
  await mutate(db, (tx) => tx.insertValue("notes", { text: "meanwhile" }));
  const { entries } = await backup;
  expect(entries).toBeGreaterThan(0);
  await db.close();
  await unpackDatabase(where("backup"), where("b"));
  const restored = (await open("b")).db;
  const texts = read(restored, (tx) => collect(tx, scan("notes"))).map((doc) => doc.text);
  expect(texts[0]).toBe("before");
  await mutate(restored, (tx) => tx.insertValue("notes", { text: "after" }));
  await restored.close();
  expect(read((await open("b")).db, (tx) => tx.count("notes"))).toBe(texts.length + 1);
});

test("backups are made beside somebody who does not pause, each of them whole", async () => {
  const { db } = await open("a");
  const commits = 20;
  // Large enough that each commit is applied at once.
  const padding = "x".repeat(1_000_000);
  const write = async (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      await mutate(db, (tx) => {
        for (let n = 0; n < 9; n++) tx.insertValue("notes", { text: `note ${at}`, padding });
      });
    }
  };
  await write(0, 3);
  const writing = write(3, commits);
  await backupDatabase(db, where("backup-b"));
  await backupDatabase(db, where("backup-c"));
  await writing;
  await db.close();
  const counts: number[] = [];
  for (const name of ["b", "c"]) {
    await unpackDatabase(where(`backup-${name}`), where(name));
    const restored = (await open(name)).db;
    const count = read(restored, (tx) => tx.count("notes"));
    for (let at = 0; at < count / 9; at++) {
      const same = range("notes.by_text", [["Eq", "text", `note ${at}`]]);
      expect(read(restored, (tx) => collect(tx, same))).toHaveLength(9);
    }
    await restored.close();
    counts.push(count);
  }
  // The first backup did not wait until the writes ended.
  expect(counts[0]).toBeLessThan(9 * commits);
  expect(counts[1]).toBeGreaterThanOrEqual(counts[0]!);
});

test("who closes it while it is being closed waits for the same", async () => {
  const { db } = await open("data");
  await mutate(db, (tx) => tx.insertValue("notes", { text: "last" }));
  await Promise.all([db.close(), db.close()]);
  await db.close();
  const { db: again } = await open("data");
  expect(read(again, (tx) => collect(tx, scan("notes")))).toHaveLength(1);
  await again.close();
});

test("closing waits for a copy that is being made", async () => {
  const { db } = await open("a");
  // Large enough that copying takes longer than closing.
  const text = "x".repeat(1_000_000);
  for (let n = 0; n < 60; n++) await mutate(db, (tx) => tx.insertValue("notes", { text }));
  await db.drain();
  const backup = backupDatabase(db, where("backup"));
  await db.close();
  await backup;
  await unpackDatabase(where("backup"), where("b"));
  expect(read((await open("b")).db, (tx) => tx.count("notes"))).toBe(60);
});

test("no copy of a closed database is begun", async () => {
  const { db } = await open("a");
  await db.close();
  await expect(backupDatabase(db, where("backup"))).rejects.toThrow("The database is closed");
  expect(fs.existsSync(where("backup"))).toBe(false);
});

test("a backup is compacted: pages of what was deleted are not in it", async () => {
  const { db } = await open("a");
  const text = "x".repeat(100_000);
  const ids = [];
  for (let at = 0; at < 20; at++)
    ids.push(await mutate(db, (tx) => tx.insertValue("notes", { text })));
  await db.drain();
  for (const id of ids) await mutate(db, (tx) => tx.remove(id));
  await db.drain();
  await backupDatabase(db, where("backup"));
  await db.close();
  await unpackDatabase(where("backup"), where("b"));
  const bytesOf = (name: string) => fs.statSync(path.join(where(name), "store", "data.mdb")).size;
  expect(bytesOf("a")).toBeGreaterThan(20 * text.length);
  expect(bytesOf("b")).toBeLessThan(text.length);
  expect(read((await open("b")).db, (tx) => tx.count("notes"))).toBe(0);
});

test("a damaged backup is refused", async () => {
  await fill("a", 10);
  const { db } = await open("a");
  await backupDatabase(db, where("backup"));
  await db.close();
  const file = path.join(where("backup"), "store", "data.mdb");
  const bytes = fs.readFileSync(file);
  bytes[bytes.indexOf("note 7")]! ^= 1;
  fs.writeFileSync(file, bytes);
  const attempt = unpackDatabase(where("backup"), where("b"));
  await expect(attempt).rejects.toThrow(DamageError);
});

test("export and import keep ids, creation times, int64 and bytes", async () => {
  const { db } = await open("a");
  await mutate(db, (tx) => {
    const { buffer } = new Uint8Array([0, 255, 7]);
    tx.insertValue("notes", { text: "ä\u0000𝄞", amount: -(2n ** 63n), bytes: buffer, none: NaN });
    tx.insertValue("other", {
      nested: { list: [1n, 1, -0, null, '7 "8', 1e21, 2.5, 2n ** 53n + 1n] },
    });
  });
  const tables = ["notes", "other"];
  const all = tables.map((name) => read(db, (tx) => collect(tx, scan(name))));
  const file = where("all.zip");
  const writer = await ZipWriter.create(file);
  const tx = db.beginQuery();
  await exportTables(db, tx, writer);
  tx.close();
  await writer.finish();
  await db.close();
  const archive = await ZipReader.open(file);
  const lines: string[] = [];
  for await (const line of archive.lines("other/documents.jsonl")) lines.push(line);
  expect(lines.join()).toContain(`[1,1.0,-0.0,null,"7 \\"8",1e+21,2.5,9007199254740993]`);
  const second = await openMemoryDatabase();
  expect(await importTables(second, archive)).toEqual({ tables: 2, documents: 2 });
  await second.applySchema(NOTES);
  expect(tables.map((name) => read(second, (query) => collect(query, scan(name))))).toEqual(all);
  expect(read(second, (query) => collect(query, range("notes.by_text")))).toHaveLength(1);
  await expect(importTables(second, archive)).rejects.toThrow(/not empty/);
  // What is made from now on comes after what was imported, even if the clock was set back.
  const later = second.beginMutation(0);
  later.insertValue("notes", { text: "later" });
  await second.commit(later).durable;
  const texts = read(second, (query) => collect(query, scan("notes"))).map(({ text }) => text);
  expect(texts.at(-1)).toBe("later");
  await archive.close();
  await second.close();
});

test("a schema that existing documents do not fit is refused with the document's id", async () => {
  const docs = await fill("a", 3);
  const { db } = await open("a");
  const strict = schema(
    table(
      "notes",
      {},
      { type: "object", value: { text: { fieldType: { type: "number" }, optional: false } } },
    ),
  );
  const attempt = db.applySchema(strict);
  await expect(attempt).rejects.toThrow(SchemaMismatchError);
  await expect(attempt).rejects.toThrow(
    `Document with ID "${String(docs.map((doc) => doc._id).sort()[0])}" in table "notes" does not match the schema: `,
  );
  // What fits the schema that stays in force is still accepted.
  await mutate(db, (tx) => tx.insertValue("notes", { text: "d" }));
  await db.close();
});

test("a start after a crash checks no document again, unless it was written without a schema", async () => {
  await fill("a", 5);
  const { db } = await open("a");
  await mutate(db, (tx) => tx.insertValue("notes", { text: "only in the log" }));
  fs.cpSync(where("a"), where("crashed"), {
    recursive: true,
    filter: (file) => !path.basename(file).startsWith("lock"),
  });
  await db.close();
  const again = await openDatabase(where("crashed"), { journal: JOURNAL });
  expect(again.report.replayedCommits).toBe(1);
  expect(await again.db.applySchema(NOTES)).toMatchObject({ documentsChecked: 0 });
  await again.db.close();
  const unchecked = (await openDatabase(where("crashed"), { journal: JOURNAL })).db;
  await mutate(unchecked, (tx) => tx.insertValue("notes", { text: "before the schema" }));
  expect(await unchecked.applySchema(NOTES)).toMatchObject({ documentsChecked: 7 });
  await unchecked.close();
});

test("documents that are imported into a table of before are checked by the next schema", async () => {
  const strict = schema(
    table(
      "notes",
      {},
      {
        type: "object",
        value: { text: { fieldType: { type: "string" }, optional: false } },
      },
    ),
  );
  const { db: before } = await open("a", strict);
  await before.close();
  const { db } = await openDatabase(where("a"), { journal: JOURNAL });
  const _id = newId(db.catalog.table("notes")!.number);
  await insertDocuments(db, "notes", [{ _id, _creationTime: 1, text: 5 }]);
  await expect(db.applySchema(strict)).rejects.toThrow(SchemaMismatchError);
  await db.close();
});

test("indexes are built for existing documents and dropped when the schema drops them", async () => {
  await fill("a", 25);
  const changed = schema(table("notes", { by_amount: ["amount"] }));
  const { db } = await open("a", changed);
  const amounts = read(db, (tx) => collect(tx, range("notes.by_amount", [], "desc"))).map(
    (doc) => doc.amount,
  );
  expect(amounts).toEqual(Array.from({ length: 25 }, (_, n) => BigInt(24 - n)));
  expect(() => read(db, (tx) => collect(tx, range("notes.by_text")))).toThrow(
    "Index notes.by_text not found.",
  );
  const report = await db.applySchema(changed);
  expect(report).toEqual({ documentsChecked: 0, indexesBuilt: [], indexesDropped: [] });
  await db.close();
});

test("index keys beyond the store's limit keep their order after they reach the store", async () => {
  const long = "x".repeat(3000);
  const texts = ["b", "a", "", "c"].map((end) => long + end).concat(long.slice(0, 1990), "y");
  const { db } = await open("a");
  await mutate(db, (tx) => texts.forEach((text) => void tx.insertValue("notes", { text })));
  await db.drain();
  const sorted = [...texts].sort();
  const found = () => read(db, (tx) => collect(tx, range("notes.by_text"))).map((doc) => doc.text);
  expect(found()).toEqual(sorted);
  const down = read(db, (tx) =>
    collect(tx, range("notes.by_text", [["Gt", "text", long]], "desc")),
  );
  expect(down.map((doc) => doc.text)).toEqual(["y", long + "c", long + "b", long + "a"]);
  await db.close();
});

test("what is committed while others are brought to the disk is brought there after them", async () => {
  const { db } = await open("a");
  const commit = (text: string) => {
    const tx = db.beginMutation(0);
    tx.insertValue("notes", { text });
    return db.commit(tx).durable;
  };
  const group = [commit("1"), commit("2")];
  await new Promise(setImmediate);
  expect(db.durableSeq).toBe(0);
  const later = commit("3");
  await Promise.all(group);
  expect(db.durableSeq).toBe(3);
  await later;
  await db.close();
});

test("draining waits for commits that are on their way into the log", async () => {
  const { db } = await open("a");
  for (const text of ["1", "2"]) {
    const tx = db.beginMutation(0);
    tx.insertValue("notes", { text });
    db.commit(tx);
  }
  await db.drain();
  expect(db.store.position).toBe(2);
  await db.close();
});

test("the log gives up what the store has, beyond what it is to keep", async () => {
  const journal = { ...JOURNAL, keptBytes: 0 };
  const { db } = await openDatabase(where("a"), { journal });
  await db.applySchema(NOTES);
  for (let n = 0; n < 40; n++) {
    await mutate(db, (tx) => tx.insertValue("notes", { text: "x".repeat(8_000) }));
  }
  const segments = () => listSegments(path.join(where("a"), "journal")).length;
  expect(segments()).toBeGreaterThan(1);
  await db.drain();
  expect(segments()).toBe(1);
  await db.close();
});

test("a bulk load that waits has its commits in the store, every entry of them", async () => {
  const { db } = await open("a");
  const text = "x".repeat(8_000);
  // One generation above its bound: nothing is applied before the next turn of the event loop.
  for (let commits = 0; commits < 5; commits++) {
    const tx = db.beginMutation(0);
    for (let count = 0; count < 500; count++) tx.insertValue("notes", { text: `${count}${text}` });
    db.commit(tx);
  }
  await db.follower.caughtUp(64 * 1024 * 1024);
  expect(db.store.position).toBeLessThan(5);
  await db.follower.caughtUp(0);
  expect(db.store.position).toBeGreaterThanOrEqual(5);
  db.emptyCache();
  expect(read(db, (tx) => tx.count("notes"))).toBe(2_500);
  // In two parts, because one transaction may not read all of it.
  const parts = (["Lt", "Gte"] as const).map((type) =>
    range("notes.by_text", [[type, "text", "3"]]),
  );
  const found = parts.flatMap((part) => read(db, (tx) => collect(tx, part)));
  expect(found).toHaveLength(2_500);
  await db.close();
});
