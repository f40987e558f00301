/**
 * The tables of an archive in the official format: `_tables/documents.jsonl` (names and numbers), and per
 * table `documents.jsonl` (one document a line, with id and creation time) and `generated_schema.jsonl` (the
 * encoding of values). Ids are preserved.
 *
 * Not here: stored files and the rest of the archive (operations/archive).
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Value } from "convex/values";
import { messageOf } from "../storage/errorText.ts";
import type { ZipReader } from "../storage/zipReader.ts";
import type { ZipWriter } from "../storage/zipWriter.ts";
import { checkTableName, type TableInfo } from "./catalog.ts";
import type { EmbeddedDatabase } from "./database.ts";
import type { Doc } from "./document.ts";
import { buildDocument } from "./documentRules.ts";
import { fromEncodedText, fromExportText, toExportText } from "./exportJson.ts";
import { decodeId } from "./ids.ts";
import { AFTER_PREFIX } from "./keyEncoding.ts";
import type { Tx } from "./transaction.ts";
import { displayValue } from "./values.ts";

const TABLES = "_tables";
const COMPONENTS = "_components/";
const DOCUMENTS = /^([^/]+)\/documents\.jsonl$/;
/** Marks values in the export format; anything else is an older format. */
const UNIFORM = '"uniform"';
const IMPORT_BATCH = 1000;
/** Most that an import may be ahead of the store; unapplied commits are held in memory. */
const UNAPPLIED_BYTES_MAX = 64 * 1024 * 1024;
/** Documents written between two pauses for the event loop. */
const EXPORT_BATCH = 200;

/** Reports progress: a table and how many of its documents are done. */
type OnProgress = (table: string, documents: number) => void;

const documentsEntry = (table: string) => `${table}/documents.jsonl`;
const schemaEntry = (table: string) => `${table}/generated_schema.jsonl`;

/** The documents of a table as lines, oldest first. */
async function* linesOf(tx: Tx, table: TableInfo, onProgress: OnProgress): AsyncGenerator<Buffer> {
  const { prefix } = table.byCreationTime;
  const cursor = tx.view.scan(prefix, prefix + AFTER_PREFIX, false, null);
  try {
    let count = 0;
    let lines: string[] = [];
    for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
      lines.push(toExportText(tx.view.resolve(entry.id).fields));
      count += 1;
      if (count % EXPORT_BATCH > 0) continue;
      yield Buffer.from(lines.join("\n") + "\n");
      lines = [];
      onProgress(table.name, count);
      // A running server keeps serving meanwhile.
      await nextTurn();
    }
    if (lines.length > 0) yield Buffer.from(lines.join("\n") + "\n");
    onProgress(table.name, count);
  } finally {
    cursor.close();
  }
}

/** Writes all user tables as `tx` sees them. */
export async function exportTables(
  db: EmbeddedDatabase,
  tx: Tx,
  archive: ZipWriter,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const tables = [...db.catalog.all()].filter((table) => !table.isSystem);
  const names = tables
    .sort((a, b) => a.number - b.number)
    .map(({ name, number }) => JSON.stringify({ name, id: number }) + "\n");
  await archive.add(documentsEntry(TABLES), [Buffer.from(names.join(""))]);
  for (const table of tables) {
    await archive.add(documentsEntry(table.name), linesOf(tx, table, onProgress));
    await archive.add(schemaEntry(table.name), [Buffer.from(UNIFORM + "\n")]);
  }
}

export interface ImportReport {
  readonly tables: number;
  readonly documents: number;
}

/** Returns the line parser named by a table's `generated_schema.jsonl`. @throws Error for the inferred form */
async function readerOf(archive: ZipReader, table: string) {
  if (!archive.has(schemaEntry(table))) return fromEncodedText;
  for await (const line of archive.lines(schemaEntry(table))) {
    const form = line.trim();
    if (form === "") continue;
    if (form === UNIFORM) return fromExportText;
    throw new Error(
      `The archive's table "${table}" is in the inferred form of old exports. Make a new export.`,
    );
  }
  return fromEncodedText;
}

/** Parses each line of a table's documents that is not empty. @throws Error that names the line at which `parse` throws */
export async function* readLines<T>(
  archive: ZipReader,
  table: string,
  parse: (line: string) => T,
): AsyncGenerator<T> {
  let number = 0;
  for await (const line of archive.lines(documentsEntry(table))) {
    number += 1;
    if (line.trim() === "") continue;
    let parsed: T;
    try {
      parsed = parse(line);
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`Line ${number} of "${table}" cannot be read: ${reason}`, { cause: error });
    }
    yield parsed;
  }
}

function parseTable(line: string): { name: string; id: number } {
  const table = JSON.parse(line) as { name?: unknown; id?: unknown } | null;
  const { name, id } = table ?? {};
  if (typeof name === "string" && typeof id === "number" && Number.isInteger(id) && id > 0) {
    return { name, id };
  }
  throw new Error("it has no name and number of a table");
}

