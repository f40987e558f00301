/**
 * Rebuilds a store that LMDB can read but not write, or not write safely.
 *
 * LMDB keeps its list of free pages inside its file. A kill in the middle of a commit was once seen to leave
 * that list in a state in which every further write fails, and damage may make a write corrupt data
 * (pageCheck.ts). The entries are not affected: they are read, with their checksums, and written to a new
 * file.
 */
import fs from "node:fs";
import path from "node:path";
import { LmdbStore } from "./lmdbStore.ts";
import { DamageError, type StoreWrite } from "./orderedStore.ts";
import { DATA_FILE } from "./storeCheck.ts";
import { syncPathNow } from "./syncTree.ts";

const DRAFT_FOLDER = "rebuilt";
const BATCH_ENTRIES = 10_000;
/** A bound above every key of the database room. */
const END = "\xff\xff\xff\xff\xff";

/**
 * Replaces a closed store's file by a new one with the same entries and position. After a crash at any
 * moment, either the old or the new file is in place.
 * @throws DamageError when an entry is damaged; the old file stays then
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
  // Before anything is written to it: after a power cut, the old file must not come back without that.
  syncPathNow(folder);
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
    // An empty store has no position, either.
    if (old.entryCount() > 0) await draft.apply(batch, old.position);
  } finally {
    snapshot.release();
  }
  if (draft.entryCount() !== old.entryCount()) {
    throw new DamageError(
      `The store holds ${old.entryCount()} entries, of which ${draft.entryCount()} can be read`,
    );
  }
}
