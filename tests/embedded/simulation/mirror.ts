/**
 * A copy of the durable state, document by document, built from the commits, to compare a restart with. A
 * restart may add only commits that were in the log after the last known one. A comparison reads each table
 * in full through one of its indexes; the index changes from time to time, so that an entry lost from any of
 * them is detected.
 *
 * Not here: whether documents make sense (invariants).
 */
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import type { DocumentValue, QuerySourceJson, StoredDocument } from "../../../embedded/db/types";

/** A document written by a commit; `value` is null when it was deleted. */
export interface Change {
  readonly table: string;
  readonly id: string;
  readonly value: DocumentValue | null;
  /** The version before, encoded; null when there was none. */
  readonly before: string | null;
}

/** A document differs from what the commits wrote. */
class MirrorError extends Error {}

export class Mirror {
  /** Encoded documents by table and id. */
  private readonly tables = new Map<string, Map<string, string>>();

  /** Copies the newest durable version of these documents. Returns those that changed. */
  take(db: EmbeddedDatabase, ids: Iterable<string>): Change[] {
    const changes: Change[] = [];
    const txn = db.beginQuery();
    try {
      for (const id of ids) {
        const table = txn.tableOf(id);
        if (table === null) throw new MirrorError(`${id} is of no table`);
        const found = txn.get(id);
        const documents = this.documentsOf(table);
        const before = documents.get(id) ?? null;
        if (found === null) documents.delete(id);
        else documents.set(id, found.json);
        const value = found?.value() ?? null;
        if (value !== null || before !== null) changes.push({ table, id, value, before });
      }
    } finally {
      txn.close();
    }
    return changes;
  }

  /**
   * Compares every document, except those in `mayDiffer`, reading each table through its index number `turn`
   * (modulo their count).
   * @throws MirrorError for a document that is missing, changed, duplicated or unknown
   */
  compare(db: EmbeddedDatabase, turn: number, mayDiffer: ReadonlySet<string>): void {
    for (const { name, indexes } of db.catalog.all()) {
      const names = ["by_creation_time", ...indexes.map((index) => index.name)];
      this.compareTable(db, name, names[turn % names.length] ?? "", mayDiffer);
    }
  }

  /** {@link Mirror.compare} through every index. */
  compareAll(db: EmbeddedDatabase): void {
    const counts = [...db.catalog.all()].map(({ indexes }) => indexes.length + 1);
    for (let turn = 0; turn < Math.max(...counts); turn++) this.compare(db, turn, new Set());
  }

  private compareTable(
    db: EmbeddedDatabase,
    table: string,
    index: string,
    mayDiffer: ReadonlySet<string>,
  ): void {
    const documents = this.documentsOf(table);
    const seen = new Set<string>();
    for (const { id, json } of documentsBy(db, table, index)) {
      if (seen.has(id)) throw new MirrorError(`${id} is twice in ${table}.${index}`);
      seen.add(id);
      if (json === documents.get(id) || mayDiffer.has(id)) continue;
      const told = documents.get(id) ?? "absent";
      throw new MirrorError(`${table} ${id} is ${json}, and was ${told} when it was durable`);
    }
    for (const id of documents.keys()) {
      if (seen.has(id) || mayDiffer.has(id)) continue;
      throw new MirrorError(`${table} ${id} was durable and is not in ${index}`);
    }
  }

  private documentsOf(table: string): Map<string, string> {
    let documents = this.tables.get(table);
    if (documents === undefined) this.tables.set(table, (documents = new Map<string, string>()));
    return documents;
  }
}

/** Every durable document of one table, in the order of one of its indexes. */
function* documentsBy(
  db: EmbeddedDatabase,
  table: string,
  index: string,
): Generator<StoredDocument> {
  const source: QuerySourceJson = {
    type: "IndexRange",
    indexName: `${table}.${index}`,
    range: [],
    order: "asc",
  };
  const txn = db.beginQuery();
  try {
    const stream = txn.openStream({ source, operators: [] });
    for (let found = stream.next(); found !== null; found = stream.next()) yield found;
  } finally {
    txn.close();
  }
}
