/**
 * Possible contents of a disk after a power cut.
 *
 * Contents: everything covered by a sync, and any 512-byte sectors of the rest. Names: changes reach the disk
 * in order (as in journaling file systems), at least up to the last sync of a folder or of a file with a new
 * name.
 */
import fs from "node:fs";
import path from "node:path";
import type { DiskEvent } from "./straceLog";

const SECTOR_BYTES = 512;
/** Shares of the unsynced data that are present; one is chosen per image. */
const CHANCES = [0, 0.2, 0.5, 0.9, 1];
const LOCK_FILES = /(^|\/)lock(\.|$)/;

type ContentEvent = DiskEvent & { kind: "write" | "truncate" };

/** Contents by path. */
type DiskImage = ReadonlyMap<string, Buffer>;

function put(content: Buffer, at: number, bytes: Buffer): Buffer {
  let grown = content;
  if (at + bytes.length > content.length) {
    grown = Buffer.alloc(at + bytes.length);
    content.copy(grown);
  }
  bytes.copy(grown, at);
  return grown;
}

function resize(content: Buffer, size: number): Buffer {
  const resized = Buffer.alloc(size);
  content.copy(resized);
  return resized;
}

/** @param chance that an unsynced sector is present */
function contentOf(events: readonly { event: ContentEvent; isDurable: boolean }[], chance: number) {
  let content: Buffer = Buffer.alloc(0);
  for (const { event, isDurable } of events) {
    const isThere = () => isDurable || Math.random() < chance;
    if (event.kind === "truncate") {
      if (isThere()) content = resize(content, event.size);
      continue;
    }
    const { at, bytes } = event;
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES));
      if (isThere()) content = put(content, at + from, bytes.subarray(from, to));
      from = to;
    }
  }
  return content;
}

/**
 * One image of the disk after the first `count` events.
 * @param ignoreFrom syncs from this event on are ignored
 */
export function imageAt(
  events: readonly DiskEvent[],
  count: number,
  ignoreFrom: number,
): DiskImage {
  const chance = CHANCES[Math.floor(Math.random() * CHANCES.length)]!;
  const lastSync = new Map<number, number>();
  const createdAt = new Map<number, number>();
  let namesSynced = 0;
  for (const [at, event] of events.slice(0, count).entries()) {
    if (event.kind === "create") createdAt.set(event.file, at);
    if (event.kind !== "sync" || at >= ignoreFrom) continue;
    if (event.file !== null) lastSync.set(event.file, event.since);
    const isNameNew = event.file !== null && createdAt.get(event.file)! >= namesSynced;
    if (event.file === null || isNameNew) namesSynced = event.since;
  }
  const namesKnown = namesSynced + Math.floor(Math.random() * (count - namesSynced + 1));
  const names = new Map<string, number>();
  const contents = new Map<number, { event: ContentEvent; isDurable: boolean }[]>();
  for (const [at, event] of events.slice(0, count).entries()) {
    if (event.kind === "write" || event.kind === "truncate") {
      const isSynced = event.kind === "write" && event.isSynced && at < ignoreFrom;
      const isDurable = isSynced || at < (lastSync.get(event.file) ?? 0);
      const list = contents.get(event.file) ?? [];
      list.push({ event, isDurable });
      contents.set(event.file, list);
    }
    if (at >= namesKnown) continue;
    if (event.kind === "create") names.set(event.path, event.file);
    else if (event.kind === "unlink") names.delete(event.path);
    else if (event.kind === "rename") {
      names.set(event.to, names.get(event.from)!);
      names.delete(event.from);
    }
  }
  const image = new Map<string, Buffer>();
  for (const [name, file] of names) {
    if (!LOCK_FILES.test(name)) image.set(name, contentOf(contents.get(file) ?? [], chance));
  }
  return image;
}

export function writeImage(image: DiskImage, folder: string): void {
  for (const [name, content] of image) {
    const target = path.join(folder, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content);
  }
}
