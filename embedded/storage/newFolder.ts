/** Creating folders named by operators. */
import fs from "node:fs";
import path from "node:path";
import { syncPathNow } from "./syncTree.ts";

/** Folders that may not be read, and file systems that sync no folder: there, a new name is as durable as it can be. */
const UNSYNCABLE = ["EACCES", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

/**
 * Creates a folder, for its owner only, and its missing parents, durably. One after the other: where a file system
 * does not allow new folders (/proc), Node's `recursive` never returns.
 * @throws Error that names the folder and says what to do; its `cause` is the system's error
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (isFolder(folder)) return;
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`The folder ${folder} cannot be made (${code}). ${nextStep(folder, code)}`, {
      cause: error,
    });
  }
  try {
    syncPathNow(parent);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (UNSYNCABLE.includes(code)) return;
    throw new Error(`The folder ${folder} cannot be brought to the disk (${message}).`, {
      cause: error,
    });
  }
}

function nextStep(folder: string, code: string | undefined): string {
  if (code !== "EEXIST") {
    return "Make what is above it writable for whoever runs this, or name another one.";
  }
  return fs.existsSync(folder)
    ? "That is a file: name another one."
    : "That is a link, and there is nothing where it leads: mount that disk, or name another folder.";
}

function isFolder(file: string): boolean {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}
