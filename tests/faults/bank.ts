/** A small database of transfers for the fault scripts: filling it, and reading everything in it. */
import { openDatabase } from "../../embedded/db/openDatabase";
import type { EmbeddedDatabase } from "../../embedded/db/database";
import type { QueryJson } from "../../embedded/db/types";

const ACCOUNTS = 12;
const SCHEMA = {
  schemaValidation: true,
  tables: [
    { tableName: "accounts", indexes: [{ indexDescriptor: "by_name", fields: ["name"] }] },
    {
      tableName: "entries",
      indexes: [
        { indexDescriptor: "by_key", fields: ["key"] },
        { indexDescriptor: "by_account", fields: ["account", "key"] },
      ],
    },
  ],
};
const INDEXES = ["accounts.by_name", "entries.by_key", "entries.by_account"];

export async function openBank(folder: string, segmentBytes = 65_536): Promise<EmbeddedDatabase> {
  const { db } = await openDatabase(folder, {
    journal: { firstSegmentBytes: segmentBytes, segmentBytes, keptBytes: segmentBytes * 4 },
  });
  await db.applySchema(SCHEMA);
  return db;
}

export async function createAccounts(db: EmbeddedDatabase): Promise<void> {
  const tx = db.beginMutation(Date.now());
  for (let n = 0; n < ACCOUNTS; n++) {
    tx.insertValue("accounts", { name: `account ${n}`, balance: 1000n });
  }
  await db.commit(tx).durable;
}

function documentsOf(db: EmbeddedDatabase, source: QueryJson["source"]): Record<string, unknown>[] {
  const tx = db.beginQuery();
  try {
    const stream = tx.openStream({ source, operators: [] });
    const found = [];
    for (let doc = stream.next(); doc !== null; doc = stream.next()) found.push(doc.value());
    return found;
  } finally {
    tx.close();
  }
}

const scanOf = (db: EmbeddedDatabase, indexName: string, order: "asc" | "desc") =>
  documentsOf(db, { type: "IndexRange", indexName, range: [], order });

/** Moves one cent between two accounts under a key; resolves when durable. */
export async function transfer(db: EmbeddedDatabase, ids: readonly string[], key: string) {
  const number = Number(/\d+$/.exec(key)?.[0] ?? 0);
  const from = ids[number % ids.length]!;
  const to = ids[(number * 7 + 1) % ids.length]!;
  const tx = db.beginMutation(Date.now());
  try {
    if (from !== to) {
      tx.patchValue(from, { balance: (tx.get(from)!.value().balance as bigint) - 1n });
      tx.patchValue(to, { balance: (tx.get(to)!.value().balance as bigint) + 1n });
    }
    tx.insertValue("entries", { key, account: from, note: "x".repeat(number % 300) });
    await db.commit(tx).durable;
  } finally {
    tx.close();
  }
}

export function accountIds(db: EmbeddedDatabase): string[] {
  return scanOf(db, "accounts.by_name", "asc").map((doc) => doc._id as string);
}

/** The keys of all transfers. @throws Error when one exists twice or the money does not add up */
export function transferKeys(db: EmbeddedDatabase): Set<string> {
  const keys = scanOf(db, "entries.by_key", "asc").map((doc) => doc.key as string);
  const found = new Set(keys);
  if (found.size !== keys.length) throw new Error("a transfer was applied twice");
  const accounts = scanOf(db, "accounts.by_name", "asc");
  const sum = accounts.reduce((total, account) => total + (account.balance as bigint), 0n);
  if (sum !== 1000n * BigInt(accounts.length)) throw new Error(`the balances add up to ${sum}`);
  return found;
}

/** All documents, read by every index in both directions, as one text. */
export function allAnswers(db: EmbeddedDatabase): string {
  const answers: unknown[] = INDEXES.flatMap((name) => [
    scanOf(db, name, "asc"),
    scanOf(db, name, "desc"),
  ]);
  for (const tableName of ["accounts", "entries"]) {
    answers.push(documentsOf(db, { type: "FullTableScan", tableName, order: "asc" }));
  }
  return JSON.stringify(answers, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}
