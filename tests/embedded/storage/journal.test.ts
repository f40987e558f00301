/**
 * The log on disk: what a start finds in it after orderly ends, kills, power cuts and damage.
 *
 * Long because every state of its files is one test.
 */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Journal } from "../../../embedded/storage/journal";
import { listSegments } from "../../../embedded/storage/journalFiles";
import { HEADER_BYTES } from "../../../embedded/storage/journalFormat";
import { readNotes } from "../../../embedded/storage/journalNote";
import { DamageError } from "../../../embedded/storage/orderedStore";
import { temporaryDir } from "../../support/temporaryDir";
import { PATIENCE } from "../../support/patience";

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});
afterEach(() => void vi.restoreAllMocks());

const SMALL = { firstSegmentBytes: 4096, segmentBytes: 4096, keptBytes: 1024 * 1024 };

function open(after = 0, options = SMALL): { journal: Journal; records: string[] } {
  const records: string[] = [];
  const journal = Journal.open(folder, after, (record) => records.push(record.toString()), options);
  return { journal, records };
}

function write(journal: Journal, from: number, to: number): void {
  for (let n = from; n <= to; n++) {
    journal.append([Buffer.from(`record ${n}`)], n);
    journal.syncNow();
  }
}

const lastSegment = () => path.join(folder, listSegments(folder).at(-1)!);
const preparedFile = () => path.join(folder, "next.prepared");
const noteFile = () => path.join(folder, "acknowledged");

function damage(file: string, at: number): void {
  const bytes = fs.readFileSync(file);
  bytes[at]! ^= 0x40;
  fs.writeFileSync(file, bytes);
}

