/**
 * A small file with the last acknowledged position, so that a log that lost its end is detected. It lies beside
 * the log, and beside the store: a log that is gone altogether, or older than the store, took its own note along.
 *
 * It is written after every sync and not synced itself, so a power cut may leave it older than the log, or
 * torn. It therefore has two slots, each with a checksum and in its own sector, and the older one is
 * overwritten: if one slot is torn, the other is intact.
 */
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { writeWhole } from "./journalFiles.ts";
import { DamageError } from "./orderedStore.ts";

const NOTE_FILE = "acknowledged";
const SLOT_BYTES = 12;
const SLOTS_AT = [0, 512] as const;
const NOTE_BYTES = SLOTS_AT[1] + SLOT_BYTES;

/** Position in a slot: 0 when it is empty, null when it is damaged. */
function readSlot(file: Buffer, at: number): number | null {
  const slot = file.subarray(at, at + SLOT_BYTES);
  if (slot.every((byte) => byte === 0)) return 0;
  const isSound = slot.length === SLOT_BYTES && slot.readUInt32LE(8) === crc32(slot.subarray(0, 8));
  return isSound ? slot.readDoubleLE(0) : null;
}

function readSlots(folder: string): (number | null)[] {
  const file = path.join(folder, NOTE_FILE);
  const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  return SLOTS_AT.map((at) => readSlot(bytes, at));
}

/**
 * The newest position in the notes of these folders, 0 without a note.
 * @throws DamageError when both slots of one are damaged
 */
export const readNotes = (folders: readonly string[]): number => Math.max(...folders.map(readNote));

function readNote(folder: string): number {
  const [first, second] = readSlots(folder);
  if (first === null && second === null) {
    throw new DamageError(`The note ${path.join(folder, NOTE_FILE)} is damaged`);
  }
  return Math.max(first ?? 0, second ?? 0);
}

/** Whether a log was ever opened for writing that is noted in this folder: before that, nothing is acknowledged. */
export const hasNote = (folder: string): boolean => fs.existsSync(path.join(folder, NOTE_FILE));

/** One note of a log that is open for writing. */
export class JournalNote {
  private readonly handle: number;
  /** Index of the slot to overwrite next: never the newest one. */
  private next: 0 | 1;

  constructor(folder: string) {
    const [first, second] = readSlots(folder);
    this.next = (first ?? -1) > (second ?? -1) ? 1 : 0;
    const file = path.join(folder, NOTE_FILE);
    // With room for both slots: a full disk has to show now, not after a sync.
    if (!fs.existsSync(file)) fs.writeFileSync(file, Buffer.alloc(NOTE_BYTES), { mode: 0o600 });
    this.handle = fs.openSync(file, "r+");
  }

  /** Records that everything up to `position` is durable. */
  write(position: number): void {
    const bytes = Buffer.allocUnsafe(SLOT_BYTES);
    bytes.writeDoubleLE(position, 0);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 8)), 8);
    writeWhole(this.handle, bytes, SLOTS_AT[this.next]);
    this.next = this.next === 0 ? 1 : 0;
  }

  close(): void {
    fs.fsyncSync(this.handle);
    fs.closeSync(this.handle);
  }
}
