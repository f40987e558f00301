/** Stored files, for backup, export and checks. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, Transaction } from "../db/types.ts";
import type { StorageDocument } from "../runtime/files.ts";
import { STORAGE, STORAGE_FILES } from "../runtime/systemTables.ts";
import { parseDocument, readIndex } from "../runtime/tableReads.ts";

/** A document of `_storage` with the name under which its bytes are stored. */
export interface StoredFileInfo {
  readonly id: string;
  readonly creationTime: number;
  readonly uuid: string;
  /** Base64. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string | null;
}

/** As many as can be read in a few milliseconds. */
const FILES_PER_TURN = 100;

/** The stored files of the newest durable state, as {@link storedFiles}. */
export async function newestStoredFiles(db: Database): Promise<StoredFileInfo[]> {
  const txn = db.beginQuery();
  try {
    return await storedFiles(txn);
  } finally {
    txn.close();
  }
}

/** Every stored file, oldest first. Yields to other work in between, because there may be very many. */
export async function storedFiles(txn: Transaction): Promise<StoredFileInfo[]> {
  const files: StoredFileInfo[] = [];
  const stream = txn.openStream({
    source: { type: "FullTableScan", tableName: STORAGE, order: "asc" },
    operators: [],
  });
  try {
    for (let next = stream.next(); next !== null; next = stream.next()) {
      const document = parseDocument<StorageDocument>(next);
      const equal = [["storageId", document._id]] as const;
      const [row] = readIndex(txn, `${STORAGE_FILES}.by_storageId`, equal, { limit: 1 });
      if (row === undefined) continue;
      files.push({
        id: document._id,
        creationTime: document._creationTime,
        uuid: parseDocument<{ uuid: string }>(row).uuid,
        sha256: document.sha256,
        sizeBytes: document.size,
        contentType: document.contentType ?? null,
      });
      if (files.length % FILES_PER_TURN === 0) await nextTurn();
    }
    return files;
  } finally {
    stream.close();
  }
}

/** Base64 sha256 of a file of any size, which is read in pieces. @throws Error when it cannot be read */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("base64");
}