describe("the log", () => {
  test("hands out every record after the given position, over several segments", async () => {
    const { journal } = open();
    write(journal, 1, 300);
    await journal.close();
    expect(listSegments(folder).length).toBeGreaterThan(2);
    const again = open(10);
    expect(again.records).toHaveLength(290);
    expect(again.records[0]).toBe("record 11");
    write(again.journal, 301, 302);
    await again.journal.close();
    expect(open(299).records).toEqual(["record 300", "record 301", "record 302"]);
  });

  test("hands out the rest of a group that is half applied, and refuses to start if it lost the group", async () => {
    const { journal } = open();
    journal.append([Buffer.from("1"), Buffer.from("2"), Buffer.from("3")], 3);
    await journal.sync();
    await journal.close();
    const segment = fs.readFileSync(lastSegment());
    fs.writeFileSync(lastSegment(), Buffer.from(segment).fill(0, HEADER_BYTES));
    expect(() => open(2)).toThrow("ends at position 0, but 3 was acknowledged");
    fs.writeFileSync(lastSegment(), segment);
    expect(open(2).records).toEqual(["3"]);
    for (const name of listSegments(folder)) fs.rmSync(path.join(folder, name));
    expect(() => open(2)).toThrow("but 3 was acknowledged");
  });

  test("brings to the disk all that its note does not know of, beginning with the oldest", async () => {
    const { journal } = open();
    write(journal, 1, 1);
    const note = fs.readFileSync(noteFile());
    write(journal, 2, 3);
    await journal.close();
    // A power cut: the note is older than the log.
    fs.writeFileSync(noteFile(), note);
    const writes = vi.spyOn(fs, "writeSync");
    await open().journal.close();
    const written = writes.mock.calls.map(([, bytes]) =>
      Buffer.from(bytes as unknown as Buffer).toString("latin1"),
    );
    expect(written.join()).toContain("record 2");
    expect(written.join()).toContain("record 3");
    expect(written.join()).not.toContain("record 1");
  });

  test("begins anew behind a store that is ahead of it, and never seems to hold what is missing", async () => {
    const { journal } = open();
    write(journal, 1, 3);
    await journal.close();
    // A backup was restored.
    const ahead = open(10);
    expect(ahead.records).toEqual([]);
    write(ahead.journal, 11, 12);
    await ahead.journal.close();
    expect(open(10).records).toEqual(["record 11", "record 12"]);
    expect(() => open(3)).toThrow("starts at position 11, but 4 is needed");
  });

  test("brings to the disk what a sync failed for, before it hands it on", async () => {
    const { journal } = open();
    write(journal, 1, 2);
    // From here on the system's cache may differ from the disk.
    const sync = vi.spyOn(fs, "fdatasyncSync").mockImplementation(() => {
      throw new Error("EIO: i/o error, fdatasync");
    });
    expect(() => write(journal, 3, 3)).toThrow("EIO");
    await journal.close();
    const written: string[] = [];
    const writes = vi.spyOn(fs, "writeSync");
    const watch = () => {
      for (const [, bytes] of writes.mock.calls)
        written.push(Buffer.from(bytes as unknown as Buffer).toString("latin1"));
      writes.mockClear();
    };
    expect(() => open()).toThrow("cannot be brought to the disk (EIO: i/o error, fdatasync)");
    sync.mockImplementation(watch);
    const again = open();
    expect(again.records).toEqual(["record 1", "record 2", "record 3"]);
    expect(written.join()).toContain("record 3");
    expect(written.join()).not.toContain("record 2");
    vi.restoreAllMocks();
    await again.journal.close();
    // Now it is known to be durable.
    const rewriting = vi.spyOn(fs, "fdatasyncSync");
    await open().journal.close();
    expect(rewriting).not.toHaveBeenCalled();
  });

  test("leaves that as it is when the system reads only a part of it", async () => {
    const { journal } = open();
    const sync = vi.spyOn(fs, "fdatasyncSync").mockImplementation(() => {
      throw new Error("EIO: i/o error, fdatasync");
    });
    journal.append([Buffer.from("a long record ".repeat(100))], 1);
    expect(() => journal.syncNow()).toThrow("EIO");
    await journal.close();
    sync.mockRestore();
    const readSync = fs.readSync.bind(fs);
    const readSomeSync = (
      handle: number,
      bytes: Buffer,
      from: number,
      length: number,
      at: number,
    ) => readSync(handle, bytes, from, Math.min(length, HEADER_BYTES), at);
    vi.spyOn(fs, "readSync").mockImplementation(readSomeSync as typeof fs.readSync);
    const again = open();
    vi.restoreAllMocks();
    await again.journal.close();
    expect(again.records).toHaveLength(1);
    expect(open().records).toEqual(again.records);
  });

  test("drops a last frame that was torn before it was acknowledged", async () => {
    const { journal } = open();
    write(journal, 1, 3);
    journal.append([Buffer.from("never acknowledged, long enough to be cut")], 4);
    await journal.close();
    const bytes = fs.readFileSync(lastSegment());
    const at = bytes.indexOf("never");
    bytes.fill(0, at, at + 10);
    fs.writeFileSync(lastSegment(), bytes);
    const again = open();
    expect(again.records).toHaveLength(3);
    write(again.journal, 4, 5);
    await again.journal.close();
    expect(open().records.slice(-2)).toEqual(["record 4", "record 5"]);
  });

  test("opens after a power cut in the middle of writing its note, wherever that was cut", () => {
    const { journal } = open();
    for (let count = 1; count <= 3; count++) {
      const before = fs.readFileSync(noteFile());
      write(journal, count, count);
      const after = fs.readFileSync(noteFile());
      for (let at = 0; at < after.length; at++) {
        if (after[at] === before[at]) continue;
        const torn = Buffer.concat([after.subarray(0, at), before.subarray(at)]);
        fs.writeFileSync(noteFile(), torn);
        expect(open().records, `write ${count}, byte ${at}`).toHaveLength(count);
      }
      fs.writeFileSync(noteFile(), after);
    }
    // Its length reached the disk, its content did not.
    fs.writeFileSync(noteFile(), Buffer.alloc(fs.statSync(noteFile()).size));
    expect(open().records).toHaveLength(3);
  });

  test("a note is written over its older half, also by the next start: a torn write costs the newest position alone", async () => {
    for (const last of [1, 2, 3]) {
      const { journal } = open(last - 1);
      write(journal, last, last);
      await journal.close();
      const note = fs.readFileSync(noteFile());
      // Where it has just been written to, as if torn by a power cut.
      const torn = [0, 512].find((at) => note.length > at && note.readDoubleLE(at) === last)!;
      damage(noteFile(), torn + 6);
      expect(readNotes([folder])).toBe(last - 1);
      fs.writeFileSync(noteFile(), note);
    }
  });

  test("a note with one damaged half still tells that the log lost its end, one with two is refused", async () => {
    const { journal } = open();
    write(journal, 1, 301);
    await journal.close();
    const note = fs.readFileSync(noteFile());
    const lost = lastSegment();
    const segment = fs.readFileSync(lost);
    const halves = [6, note.length - 6];
    for (const at of halves) {
      damage(noteFile(), at);
      fs.rmSync(lost);
      expect(() => open(), `byte ${at}`).toThrow(/was acknowledged/);
      fs.writeFileSync(lost, segment);
      fs.writeFileSync(noteFile(), note);
    }
    for (const at of halves) damage(noteFile(), at);
    expect(() => open()).toThrow(DamageError);
  });

  test("refuses a damaged byte in any acknowledged frame, the last one included", async () => {
    const { journal } = open();
    write(journal, 1, 20);
    await journal.close();
    const file = lastSegment();
    const original = fs.readFileSync(file);
    const used = original.lastIndexOf("record 20") + 9;
    for (let at = 0; at < used; at += 3) {
      // Padding between frames holds nothing.
      if (original[at] === 0) continue;
      damage(file, at);
      expect(() => open(), `byte ${at}`).toThrow(DamageError);
      fs.writeFileSync(file, original);
    }
    expect(open().records).toHaveLength(20);
  });

  test("refuses damage with a whole frame behind it, also when its note is from before both", async () => {
    const { journal } = open();
    write(journal, 1, 5);
    const note = fs.readFileSync(noteFile());
    write(journal, 6, 20);
    await journal.close();
    fs.writeFileSync(noteFile(), note);
    const file = lastSegment();
    damage(file, fs.readFileSync(file).indexOf("record 15"));
    expect(() => open()).toThrow("is damaged after position 14");
  });

  test("refuses a segment of another log, whose numbers fit", async () => {
    const foreign = open().journal;
    foreign.append([Buffer.from("another 1")], 1);
    write(foreign, 2, 300);
    await foreign.close();
    const second = path.join(folder, listSegments(folder)[1]!);
    const bytes = fs.readFileSync(second);
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name));
    const { journal } = open();
    write(journal, 1, 300);
    await journal.close();
    fs.writeFileSync(second, bytes);
    expect(() => open()).toThrow("does not continue the one before it");
  });

  test("refuses a log that lost a segment, was cut or was zeroed", async () => {
    const { journal } = open();
    write(journal, 1, 300);
    await journal.close();
    const names = listSegments(folder);
    const middle = path.join(folder, names[1]!);
    const original = fs.readFileSync(middle);
    fs.rmSync(middle);
    expect(() => open()).toThrow(DamageError);
    fs.writeFileSync(middle, original.subarray(0, 2000));
    expect(() => open()).toThrow(DamageError);
    fs.writeFileSync(middle, Buffer.alloc(original.length));
    expect(() => open()).toThrow(DamageError);
    fs.writeFileSync(middle, original);
    fs.rmSync(path.join(folder, names.at(-1)!));
    expect(() => open()).toThrow(/was acknowledged/);
  });

  test("finds damage in an applied segment that was verified before, and reads a sound one only once", async () => {
    const { journal } = open();
    write(journal, 1, 300);
    await journal.close();
    await open(300).journal.close();
    const sound = path.join(folder, listSegments(folder)[0]!);
    const read = vi.spyOn(fs, "readFileSync");
    await open(300).journal.close();
    expect(read.mock.calls.map(([file]) => file)).not.toContain(sound);
    read.mockRestore();
    damage(sound, 100);
    expect(() => open(300)).toThrow(DamageError);
  });

  test("a log that was closed in order goes on unread; one that was not is read", async () => {
    const { journal } = open();
    write(journal, 1, 300);
    await journal.close();
    const last = lastSegment();
    const read = vi.spyOn(fs, "readFileSync");
    const isRead = () => read.mock.calls.some(([file]) => file === last);
    const again = open(300);
    expect(isRead()).toBe(false);
    // The first log was never closed: its record was withdrawn before it could be written to.
    const unclosed = open(300);
    expect(isRead()).toBe(true);
    write(unclosed.journal, 301, 302);
    await unclosed.journal.close();
    read.mockClear();
    expect(open(300).records).toEqual(["record 301", "record 302"]);
    await again.journal.close();
    read.mockRestore();
  });

  test("what is known of a log is worth nothing once a byte of it is damaged", async () => {
    const { journal } = open();
    write(journal, 1, 3);
    await journal.close();
    const verified = path.join(folder, "verified");
    const sound = fs.readFileSync(verified);
    const read = vi.spyOn(fs, "readFileSync");
    const isRead = () => read.mock.calls.some(([file]) => file === lastSegment());
    for (let at = 0; at < sound.length; at++) {
      damage(verified, at);
      open(3);
      expect(isRead(), `byte ${at}`).toBe(true);
      fs.writeFileSync(verified, sound);
      read.mockClear();
    }
    open(3);
    expect(isRead()).toBe(false);
    read.mockRestore();
  });

  test("a log whose last frame was not synced is read again", async () => {
    const { journal } = open();
    write(journal, 1, 3);
    journal.append([Buffer.from("never acknowledged")], 4);
    await journal.close();
    damage(lastSegment(), fs.readFileSync(lastSegment()).indexOf("never"));
    const { records } = open(4);
    expect(records).toEqual([]);
    expect(fs.readFileSync(lastSegment()).includes("acknowledged")).toBe(false);
  });

  test("so is one of which nothing is damaged", async () => {
    const { journal } = open();
    write(journal, 1, 3);
    journal.append([Buffer.from("never acknowledged")], 4);
    await journal.close();
    const last = lastSegment();
    const read = vi.spyOn(fs, "readFileSync");
    await open(4).journal.close();
    expect(read.mock.calls.map(([file]) => file)).toContain(last);
  });

  test("goes on in the segment that was prepared meanwhile, and leaves none behind", async () => {
    const { journal } = open();
    const prepared = new Set<number>();
    const isOneUsed = () =>
      listSegments(folder).some((name) => prepared.has(fs.statSync(path.join(folder, name)).ino));
    let count = 0;
    while (!isOneUsed() && listSegments(folder).length < 20) {
      write(journal, ++count, count);
      await wait(1);
      if (fs.existsSync(preparedFile())) prepared.add(fs.statSync(preparedFile()).ino);
    }
    expect(isOneUsed()).toBe(true);
    write(journal, count + 1, count + 50);
    await vi.waitFor(() => expect(fs.existsSync(preparedFile())).toBe(true), PATIENCE);
    await journal.close();
    expect(fs.existsSync(preparedFile())).toBe(false);
    const left = [preparedFile(), path.join(folder, "next.draft")];
    for (const file of left) fs.writeFileSync(file, "of a process that was killed");
    await open().journal.close();
    expect(left.filter((file) => fs.existsSync(file))).toEqual([]);
  });

  /** No segment can be prepared any more. */
  const fillTheDisk = async () => {
    const handle = await fs.promises.open(folder);
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as fs.promises.FileHandle, "sync");
    await handle.close();
    onTestFinished(() => sync.mockRestore());
    return sync.mockRejectedValue(new Error("ENOSPC: no space left on device"));
  };

  test("gives back the space of a segment that could not be prepared", async () => {
    const { journal } = open();
    const sync = await fillTheDisk();
    write(journal, 1, 60);
    await vi.waitFor(() => {
      expect(sync).toHaveBeenCalled();
      expect(fs.existsSync(preparedFile())).toBe(false);
    }, PATIENCE);
    await journal.close();
  });

  test("goes on when that cannot be removed either, as long as what it writes is stored", async () => {
    const { journal } = open();
    await fillTheDisk();
    const remove = vi.spyOn(fs.promises, "rm").mockRejectedValue(new Error("EIO: i/o error, rm"));
    write(journal, 1, 60);
    await vi.waitFor(() => expect(remove).toHaveBeenCalled(), PATIENCE);
    write(journal, 61, 61);
    remove.mockRestore();
    await journal.close();
    expect(open().records).toHaveLength(61);
  });

  test("still has its file, to close it, when the next one cannot be opened", async () => {
    const { journal } = open();
    write(journal, 1, 1);
    const { openSync } = fs;
    vi.spyOn(fs, "openSync").mockImplementation((file, ...how) => {
      if (String(file).endsWith(".log")) throw new Error("EIO: i/o error, open");
      return openSync(file, ...how);
    });
    expect(() => journal.append([Buffer.alloc(5000)], 2)).toThrow("EIO");
    vi.restoreAllMocks();
    await journal.close();
    expect(open().records).toEqual(["record 1"]);
  });

  test("keeps what the store lacks, and its last segment, however little it is to keep", async () => {
    const { journal } = open(0, { ...SMALL, keptBytes: 1 });
    write(journal, 1, 300);
    journal.applied(100);
    await journal.close();
    expect(open(100).records).toHaveLength(200);
    const again = open(300, { ...SMALL, keptBytes: 1 });
    again.journal.applied(300);
    expect(listSegments(folder)).toHaveLength(1);
    write(again.journal, 301, 301);
    await again.journal.close();
    expect(open(300).records).toEqual(["record 301"]);
  });

  test("refuses to start behind the store it belongs to", async () => {
    const { journal } = open(0, { ...SMALL, keptBytes: 8192 });
    write(journal, 1, 600);
    journal.applied(600);
    await journal.close();
    expect(() => open(1)).toThrow(/but 2 is needed/);
  });
});
