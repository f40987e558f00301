/**
 * Repeatedly kills a process that commits transfers, and checks after every third kill that everything
 * acknowledged exists exactly once and the sum of balances has not changed. After the other kills, the next
 * process applies the rest of the log to the store while it commits. Every other process uses a thread to
 * apply, and all of them apply every few hundred commits.
 *
 * `node scripts/run.mjs tests/faults/storeKill.ts [rounds]`
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDatabase, type DurableOptions } from "../../embedded/db/openDatabase";
import type { EmbeddedDatabase } from "../../embedded/db/database";
import { buildApplierProgram } from "../support/applierProgram";

const ACCOUNTS = 20;
const START_CENTS = 1_000_000n;
const IN_FLIGHT = 32;
const ROUNDS_PER_CHECK = 3;
const COMMITS_PER_APPLY = 400;
const SCHEMA = {
  schemaValidation: true,
  tables: [
    { tableName: "accounts", indexes: [{ indexDescriptor: "by_name", fields: ["name"] }] },
    { tableName: "entries", indexes: [{ indexDescriptor: "by_key", fields: ["key"] }] },
  ],
};

async function open(
  folder: string,
  options: Pick<DurableOptions, "onUnwritable" | "applierProgram"> = {},
): Promise<EmbeddedDatabase> {
  const { db } = await openDatabase(folder, {
    journal: { firstSegmentBytes: 262_144, segmentBytes: 262_144 },
    ...options,
  });
  await db.applySchema(SCHEMA);
  return db;
}

async function seed(folder: string): Promise<void> {
  const db = await open(folder);
  const tx = db.beginMutation(Date.now());
  for (let n = 0; n < ACCOUNTS; n++) {
    tx.insertValue("accounts", { name: `account ${n}`, balance: START_CENTS });
  }
  await db.commit(tx).durable;
  await db.close();
}

function accountsOf(db: EmbeddedDatabase): { _id: string; balance: bigint }[] {
  const tx = db.beginQuery();
  const stream = tx.openStream({
    source: { type: "IndexRange", indexName: "accounts.by_name", range: [], order: "asc" },
    operators: [],
  });
  const found = [];
  for (let doc = stream.next(); doc !== null; doc = stream.next()) found.push(doc.value());
  tx.close();
  return found as { _id: string; balance: bigint }[];
}

/** The child process: commits until it is killed, and prints each key once it is durable. */
async function work(folder: string, round: string, applierProgram: string): Promise<void> {
  // Opens the database before its log is applied to the store.
  const onUnwritable = () => process.exit(1);
  const hasThread = Number(round) % 2 === 1;
  const db = await open(folder, {
    onUnwritable,
    ...(hasThread && { applierProgram }),
  });
  const ids = accountsOf(db).map((account) => account._id);
  let next = 0;
  let applying: Promise<void> | null = null;
  const lane = async () => {
    for (;;) {
      const key = `${round}/${next++}`;
      const tx = db.beginMutation(Date.now());
      const [from, to] = [ids[next % ACCOUNTS]!, ids[(next * 7 + 1) % ACCOUNTS]!];
      if (from !== to) {
        tx.patchValue(from, { balance: (tx.get(from)!.value().balance as bigint) - 1n });
        tx.patchValue(to, { balance: (tx.get(to)!.value().balance as bigint) + 1n });
      }
      tx.insertValue("entries", { key });
      const { durable } = db.commit(tx);
      if (next % COMMITS_PER_APPLY === 0)
        applying ??= db.follower.caughtUp(0).finally(() => (applying = null));
      await durable;
      fs.writeSync(1, key + "\n");
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

async function runAndKill(folder: string, round: number, program: string): Promise<string[]> {
  const runner = path.resolve("scripts/run.mjs");
  const script = path.resolve("tests/faults/storeKill.ts");
  const args = [runner, script, "--work", folder, String(round), program];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  const wanted = randomInt(1, 3000);
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve());
    child.stdout.on("data", (bytes: Buffer) => {
      output += bytes.toString();
      if (output.length / 8 > wanted) child.kill("SIGKILL");
    });
  });
  return output.split("\n").slice(0, -1);
}

async function check(folder: string, acknowledged: ReadonlySet<string>): Promise<number> {
  const db = await open(folder);
  const tx = db.beginQuery();
  const stream = tx.view.scan(
    db.catalog.table("entries")!.byCreationTime.prefix,
    db.catalog.table("entries")!.byCreationTime.prefix + "\xff",
    false,
    null,
  );
  const keys: string[] = [];
  for (let entry = stream.next(); entry !== null; entry = stream.next()) {
    keys.push(tx.view.resolve(entry.id).fields.key as string);
  }
  stream.close();
  tx.close();
  const sum = accountsOf(db).reduce((total, account) => total + account.balance, 0n);
  await db.close();
  const found = new Set(keys);
  if (found.size !== keys.length) throw new Error("a commit was applied twice");
  for (const key of acknowledged) if (!found.has(key)) throw new Error(`${key} was lost`);
  if (sum !== START_CENTS * BigInt(ACCOUNTS)) throw new Error(`the sum is ${sum}`);
  return keys.length;
}

const [first, folderArgument, roundArgument, programArgument] = process.argv.slice(2);
if (first === "--work") {
  await work(folderArgument!, roundArgument!, programArgument!);
} else {
  const rounds = Number(first ?? 20);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "kill-"));
  const acknowledged = new Set<string>();
  const program = await buildApplierProgram();
  try {
    await seed(folder);
    for (let round = 1; round <= rounds; round++) {
      for (const key of await runAndKill(folder, round, program)) acknowledged.add(key);
      if (round % ROUNDS_PER_CHECK !== 0 && round < rounds) continue;
      const stored = await check(folder, acknowledged);
      console.log(`round ${round}: ${acknowledged.size} acknowledged, ${stored} stored`);
    }
    console.log(`${rounds} kills: nothing lost, nothing doubled, the sum unchanged`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.rmSync(program, { force: true });
  }
}
