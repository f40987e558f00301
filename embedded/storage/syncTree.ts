/** Puts files and the names of files on the disk, so that a power cut cannot take them. */
import { open, readdir } from "node:fs/promises";
import path from "node:path";

/** Puts a file's bytes, or the names in a folder, on the disk. */
export async function syncPath(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts everything below a folder on the disk, and the folder's names last. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(file);
    else if (entry.isFile()) await syncPath(file);
  }
  await syncPath(folder);
}
