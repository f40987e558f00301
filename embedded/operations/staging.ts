/**
 * Replaces the content of a data folder atomically: the new content is prepared next to it and then moved
 * into place.
 *
 * Not here: what the content is (operations/backup, operations/stopped).
 */
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { JOURNAL_FOLDER, REPLACING_FILE, STORE_FOLDER } from "../db/openDatabase.ts";
import { isBlobUuid } from "../runtime/blobs.ts";
import { lockFolder } from "../storage/folderLock.ts";
import { makeFolder } from "../storage/newFolder.ts";
import { readIfThere } from "../storage/reading.ts";
import { syncPath, syncTree } from "../storage/syncTree.ts";
import { DB_FOLDER, FILES_FOLDER, KEYS_FILE, timeName } from "./dataFolder.ts";

const STAGING = /^\.(?:importing|restoring)-/;
const DB_PARTS = [STORE_FOLDER, JOURNAL_FOLDER].map((name) => path.join(DB_FOLDER, name));
/** The parts that are replaced; the keys only if there are new ones. */
const PARTS = [...DB_PARTS, FILES_FOLDER, KEYS_FILE];

/** True when a data folder has a database, or lost it in an interrupted replacement. */
export function holdsDatabase(dataDir: string): boolean {
  return [...DB_PARTS, path.join(DB_FOLDER, REPLACING_FILE)].some((part) =>
    existsSync(path.join(dataDir, part)),
  );
}

/** True when a data folder contains anything besides its keys. */
export function holdsContent(dataDir: string): boolean {
  return holdsDatabase(dataDir) || existsSync(path.join(dataDir, FILES_FOLDER));
}

/** True when a data folder contains anything. */
export function holdsData(dataDir: string): boolean {
  return holdsContent(dataDir) || existsSync(path.join(dataDir, KEYS_FILE));
}

/**
 * A start would begin anew, and remove the files because nothing refers to them.
 * @throws Error when a data folder has stored files, but no database
 */
export function assertDatabase(dataDir: string): void {
  const files = path.join(dataDir, FILES_FOLDER);
  if (holdsDatabase(dataDir) || !existsSync(files) || !readdirSync(files).some(isBlobUuid)) return;
  const folder = path.join(dataDir, DB_FOLDER);
  throw new Error(
    `${folder} holds no database, but ${files} has stored files: mount the disk that is missing, or restore a backup. ` +
      `To begin anew, move ${files} away.`,
  );
}

/** Gets the staging folder; what it returns is called when everything is in it. */
export type OnStaging = (staged: string) => () => void;

/** Folders that a killed restore or import left behind. */
export const unfinishedContent = (dataDir: string): string[] =>
  readdirSync(dataDir)
    .filter((name) => STAGING.test(name))
    .map((name) => path.join(dataDir, name));

/**
 * Replaces the content of a data folder by what `fill` puts into a staging folder: a database folder, stored
 * files, and keys or none (the old keys stay then). The data folder is locked meanwhile. The old content is
 * moved to `replaced-<time>` inside it, never deleted.
 * @returns what `fill` returned, and where the old content is, or null when there was none
 * @throws FolderInUseError while a server runs; what `fill` throws. Nothing is changed then
 */
export async function replaceContent<Filled>(
  dataDir: string,
  what: "importing" | "restoring",
  fill: (staged: string) => Promise<Filled>,
  onStaging: OnStaging = () => () => undefined,
): Promise<{ readonly filled: Filled; readonly replaced: string | null }> {
  makeFolder(dataDir);
  const folder = path.join(dataDir, DB_FOLDER);
  const unlock = lockFolder(folder);
  const staged = path.join(dataDir, `.${what}-${randomUUID()}`);
  try {
    for (const left of unfinishedContent(dataDir)) rmSync(left, { recursive: true, force: true });
    const isStaged = onStaging(staged);
    makeFolder(path.join(staged, DB_FOLDER));
    makeFolder(path.join(staged, FILES_FOLDER));
    const filled = await fill(staged);
    await syncTree(staged);
    isStaged();
    return { filled, replaced: await putInPlace(staged, dataDir) };
  } finally {
    rmSync(staged, { recursive: true, force: true });
    unlock();
  }
}

/** Moves everything into place. A note marks the replacement as incomplete until all of it is durable. */
async function putInPlace(staged: string, dataDir: string): Promise<string | null> {
  const aside = path.join(dataDir, `replaced-${timeName(Date.now())}`);
  const there = (folder: string) => (part: string) => existsSync(path.join(folder, part));
  const incoming = PARTS.filter(there(staged));
  const outgoing = [...new Set([...DB_PARTS, ...incoming])].filter(there(dataDir));
  const folder = path.join(dataDir, DB_FOLDER);
  const note = path.join(folder, REPLACING_FILE);
  const earlier = readIfThere(note);
  try {
    await writeFile(note, aside, { mode: 0o600, flush: true });
    await syncPath(folder);
    if (outgoing.length > 0) {
      mkdirSync(path.join(aside, DB_FOLDER), { recursive: true, mode: 0o700 });
    }
    moveAll([
      ...outgoing.map((part) => [path.join(dataDir, part), path.join(aside, part)] as const),
      ...incoming.map((part) => [path.join(staged, part), path.join(dataDir, part)] as const),
    ]);
  } catch (error) {
    // The note stays as long as any part is still moved aside.
    if (!outgoing.every(there(dataDir))) throw error;
    if (earlier === null) rmSync(note, { force: true });
    else writeFileSync(note, earlier);
    removeEmpty(path.join(aside, DB_FOLDER), aside);
    throw error;
  }
  const changed = [folder, dataDir];
  if (outgoing.length > 0) changed.unshift(path.join(aside, DB_FOLDER), aside);
  for (const one of changed) await syncPath(one);
  rmSync(note);
  await syncPath(folder);
  return outgoing.length > 0 ? aside : null;
}

/** Removes folders, those inside first, unless something is in one. */
function removeEmpty(...folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // It is not only ours, or was never made.
  }
}

/** Error codes of a move from a mount, or of one. */
const MOUNTED: ReadonlySet<string | undefined> = new Set(["EBUSY", "EXDEV"]);

/** Moves all or none. @throws Error of the move that failed, after undoing the others */
function moveAll(moves: readonly (readonly [from: string, to: string])[]): void {
  let count = 0;
  try {
    for (; count < moves.length; count++) renameSync(...moves[count]!);
  } catch (error) {
    for (const [from, to] of moves.slice(0, count).reverse()) renameSync(to, from);
    const { code } = error as NodeJS.ErrnoException;
    if (!MOUNTED.has(code)) throw error;
    throw new Error(
      `${moves[count]?.[0]} is on a mount of its own and cannot be moved (${code}): nothing was changed. Name another ` +
        "data folder with --data, and mount that as a whole.",
      { cause: error },
    );
  }
}
