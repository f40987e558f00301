/** Folders inside of a data folder where a restore or an import gets its content together. */
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { lockFolder, lockHolder } from "../storage/folderLock.ts";

const STAGING = /^\.(?:importing|restoring)-/;

/**
 * Makes a folder for content that takes its place later, and removes those that dead processes left.
 * @returns the folder, and the function that removes it
 */
export function newStaging(
  dataDir: string,
  what: "importing" | "restoring",
): { readonly folder: string; readonly remove: () => void } {
  const folder = path.join(dataDir, `.${what}-${randomUUID()}`);
  const unlock = lockFolder(folder);
  for (const name of readdirSync(dataDir).filter((found) => STAGING.test(found))) {
    const other = path.join(dataDir, name);
    if (lockHolder(other) === null) rmSync(other, { recursive: true, force: true });
  }
  const remove = () => {
    unlock();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, remove };
}
