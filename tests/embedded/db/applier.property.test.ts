/**
 * The store follows the log: after any history of commits it holds the documents and exactly their index
 * entries.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { JOURNAL_FOLDER, STORE_FOLDER, openDatabase } from "../../../embedded/db/openDatabase";
import { UnwritableStoreError } from "../../../embedded/storage/orderedStore";
import { buildApplierProgram, endingProgram } from "../../support/applierProgram";
import { longer } from "../../support/chance";
import { expectedOf, storedIn } from "./storeContents";
import { collect, mutate, read, scan, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

let program = "";
beforeAll(async () => {
  program = await buildApplierProgram();
});
afterAll(() => fs.rmSync(program, { force: true }));

const TABLES = ["notes", "jobs"] as const;
const SCHEMAS = [
  schema(table("notes", { by_text: ["text"] }), table("jobs")),
  schema(table("notes", { by_text: ["text", "n"], by_n: ["n"] }), table("jobs", { by_n: ["n"] })),
];
const JOURNAL = { firstSegmentBytes: 16_384, segmentBytes: 16_384, keptBytes: 65_536 };
/** Some are longer than the store's limit for keys. */
const TEXTS = ["", "a", "b", `${"x".repeat(2500)}1`, `${"x".repeat(2500)}2`];

const change = fc.record({
  kind: fc.constantFrom("insert", "insert", "patch", "remove"),
  table: fc.constantFrom(...TABLES),
  /** Selects one of the existing documents. */
  at: fc.nat(),
  text: fc.constantFrom(...TEXTS),
  n: fc.integer({ min: -2, max: 2 }),
});
const step = fc.oneof(
  { weight: 12, arbitrary: fc.array(change, { minLength: 1, maxLength: 8 }) },
  { weight: 3, arbitrary: fc.constant("drain" as const) },
  { weight: 1, arbitrary: fc.constant("restart" as const) },
  { weight: 1, arbitrary: fc.constant("other schema" as const) },
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function run(db: EmbeddedDatabase, changes: readonly Change[]): Promise<void> {
  return mutate(db, (tx) => {
    for (const { kind, table: name, at, text, n } of changes) {
      const ids = collect(tx, scan(name)).map((doc) => doc._id as string);
      const id = ids[at % ids.length];
      if (kind === "insert" || id === undefined) tx.insert(name, { text, n });
      else if (kind === "patch") tx.patch(id, at % 2 === 0 ? { n } : { text });
      else tx.remove(id);
    }
  });
}

// Trophies
const INSERT: Change = { kind: "insert", table: "notes", at: 0, text: "a", n: 1 };
/** A thread that was not told of the new schema wrote no entries of its indexes. */
const NEW_INDEXES: (Change[] | "other schema")[] = [[INSERT], "other schema", [INSERT]];

test.each([["this thread"], ["a thread of its own"]])(
  "after any commits, restarts and schemas the store holds what readers see, written by %s",
  async (where) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), "applier-"));
        let number = 0;
        const open = async (): Promise<EmbeddedDatabase> => {
          const options = where === "this thread" ? {} : { applierProgram: program };
          const opened = await openDatabase(folder, { journal: JOURNAL, ...options });
          await opened.db.applySchema(SCHEMAS[number]!);
          return opened.db;
        };
        let db = await open();
        for (const one of [...steps, "drain" as const]) {
          if (one === "restart") {
            await db.close();
            db = await open();
          } else if (one === "other schema") {
            number = 1 - number;
            await db.applySchema(SCHEMAS[number]!);
          } else if (one === "drain") {
            await db.drain();
            expect(storedIn(db)).toEqual(expectedOf(db));
          } else {
            await run(db, one);
          }
        }
        await db.close();
        fs.rmSync(folder, { recursive: true, force: true });
      }),
      { ...longer(8), examples: [[NEW_INDEXES]] },
    );
  },
);

