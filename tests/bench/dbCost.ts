/**
 * The cost of `embedded/db`: CPU per transfer (4 reads, 8 writes) with few and with many documents, commits
 * with few and many open queries, and how long applying to the store blocks the event loop.
 *
 * `node scripts/run.mjs tests/bench/dbCost.ts [largeCount=1000000]`
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDatabase, openMemoryDatabase } from "../../embedded/db/openDatabase";
import type { EmbeddedDatabase } from "../../embedded/db/database";
import { SubscriptionIndex } from "../../embedded/db/subscriptions";
import type { DurableCommit } from "../../embedded/db/types";

const ACCOUNTS = 200;
const SCHEMA = {
  schemaValidation: true,
  tables: [
    { tableName: "accounts", indexes: [{ indexDescriptor: "by_name", fields: ["name"] }] },
    {
      tableName: "entries",
      indexes: [{ indexDescriptor: "by_account", fields: ["account", "n"] }],
    },
  ],
};
const SMALL_COUNT = 1000;
const WARM_UP = 3000;
const MEASURED = 10_000;
const PER_COMMIT = 1000;

function insertEntries(db: EmbeddedDatabase, ids: readonly string[], count: number): void {
  for (let done = 0; done < count; done += PER_COMMIT) {
    const tx = db.beginMutation(Date.now());
    for (let n = done; n < Math.min(count, done + PER_COMMIT); n++) {
      tx.insertValue("entries", {
        account: ids[n % ids.length]!,
        n,
        amount: 5n,
        text: "Groceries",
      });
    }
    db.commit(tx);
  }
}

async function createAccounts(db: EmbeddedDatabase): Promise<string[]> {
  await db.applySchema(SCHEMA);
  const tx = db.beginMutation(Date.now());
  const ids = Array.from({ length: ACCOUNTS }, (_, n) =>
    tx.insertValue("accounts", { name: `account ${n}`, balance: 1_000_000n }),
  );
  await db.commit(tx).durable;
  return ids;
}

/** Reads and changes two accounts, and inserts six entries. */
function transferOnce(db: EmbeddedDatabase, ids: readonly string[], n: number): Promise<void> {
  const [from, to] = [ids[n % ACCOUNTS]!, ids[(n * 7 + 1) % ACCOUNTS]!];
  const tx = db.beginMutation(Date.now());
  const balanceOf = (id: string) => tx.get(id)!.fields.balance as bigint;
  tx.patchValue(from, { balance: balanceOf(from) - 1n });
  tx.patchValue(to, { balance: balanceOf(to) + 1n });
  for (let entry = 0; entry < 6; entry++) {
    tx.insertValue("entries", { account: entry % 2 ? from : to, n, amount: 1n, text: "Transfer" });
  }
  return db.commit(tx).durable;
}

async function microsPerTransfer(db: EmbeddedDatabase, ids: readonly string[]): Promise<number> {
  const run = async (count: number) => {
    for (let n = 0; n < count; n += 20) {
      const group = Array.from({ length: 20 }, (_, at) => transferOnce(db, ids, n + at));
      await Promise.all(group);
    }
  };
  await run(WARM_UP);
  const before = process.cpuUsage();
  await run(MEASURED);
  const used = process.cpuUsage(before);
  return (used.user + used.system) / MEASURED;
}

async function costWith(documents: number): Promise<number> {
  const db = await openMemoryDatabase();
  const ids = await createAccounts(db);
  insertEntries(db, ids, documents);
  await db.drain();
  const micros = await microsPerTransfer(db, ids);
  await db.close();
  return micros;
}

/** Microseconds to find the open queries that a commit affects (none of `count`). */
function microsPerCommitWith(count: number): number {
  const index = new SubscriptionIndex<number>();
  for (let n = 0; n < count; n++) {
    const key = `\x00\x00\x00\x09${String(n).padStart(8, "0")}`;
    index.add({ points: [], ranges: [{ low: key, high: key + "\xff" }] }, 0n, n);
  }
  const writes = Array.from({ length: 16 }, (_, n) => `\x00\x00\x00\x09:${n}`);
  const started = process.hrtime.bigint();
  for (let n = 1; n <= MEASURED; n++) {
    const commit: DurableCommit = { ts: BigInt(n), writes, heldBytes: 0 };
    if (index.onCommits([commit]).size > 0) throw new Error("an idle query was reported");
  }
  return Number(process.hrtime.bigint() - started) / 1000 / MEASURED;
}

/** The longest delay of the event loop while 8 MB of commits are applied to the store. */
async function applyBlock(): Promise<{ totalMs: number; longestMs: number }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cost-"));
  try {
    const { db } = await openDatabase(path.join(folder, "data"));
    const ids = await createAccounts(db);
    await db.drain();
    insertEntries(db, ids, 30_000);
    await db.commit(db.beginMutation(Date.now())).durable;
    let last = performance.now();
    let longestMs = 0;
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last - 1);
      last = performance.now();
    }, 1);
    const started = performance.now();
    await db.drain();
    const totalMs = performance.now() - started;
    clearInterval(timer);
    await db.close();
    return { totalMs, longestMs };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const largeCount = Number(process.argv[2] ?? 1_000_000);
for (const documents of [SMALL_COUNT, largeCount]) {
  const micros = await costWith(documents);
  console.log(`transfer with ${documents} documents: ${micros.toFixed(1)} µs CPU`);
}
for (const count of [10, 10_000]) {
  console.log(`commit with ${count} open queries: ${microsPerCommitWith(count).toFixed(2)} µs`);
}
const { totalMs, longestMs } = await applyBlock();
console.log(
  `applying 30000 documents: ${totalMs.toFixed(0)} ms, longest standstill ${longestMs.toFixed(1)} ms`,
);
