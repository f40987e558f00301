/** The content of a database's store, and its expected content. */
import { physicalKey } from "../../../embedded/db/baseReader";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import type { Doc } from "../../../embedded/db/document";
import { indexPrefix } from "../../../embedded/db/keyEncoding";
import { collect, read, scan } from "./support";

/** The keys and texts that the store should contain for the documents that readers see. */
export function expectedOf(db: EmbeddedDatabase): Map<string, string> {
  const expected = new Map<string, string>();
  for (const info of db.catalog.all()) {
    for (const { _id } of read(db, (tx) => collect(tx, scan(info.name)))) {
      const id = _id as string;
      const doc = read(db, (tx) => tx.get(id)) as Doc;
      const bytes = Buffer.alloc(doc.recordMaxBytes);
      expected.set(info.idKey(id), bytes.toString("utf8", 0, doc.writeRecord(bytes, 0)));
      for (const key of doc.indexKeys()) {
        const stored = physicalKey(key);
        expected.set(stored, stored === key ? "" : id);
      }
    }
  }
  return expected;
}

/** The keys and texts that it contains, without those of its catalog. */
export function storedIn(db: EmbeddedDatabase): Map<string, string> {
  const snapshot = db.store.snapshot();
  const cursor = snapshot.range(indexPrefix(1), "\xff", false);
  const stored = new Map<string, string>();
  for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
    stored.set(entry.key, entry.value.toString());
  }
  cursor.close();
  snapshot.release();
  return stored;
}
