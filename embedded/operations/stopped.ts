/**
 * Backup, export, import and rebuilding of a deployment whose server is stopped; each takes the folder's
 * lock.
 *
 * Not here: the same on a running server (server/operatorApi).
 */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { rebuildFromLog, type RebuildReport } from "../db/backup.ts";
import type { EmbeddedDatabase } from "../db/database.ts";
import { openDatabase } from "../db/openDatabase.ts";
import { directoryBlobs } from "../runtime/blobs.ts";
import { SYSTEM_TABLES } from "../runtime/systemTables.ts";
import { messageOf } from "../storage/errorText.ts";
import { isThere } from "../storage/reading.ts";
import {
  exportDeployment,
  importDeployment,
  type ArchiveReport,
  type FilesReport,
  type OnProgress,
} from "./archive.ts";
import { backupDeployment, type BackupSummary } from "./backup.ts";
import { DB_FOLDER, FILES_FOLDER, KEYS_FILE } from "./dataFolder.ts";
import {
  assertDatabase,
  holdsContent,
  holdsDatabase,
  replaceContent,
  type OnStaging,
} from "./staging.ts";

const blobsOf = (dataDir: string) => directoryBlobs(path.join(dataDir, FILES_FOLDER));

function dbFolderOf(dataDir: string): string {
  const folder = path.join(dataDir, DB_FOLDER);
  if (isThere(folder)) {
    assertDatabase(dataDir);
    // A refused import leaves the folder empty; opening it would make a database, which a start wants keys for.
    if (holdsDatabase(dataDir)) return folder;
  }
  throw new Error(
    `${dataDir} is no data folder: it has no database. Name one with --data or DATA_DIR.`,
  );
}

async function withDatabase<T>(
  dataDir: string,
  body: (db: EmbeddedDatabase) => Promise<T>,
): Promise<T> {
  const { db } = await openDatabase(dbFolderOf(dataDir), { systemSchema: SYSTEM_TABLES });
  try {
    return await body(db);
  } finally {
    await db.close();
  }
}

/** @throws FolderInUseError while a server runs, DamageError when the data is damaged */
export function backupStopped(
  dataDir: string,
  target: string,
  onProgress?: OnProgress,
): Promise<BackupSummary> {
  return withDatabase(dataDir, (db) =>
    backupDeployment({ db, blobs: blobsOf(dataDir), dataDir }, target, onProgress),
  );
}

/** @throws FolderInUseError while a server runs, DamageError when the data is damaged */
export function exportStopped(
  dataDir: string,
  target: string,
  options: { includeFiles: boolean; onProgress?: OnProgress },
): Promise<FilesReport> {
  return withDatabase(dataDir, (db) =>
    exportDeployment({ db, blobs: blobsOf(dataDir) }, target, options),
  );
}

/** As {@link rebuildFromLog}, for a data folder. */
export async function rebuildStopped(dataDir: string): Promise<RebuildReport> {
  return rebuildFromLog(dbFolderOf(dataDir));
}

/** What to tell about an archive without stored files, which may be all that is wrong with it. */
export const WITHOUT_FILES =
  "The archive was made without stored files. With them: npx convex export --include-file-storage, or npm run " +
  "export without --without-files.";

interface ImportSummary extends ArchiveReport {
  /** Where the previous data was moved, or null. */
  readonly replaced: string | null;
}

/**
 * Replaces the content of a data folder by an archive's content. The archive is imported into a staging
 * folder and checked by `verify` before anything is replaced; keys stay unless new ones are given.
 * @throws Error when there is data and `mayReplace` is false, or the archive cannot be read; FolderInUseError
 *   while a server runs
 */
export async function importStopped(
  archive: string,
  dataDir: string,
  options: {
    mayReplace: boolean;
    /** Rejects when the imported data does not fit the functions. Gets the staging folder. */
    verify: (stagedDir: string) => Promise<void>;
    /** Content of the new keys.json. */
    keys?: string | null;
    onProgress?: OnProgress;
    onStaging?: OnStaging;
  },
): Promise<ImportSummary> {
  if (holdsContent(dataDir) && !options.mayReplace) {
    throw new Error(`${dataDir} holds data already`);
  }
  const fill = async (staged: string): Promise<ArchiveReport> => {
    const { db } = await openDatabase(path.join(staged, DB_FOLDER), {
      systemSchema: SYSTEM_TABLES,
    });
    const into = { db, blobs: blobsOf(staged), newUuid: randomUUID };
    const report = await importDeployment(archive, into, options.onProgress).finally(() =>
      db.close(),
    );
    await options.verify(staged).catch((error: unknown) => {
      // The ids of files that are not there may be of another table here.
      throw report.includesFiles ? error : new Error(`${messageOf(error)}\n${WITHOUT_FILES}`);
    });
    const { keys = null } = options;
    if (keys !== null) await writeFile(path.join(staged, KEYS_FILE), keys, { mode: 0o600 });
    return report;
  };
  const { filled, replaced } = await replaceContent(dataDir, "importing", fill, options.onStaging);
  return { ...filled, replaced };
}