test("many commits on their way into the store are in it once, and readers see them all the time", async () => {
  const folder = temporaryDir();
  const { db } = await openDatabase(folder, { journal: JOURNAL, applierProgram: program });
  await db.applySchema(SCHEMAS[1]!);
  const count = (): number => read(db, (tx) => collect(tx, scan("notes")).length);
  for (let n = 1; n <= 60; n++) {
    await mutate(db, (tx) => {
      for (let at = 0; at < 20; at++) tx.insertValue("notes", { text: `${n}`, n: at });
    });
    if (n % 7 === 0) void db.follower.caughtUp(0);
    expect(count()).toBe(n * 20);
  }
  await db.close();
  const again = await openDatabase(folder, { journal: JOURNAL });
  expect(again.report.replayedCommits).toBe(0);
  expect(storedIn(again.db)).toEqual(expectedOf(again.db));
  expect(read(again.db, (tx) => collect(tx, scan("notes")).length)).toBe(1_200);
  await again.db.close();
});

test("a thread that cannot work is a store that takes nothing more: commits stay in the log", async () => {
  const folder = temporaryDir();
  const missing = path.join(folder, "missing.mjs");
  const { db } = await openDatabase(folder, { journal: JOURNAL, applierProgram: missing });
  await run(db, [INSERT]);
  await expect(db.drain()).rejects.toThrow("The thread that writes the store ended");
  expect(db.isReadOnly).toContain("The store cannot be written");
  expect(read(db, (tx) => collect(tx, scan("notes")).length)).toBe(1);
  await db.close();
  const again = await openDatabase(folder, { journal: JOURNAL, applierProgram: program });
  expect(again.report.replayedCommits).toBe(1);
  expect(read(again.db, (tx) => collect(tx, scan("notes")).length)).toBe(1);
  await again.db.close();
});

test("a store that takes no more writes of its thread is reported as such, to be rebuilt", async () => {
  const folder = temporaryDir();
  const file = path.join(folder, "refusing.mjs");
  const refusal =
    'return Promise.reject(Object.assign(new Error("MDB_BAD_TXN"), { code: -30_782 }))';
  const refusing = endingProgram(program, file, 1, refusal);
  const told: Error[] = [];
  const { db } = await openDatabase(path.join(folder, "running"), {
    applierProgram: refusing,
    onUnwritable: (error) => told.push(error),
  });
  await run(db, [INSERT]);
  await expect(db.drain()).rejects.toThrow("MDB_BAD_TXN");
  expect(told).toEqual([expect.any(UnwritableStoreError)]);
  await db.close();
});

test("a thread that ends between the entries and the documents of an order is reported once, and a next start makes that good", async () => {
  const folder = temporaryDir();
  const ending = endingProgram(program, path.join(folder, "ending.mjs"), 2);
  const told: string[] = [];
  const onUnwritable = (error: Error) => told.push(error.message);
  const running = path.join(folder, "running");
  const options = { journal: JOURNAL, applierProgram: ending, onUnwritable };
  const { db } = await openDatabase(running, options);
  await db.applySchema(SCHEMAS[1]!);
  for (let n = 0; n < 3; n++) {
    await run(db, [{ kind: "insert", table: "notes", at: 0, text: "a", n }]);
  }
  await expect(db.drain()).rejects.toThrow("The thread that writes the store ended: exit code 7");
  expect(told).toEqual(["The thread that writes the store ended: exit code 7"]);
  const entries = storedIn(db).size;
  expect(entries).toBeGreaterThan(0);
  expect(entries).toBeLessThan(expectedOf(db).size);
  expect(read(db, (tx) => collect(tx, scan("notes")).length)).toBe(3);
  const left = path.join(folder, "left");
  for (const part of [STORE_FOLDER, JOURNAL_FOLDER]) {
    fs.cpSync(path.join(running, part), path.join(left, part), { recursive: true });
  }
  await db.close();

  // A thread that ends at every attempt is no reason to rebuild the store, nor to restart repeatedly.
  const still = await openDatabase(left, options);
  expect(still.report).toMatchObject({ isRebuilt: false, replayedCommits: 3 });
  expect(still.db.isReadOnly).toContain("The thread that writes the store ended: exit code 7");
  expect(read(still.db, (tx) => collect(tx, scan("notes")).length)).toBe(3);
  expect(told).toHaveLength(1);
  await still.db.close();

  const again = await openDatabase(left, { ...options, applierProgram: program });
  expect(again.report).toMatchObject({ isRebuilt: false, replayedCommits: 3 });
  await again.db.applySchema(SCHEMAS[1]!);
  expect(storedIn(again.db)).toEqual(expectedOf(again.db));
  expect(told).toHaveLength(1);
  await again.db.close();
});
