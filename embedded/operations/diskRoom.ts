/** Room on the disk of a data folder. */
import { statfsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { DB_FOLDER, FILES_FOLDER } from "./dataFolder.ts";

export const MIB = 1024 * 1024;
/** What a server that goes on working may need meanwhile: its log, and a batch of its store. */
const KEPT_FREE_BYTES = 128 * MIB;

/** Bytes that may still be written, and their share of the disk. */
export function freeSpace(folder: string): { bytes: number; share: number } {
  const { bavail, bsize, blocks } = statfsSync(folder);
  return { bytes: bavail * bsize, share: bavail / Math.max(blocks, 1) };
}

/** Bytes of all files in a folder; 0 without it. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    // One that is removed meanwhile takes no room.
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes += (await stat(file).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

/**
 * A full disk makes a running server read-only, which no backup is worth.
 *
 * @throws Error when a copy of the content, made on the same disk, might fill it
 */
export async function assertRoomForCopy(dataDir: string): Promise<void> {
  const copyBytes =
    (await sizeOf(path.join(dataDir, DB_FOLDER))) +
    (await sizeOf(path.join(dataDir, FILES_FOLDER)));
  const free = freeSpace(dataDir).bytes;
  if (free >= copyBytes + KEPT_FREE_BYTES) return;
  const [copy, kept, there] = [copyBytes, KEPT_FREE_BYTES, free].map((bytes) =>
    Math.ceil(bytes / MIB),
  );
  throw new Error(
    `A copy may take ${copy} MiB, the running server needs ${kept} MiB, and ${there} MiB are free: make room (old ` +
      "backups, exports/ and replaced-* folders), or stop the server and write the copy to another disk.",
  );
}
