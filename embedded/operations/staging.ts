/**
 * Content that takes the place of what a data folder keeps: got together beside it, put in place as one.
 *
 * Not here: what the content is (operations/backup, operations/stopped).
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { JOURNAL_FOLDER, REPLACING_FILE, STORE_FOLDER } from "../db/openDatabase.ts";
import { lockFolder } from "../storage/folderLock.ts";
import { makeFolder } from "../storage/newFolder.ts";
import { readIfThere } from "../storage/reading.ts";
import { syncPath, syncTree } from "../storage/syncTree.ts";
import { DB_FOLDER, FILES_FOLDER, KEYS_FILE, timeName } from "./dataFolder.ts";

const STAGING = /^\.(?:importing|restoring)-/;
const DB_PARTS = [STORE_FOLDER, JOURNAL_FOLDER].map((name) => path.join(DB_FOLDER, name));
/** What is replaced; keys only by keys. */
const PARTS = [...DB_PARTS, FILES_FOLDER, KEYS_FILE];

/** True when a data folder has a database, or has lost it to a replacement that was broken off. */
export function holdsDatabase(dataDir: string): boolean {
  return [...DB_PARTS, path.join(DB_FOLDER, REPLACING_FILE)].some((part) =>
    existsSync(path.join(dataDir, part)),
  );
}

/** True when a data folder keeps something besides its keys. */
export function holdsContent(dataDir: string): boolean {
  return holdsDatabase(dataDir) || existsSync(path.join(dataDir, FILES_FOLDER));
}

/** True when a data folder keeps something already. */
export function holdsData(dataDir: string): boolean {
  return holdsContent(dataDir) || existsSync(path.join(dataDir, KEYS_FILE));
}

/** Folders that a killed restore or import left behind. */
export const unfinishedContent = (dataDir: string): string[] =>
  readdirSync(dataDir)
    .filter((name) => STAGING.test(name))
    .map((name) => path.join(dataDir, name));

/**
 * Replaces what a data folder keeps by what `fill` puts into a folder of its own: a database's folder, stored
 * files, keys or none (those that are there stay then). The data folder is locked all the while. What was there is
 * moved to `replaced-<time>` inside of it, never deleted.
 * @returns where that is, or null when nothing was there
 * @throws FolderInUseError while a server runs; what `fill` throws. Nothing is changed then
 */
export async function replaceContent(
  dataDir: string,
  what: "importing" | "restoring",
  fill: (staged: string) => Promise<void>,
): Promise<string | null> {
  makeFolder(dataDir);
  const folder = path.join(dataDir, DB_FOLDER);
  const unlock = lockFolder(folder);
  const staged = path.join(dataDir, `.${what}-${randomUUID()}`);
  try {
    for (const left of unfinishedContent(dataDir)) rmSync(left, { recursive: true, force: true });
    makeFolder(path.join(staged, DB_FOLDER));
    makeFolder(path.join(staged, FILES_FOLDER));
    await fill(staged);
    await syncTree(staged);
    return await putInPlace(staged, dataDir);
  } finally {
    rmSync(staged, { recursive: true, force: true });
    unlock();
  }
}

/** The change of place: a note says so while it is half done, and everything is on the disk before that goes. */
async function putInPlace(staged: string, dataDir: string): Promise<string | null> {
  const aside = path.join(dataDir, `replaced-${timeName(Date.now())}`);
  const there = (folder: string) => (part: string) => existsSync(path.join(folder, part));
  const incoming = PARTS.filter(there(staged));
  const outgoing = [...new Set([...DB_PARTS, ...incoming])].filter(there(dataDir));
  const folder = path.join(dataDir, DB_FOLDER);
  const note = path.join(folder, REPLACING_FILE);
  const earlier = readIfThere(note);
  await writeFile(note, aside, { mode: 0o600, flush: true });
  await syncPath(folder);
  if (outgoing.length > 0) mkdirSync(path.join(aside, DB_FOLDER), { recursive: true, mode: 0o700 });
  try {
    moveAll([
      ...outgoing.map((part) => [path.join(dataDir, part), path.join(aside, part)] as const),
      ...incoming.map((part) => [path.join(staged, part), path.join(dataDir, part)] as const),
    ]);
  } catch (error) {
    // While something lies aside, the note tells of it.
    if (!outgoing.every(there(dataDir))) throw error;
    if (earlier === null) rmSync(note);
    else writeFileSync(note, earlier);
    throw error;
  }
  const changed = [folder, dataDir];
  if (outgoing.length > 0) changed.unshift(path.join(aside, DB_FOLDER), aside);
  for (const one of changed) await syncPath(one);
  rmSync(note);
  await syncPath(folder);
  return outgoing.length > 0 ? aside : null;
}

/** All or none. @throws Error of the one that failed, with the others undone */
function moveAll(moves: readonly (readonly [from: string, to: string])[]): void {
  let count = 0;
  try {
    for (; count < moves.length; count++) renameSync(...moves[count]!);
  } catch (error) {
    for (const [from, to] of moves.slice(0, count).reverse()) renameSync(to, from);
    throw error;
  }
}
