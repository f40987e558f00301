/** Syncs files and directory entries, so that they survive a power cut. */
import fs from "node:fs";
import { open, readdir } from "node:fs/promises";
import path from "node:path";

/** Like {@link syncPath}, blocking. */
export function syncPathNow(file: string): void {
  const handle = fs.openSync(file, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Syncs a file's bytes, or a folder's entries. */
export async function syncPath(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs everything below a folder, and the folder's own entries last. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(file);
    else if (entry.isFile()) await syncPath(file);
  }
  await syncPath(folder);
}
