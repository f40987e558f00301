/**
 * Export and import in the official format: `<table>/documents.jsonl` (encoded JSON, ids and creation
 * times included) and `_tables/documents.jsonl` (table names and numbers). Ids stay the same.
 */
import type { JSONValue, Value } from "convex/values";
import { readZip, writeZip, type ZipEntry } from "../storage/zip";
import type { EmbeddedDatabase } from "./database";
import type { Doc } from "./document";
import { buildDocument } from "./documentRules";
import { decodeId } from "./ids";
import { fromUntrustedJson } from "./values";

const DOCUMENTS = /^([^/]+)\/documents\.jsonl$/;
const TABLES = "_tables";
const IMPORT_BATCH = 1000;

interface TableLine {
  readonly name: string;
  readonly id: number;
}

/**
 * One archive of all user tables, and of the system tables named.
 * @param extra entries of other rooms, for example stored files
 */
export function exportDatabase(
  db: EmbeddedDatabase,
  systemTables: readonly string[] = [],
  extra: readonly ZipEntry[] = [],
): Buffer {
  const tx = db.beginQuery();
  try {
    const tables = [...db.catalog.all()].filter(
      (table) => !table.isSystem || systemTables.includes(table.name),
    );
    const names = tables.map(({ name, number }) => JSON.stringify({ name, id: number }) + "\n");
    const entries: ZipEntry[] = [
      { name: `${TABLES}/documents.jsonl`, content: Buffer.from(names.join("")) },
    ];
    for (const table of tables) {
      const lines: string[] = [];
      const { prefix } = table.byCreationTime;
      const cursor = tx.view.scan(prefix, prefix + "\xff", false, null);
      for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
        lines.push(tx.view.resolve(entry.id).json + "\n");
      }
      cursor.close();
      entries.push({ name: `${table.name}/documents.jsonl`, content: Buffer.from(lines.join("")) });
    }
    return writeZip([...entries, ...extra]);
  } finally {
    tx.close();
  }
}

export interface ImportReport {
  readonly tables: number;
  readonly documents: number;
  /** Entries that are not documents, for the other rooms. */
  readonly others: readonly ZipEntry[];
}

/**
 * Fills an empty database from an archive, keeping ids, creation times and table numbers. Call it before
 * `applySchema`: the schema is checked then, and the indexes are built.
 * @throws Error when the database has documents, an id belongs to another table, or a line is malformed
 */
export async function importDatabase(db: EmbeddedDatabase, archive: Buffer): Promise<ImportReport> {
  const entries = readZip(archive);
  const tableEntry = entries.find((entry) => entry.name === `${TABLES}/documents.jsonl`);
  if (tableEntry === undefined) throw new Error("The archive has no _tables/documents.jsonl");
  const numbers = new Map(
    linesOf(tableEntry.content).map((line) => {
      const { name, id } = JSON.parse(line) as TableLine;
      return [name, id] as const;
    }),
  );
  db.adoptTables(numbers);
  const others: ZipEntry[] = [];
  let documents = 0;
  for (const entry of entries) {
    const name = DOCUMENTS.exec(entry.name)?.[1];
    if (name === TABLES) continue;
    if (name === undefined || !numbers.has(name)) {
      others.push(entry);
      continue;
    }
    documents += await importTable(db, name, linesOf(entry.content));
  }
  return { tables: numbers.size, documents, others };
}

const linesOf = (content: Buffer) =>
  content
    .toString()
    .split("\n")
    .filter((line) => line !== "");

async function importTable(db: EmbeddedDatabase, name: string, lines: string[]): Promise<number> {
  const table = db.catalog.table(name)!;
  for (let from = 0; from < lines.length; from += IMPORT_BATCH) {
    const documents: [string, Buffer][] = [];
    let newest = 0;
    for (const line of lines.slice(from, from + IMPORT_BATCH)) {
      const fields = fromUntrustedJson(JSON.parse(line) as JSONValue) as Record<string, Value>;
      const { _id: id, _creationTime: creationTime } = fields;
      if (typeof id !== "string" || decodeId(id)?.tableNumber !== table.number) {
        throw new Error(`A document of "${name}" has the id ${line.slice(0, 60)} …`);
      }
      if (typeof creationTime !== "number") throw new Error(`Document ${id} has no creation time`);
      const doc: Doc = buildDocument(table, id, creationTime, fields, db.tableNameOfId);
      newest = Math.max(newest, creationTime);
      documents.push([id, doc.toRecord()]);
    }
    await db.commitRecords(documents, newest);
  }
  return lines.length;
}
