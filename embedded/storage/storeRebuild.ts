/**
 * Rebuilds a store that LMDB can read and no longer write, or not without harm.
 *
 * LMDB keeps its list of free pages inside its file. After a kill in the middle of a commit that list was
 * seen once to be such that every further write is refused, and damage may make a write do harm
 * (pageCheck.ts). The entries are not touched by this: they are read, checksum by checksum, and written into
 * a fresh file.
 */
import fs from "node:fs";
import path from "node:path";
import { LmdbStore } from "./lmdbStore";
import { DamageError, type StoreWrite } from "./orderedStore";
import { DATA_FILE } from "./storeCheck";

const DRAFT_FOLDER = "rebuilt";
const BATCH_ENTRIES = 10_000;
/** Sorts after every key of the database room. */
const END = "\xff\xff\xff\xff\xff";

/**
 * Puts a fresh file with the same entries and position in the place of a closed store's. A crash at any
 * moment leaves either the old file or the new one.
 * @throws DamageError when an entry is not as it was written; the old file stays then
 */
export async function rebuildStore(folder: string): Promise<void> {
  const draftFolder = path.join(folder, DRAFT_FOLDER);
  fs.rmSync(draftFolder, { recursive: true, force: true });
  fs.mkdirSync(draftFolder, { mode: 0o700 });
  const old = LmdbStore.open(folder);
  const draft = LmdbStore.open(draftFolder);
  try {
    await copyEntries(old, draft);
  } finally {
    await draft.close();
    await old.close();
  }
  fs.renameSync(path.join(draftFolder, DATA_FILE), path.join(folder, DATA_FILE));
  fs.rmSync(draftFolder, { recursive: true });
}

async function copyEntries(old: LmdbStore, draft: LmdbStore): Promise<void> {
  const snapshot = old.snapshot();
  try {
    const cursor = snapshot.range("", END, false);
    let batch: StoreWrite[] = [];
    for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
      batch.push({ key: entry.key, value: Buffer.from(entry.value) });
      if (batch.length === BATCH_ENTRIES) {
        await draft.apply(batch, 0);
        batch = [];
      }
    }
    await draft.apply(batch, old.position);
  } finally {
    snapshot.release();
  }
  if (draft.entryCount() !== old.entryCount()) {
    throw new DamageError(
      `The store holds ${old.entryCount()} entries, of which ${draft.entryCount()} can be read`,
    );
  }
}