async function tableNumbers(archive: ZipReader): Promise<Map<string, number>> {
  if (!archive.has(documentsEntry(TABLES))) {
    throw new Error(`The archive has no ${documentsEntry(TABLES)}`);
  }
  const numbers = new Map<string, number>();
  for await (const { name, id } of readLines(archive, TABLES, parseTable)) {
    // System tables of the other deployment are not imported as tables.
    if (!name.startsWith("_")) numbers.set(name, id);
  }
  for (const entry of archive.names) {
    if (entry.startsWith(COMPONENTS)) {
      throw new Error(
        `The archive has data of components (${entry}), which the embedded backend does not run`,
      );
    }
    const table = DOCUMENTS.exec(entry)?.[1] ?? TABLES;
    if (table.startsWith("_") || numbers.has(table)) continue;
    throw new Error(`The archive has documents of "${table}", which "${TABLES}" does not name`);
  }
  return numbers;
}

/**
 * Fills an empty database from an archive, keeping ids, creation times and table numbers. Call it before
 * `applySchema`, which then checks the documents and builds the indexes.
 * @throws Error when the database has documents, an id belongs to another table, or a line is malformed
 */
export async function importTables(
  db: EmbeddedDatabase,
  archive: ZipReader,
  onProgress: OnProgress = () => undefined,
): Promise<ImportReport> {
  const numbers = await tableNumbers(archive);
  adoptTables(db, numbers);
  let documents = 0;
  for (const name of numbers.keys()) {
    if (!archive.has(documentsEntry(name))) continue;
    const lines = readLines(archive, name, await readerOf(archive, name));
    documents += await importLines(db, name, lines, onProgress);
  }
  return { tables: numbers.size, documents };
}

/**
 * Gives tables the numbers they had in the exported deployment.
 * @throws Error, table by table: the name is not allowed, the table has another number here, the number
 *   belongs to another table or is too large, the table is not empty
 */
export function adoptTables(db: EmbeddedDatabase, numbers: ReadonlyMap<string, number>): void {
  for (const [name, number] of numbers) {
    checkTableName(name);
    const table = db.catalog.table(name);
    if (table !== null && table.number !== number) {
      throw new Error(`Table "${name}" has the number ${table.number} here, not ${number}`);
    }
    const taken = db.catalog.tableByNumber(number);
    if (taken !== null && taken.name !== name) {
      throw new Error(`The number ${number} of table "${name}" belongs to "${taken.name}" here`);
    }
    if (table === null) {
      db.createNumberedTable(name, number);
      continue;
    }
    const tx = db.beginQuery();
    const count = tx.count(name);
    tx.close();
    if (count > 0) throw new Error(`Table "${name}" is not empty`);
  }
}

async function importLines(
  db: EmbeddedDatabase,
  name: string,
  lines: AsyncIterable<Record<string, Value>>,
  onProgress: OnProgress,
): Promise<number> {
  let count = 0;
  let batch: Record<string, Value>[] = [];
  const write = async () => {
    await insertDocuments(db, name, batch);
    await db.follower.caughtUp(UNAPPLIED_BYTES_MAX);
    count += batch.length;
    batch = [];
    onProgress(name, count);
  };
  for await (const document of lines) {
    batch.push(document);
    if (batch.length >= IMPORT_BATCH) await write();
  }
  await write();
  return count;
}

/** Every later document follows the newest creation time, so that must be one that dates can show. */
const isTime = (value: Value | undefined): value is number =>
  typeof value === "number" && !Number.isNaN(new Date(value).getTime());

/**
 * Commits complete documents with their own ids and creation times; resolves when they are durable.
 * @throws Error when there is no such table; then, document by document, for an id of another table, a
 *   missing creation time, or an invalid document; when a document exists already; ReadOnlyError when the
 *   database is read-only
 */
export async function insertDocuments(
  db: EmbeddedDatabase,
  tableName: string,
  documents: readonly Record<string, Value>[],
): Promise<void> {
  const table = db.catalog.table(tableName);
  if (table === null) throw new Error(`There is no table "${tableName}"`);
  const docs: Doc[] = [];
  let newest = 0;
  for (const fields of documents) {
    const { _id: id, _creationTime: creationTime } = fields;
    if (typeof id !== "string" || decodeId(id)?.tableNumber !== table.number) {
      throw new Error(`A document of "${tableName}" has the id ${displayValue(id)}`);
    }
    if (!isTime(creationTime)) throw new Error(`Document ${id} has no creation time`);
    newest = Math.max(newest, creationTime);
    docs.push(buildDocument(table, id, creationTime, fields, db.tableNameOfId));
  }
  if (docs.length > 0) await db.commitDocuments(docs, newest);
}
