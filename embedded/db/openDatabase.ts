/** Opens a database: in memory, or in a folder (with recovery from its log). */
import { randomBytes } from "node:crypto";
import { NoLog, type CommitLog } from "../storage/commitLog";
import { MemoryStore } from "../storage/memoryStore";
import type { OrderedStore } from "../storage/orderedStore";
import { Catalog } from "./catalog";
import { readCatalog, secretWrite } from "./catalogStore";
import { CursorCodec } from "./cursor";
import { EmbeddedDatabase } from "./database";
import { restoreIndexes } from "./schemaChange";
import type { DatabaseOptions } from "./types";

const SECRET_BYTES = 32;

/** A database that is gone with the process: for tests. */
export async function openMemoryDatabase(options: DatabaseOptions = {}): Promise<EmbeddedDatabase> {
  return openOn(new MemoryStore(), new NoLog(), options, async () => undefined);
}

/** Puts a database on a store and its log. */
export async function openOn(
  store: OrderedStore,
  log: CommitLog,
  options: DatabaseOptions,
  onClosed: () => Promise<void>,
): Promise<EmbeddedDatabase> {
  let snapshot = store.snapshot();
  if (readCatalog(snapshot).secret === null) {
    await store.apply([secretWrite(randomBytes(SECRET_BYTES))], store.position);
    snapshot.release();
    snapshot = store.snapshot();
  }
  const stored = readCatalog(snapshot);
  snapshot.release();
  const catalog = new Catalog();
  for (const table of stored.tables) {
    const info = catalog.restoreTable(
      table.name,
      table.number,
      table.byIdIndex,
      table.byCreationIndex,
    );
    restoreIndexes(info, stored.indexes);
  }
  const { state } = stored;
  for (const index of stored.indexes) {
    catalog.nextIndexId = Math.max(catalog.nextIndexId, index.id + 1);
  }
  catalog.nextIndexId = Math.max(catalog.nextIndexId, state?.nextIndexId ?? 0);
  return new EmbeddedDatabase({
    catalog,
    store,
    log,
    cursors: new CursorCodec(stored.secret!),
    systemSchema: options.systemSchema ?? null,
    now: options.now ?? Date.now,
    seq: store.position,
    ts: BigInt(state?.ts ?? 0),
    creationTime: state?.creationTime ?? 0,
    onClosed,
  });
}
