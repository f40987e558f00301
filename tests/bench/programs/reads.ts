/**
 * `embedded/db` alone, on disk: the cost of an index read, a page and an opening for a number of documents.
 *
 * Fills a folder and ends (`fill`), or opens it, measures both reads and ends. Prints `result JSON`.
 */
import { openDatabase } from "../../../embedded/db/openDatabase";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { median } from "../statistics";
import { readPlan } from "./plan";

export interface ReadsPlan {
  readonly folder: string;
  readonly documents: number;
  readonly isFilling: boolean;
}

export interface ReadsResult {
  readonly openMs: number;
  /** CPU time of reading one document by an index, from the store. */
  readonly readMicros: number;
  /** CPU time of one page of 20 documents, from the store. */
  readonly pageMicros: number;
}

const SCHEMA = {
  schemaValidation: true,
  tables: [
    {
      tableName: "entries",
      indexes: [
        { indexDescriptor: "by_number", fields: ["number"] },
        { indexDescriptor: "by_owner", fields: ["owner", "number"] },
      ],
    },
  ],
};
/** Documents of one owner: more than a page. */
const PER_OWNER = 40;
const PAGE_ROWS = 20;
const PER_COMMIT = 1_000;
const REPEATS = 15;
/** Number of documents and pages read in each repeat; evenly spread, and the same each time. */
const READS = 1_000;
const PAGES = 25;

const plan = readPlan<ReadsPlan>();
const startedAt = performance.now();
const { db } = await openDatabase(plan.folder);
await db.applySchema(SCHEMA);
const openMs = performance.now() - startedAt;

async function fill(database: EmbeddedDatabase): Promise<void> {
  for (let done = 0; done < plan.documents; done += PER_COMMIT) {
    const tx = database.beginMutation(Date.now());
    for (let at = done; at < Math.min(plan.documents, done + PER_COMMIT); at += 1) {
      const owner = Math.floor(at / PER_OWNER);
      tx.insertValue("entries", { number: at, owner, amount: 5n, text: "Groceries" });
    }
    await database.commit(tx).durable;
  }
  await database.drain();
}

/**
 * Median CPU time of one call, in µs; the first repeat only warms up. Each repeat begins with an empty
 * cache, because a thousand documents would stay cached, a million would not.
 */
function microsOf(count: number, call: (turn: number) => void): number {
  const repeats = Array.from({ length: REPEATS + 1 }, () => {
    db.emptyCache();
    const before = process.cpuUsage();
    for (let turn = 0; turn < count; turn += 1) call(turn);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  });
  return median(repeats.slice(1));
}

function readOne(turn: number): void {
  const value = turn * Math.floor(plan.documents / READS);
  const tx = db.beginQuery();
  const stream = tx.openStream({
    source: {
      type: "IndexRange",
      indexName: "entries.by_number",
      range: [{ type: "Eq", fieldPath: "number", value }],
      order: "asc",
    },
    operators: [],
  });
  if (stream.next()?.value().number !== value) throw new Error("a document is missing");
  stream.close();
  tx.close();
}

function readPage(turn: number): void {
  const value = turn * Math.floor(plan.documents / PER_OWNER / PAGES);
  const tx = db.beginQuery();
  const { page } = tx.paginate(
    {
      source: {
        type: "IndexRange",
        indexName: "entries.by_owner",
        range: [{ type: "Eq", fieldPath: "owner", value }],
        order: "desc",
      },
      operators: [],
    },
    { cursor: null, endCursor: null, pageSize: PAGE_ROWS },
  );
  if (page.length !== PAGE_ROWS) throw new Error("a page is short");
  for (const document of page) document.value();
  tx.close();
}

if (plan.isFilling) await fill(db);
const result: ReadsResult = {
  openMs,
  readMicros: plan.isFilling ? 0 : microsOf(READS, readOne),
  pageMicros: plan.isFilling ? 0 : microsOf(PAGES, readPage),
};
await db.close();
console.log(`result ${JSON.stringify(result)}`);
process.exit(0);
