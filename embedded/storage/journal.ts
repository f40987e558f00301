/**
 * The commit log on disk: preallocated segments, one sync per group, verified and replayed at start.
 *
 * Writes are synchronous because they only reach the page cache; syncing takes the time. A note next to the
 * segments records the acknowledged position (journalNote), so that a log that lost its end is detected. Only
 * after a power cut may the note be older than the log; it is never newer.
 */
import fs from "node:fs";
import path from "node:path";
import type { CommitLog } from "./commitLog.ts";
import {
  DRAFT_FILE,
  PREPARED_FILE,
  createSegment,
  eraseTornTail,
  fillWithZeros,
  noteVerified,
  rewriteTail,
  writeWhole,
  type LogEnd,
  type SegmentInfo,
} from "./journalFiles.ts";
import { HEADER_BYTES, ZERO_HASH, encodeFrame, type SegmentHeader } from "./journalFormat.ts";
import { JournalFollower } from "./journalFollower.ts";
import { JournalNote } from "./journalNote.ts";
import { readLog } from "./journalRead.ts";
import { makeFolder } from "./newFolder.ts";

const FIRST_SEGMENT_BYTES = 1024 * 1024;
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Applied segments are kept up to this size; they can restore what the store lost. */
const KEPT_BYTES = 256 * 1024 * 1024;
/** Error codes of a write that has stored nothing: no space, quota exceeded. */
const FULL: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT"]);
/** Error codes of an open while there are too many open files. */
const OUT_OF_FILES: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE"]);

export interface JournalOptions {
  readonly firstSegmentBytes?: number;
  readonly segmentBytes?: number;
  readonly keptBytes?: number;
  /** Another folder for the note of the acknowledged position, which the log does not take along when it is gone. */
  readonly alsoNotedIn?: string;
}

type Sizes = Required<Omit<JournalOptions, "alsoNotedIn">>;

/** Open it only while holding the folder's lock. After a failed write or sync nothing more may be appended. */
export class Journal implements CommitLog {
  readonly isInstant = false;
  isUncertain = false;
  private readonly folder: string;
  private readonly options: Sizes;
  private readonly segments: SegmentInfo[];
  private readonly notes: readonly JournalNote[];
  private readonly follower: JournalFollower;
  private handle: number;
  private writeAt: number;
  private lastHash: Buffer;
  private lastPosition: number;
  /** Last position of the newest frame whose write began, and of the newest frame that was synced. */
  private begunPosition: number;
  private syncedPosition: number;
  private isPrepared = false;
  private preparing: Promise<void> | null = null;

  private constructor(folder: string, options: Sizes, noteFolders: readonly string[], end: LogEnd) {
    this.folder = folder;
    this.options = options;
    this.segments = end.segments;
    this.lastHash = end.lastHash;
    this.lastPosition = end.lastPosition;
    this.begunPosition = end.lastPosition;
    this.syncedPosition = end.lastPosition;
    this.writeAt = end.writeAt;
    this.handle = fs.openSync(end.segments.at(-1)!.file, "r+");
    this.notes = noteFolders.map((noteFolder) => new JournalNote(noteFolder));
    this.follower = new JournalFollower(folder);
  }

  /**
   * Opens a log for writing, after passing the records after `after` to `onRecord`.
   * @throws DamageError see {@link readLog}; Error when frames that may not be durable cannot be rewritten
   */
  static open(
    folder: string,
    after: number,
    onRecord: (record: Buffer) => void,
    options: JournalOptions = {},
  ): Journal {
    makeFolder(folder);
    const full = {
      firstSegmentBytes: options.firstSegmentBytes ?? FIRST_SEGMENT_BYTES,
      segmentBytes: options.segmentBytes ?? SEGMENT_BYTES,
      keptBytes: options.keptBytes ?? KEPT_BYTES,
    };
    for (const left of [PREPARED_FILE, DRAFT_FILE])
      fs.rmSync(path.join(folder, left), { force: true });
    const { alsoNotedIn } = options;
    const noteFolders = alsoNotedIn === undefined ? [folder] : [folder, alsoNotedIn];
    let end = readLog(folder, after, onRecord, { noteFolders });
    if (end === null || end.lastPosition < after) {
      // Nothing to continue: the log is new, or the store was restored to a later position.
      const number = (end?.segments.at(-1)?.header.number ?? 0) + 1;
      for (const segment of end?.segments ?? []) fs.rmSync(segment.file);
      const header = { number, startPosition: after, startHash: ZERO_HASH };
      end = {
        segments: [createSegment(folder, header, full.firstSegmentBytes)],
        lastPosition: after,
        lastHash: ZERO_HASH,
        writeAt: HEADER_BYTES,
        isTorn: false,
        unsyncedAt: null,
      };
    } else if (end.isTorn) {
      eraseTornTail(end);
    }
    if (end.unsyncedAt !== null) rewriteTail(end, end.unsyncedAt);
    noteVerified(folder, end.segments, null);
    const journal = new Journal(folder, full, noteFolders, end);
    if (end.unsyncedAt !== null) journal.noteSynced(end.lastPosition);
    return journal;
  }

  /** The segment that is written; there is always one. */
  private get current(): SegmentInfo {
    return this.segments.at(-1)!;
  }

  append(records: readonly Buffer[], lastPosition: number): void {
    this.begunPosition = lastPosition;
    const { bytes, hash } = encodeFrame(records, lastPosition, this.lastHash);
    if (this.writeAt + bytes.length > this.current.bytes) this.beginSegment(bytes.length);
    this.writeFrame(bytes);
    this.writeAt += bytes.length;
    this.lastHash = hash;
    this.lastPosition = lastPosition;
    this.current.lastPosition = lastPosition;
    if (this.writeAt > this.current.bytes / 2) this.prepareNext();
  }

  read(after: number, until: number): Iterable<Buffer> {
    return this.follower.read(after, until);
  }

  /**
   * When the disk is full and no byte was written, the frame is certainly not in the log. Any other error
   * leaves it open.
   */
  private writeFrame(bytes: Buffer): void {
    let written: number;
    this.isUncertain = true;
    try {
      written = fs.writeSync(this.handle, bytes, 0, bytes.length, this.writeAt);
    } catch (error) {
      this.isUncertain = !FULL.has((error as NodeJS.ErrnoException).code);
      throw error;
    }
    writeWhole(this.handle, bytes.subarray(written), this.writeAt + written);
  }

  syncNow(): void {
    fs.fdatasyncSync(this.handle);
    this.noteSynced(this.lastPosition);
  }

  async sync(): Promise<void> {
    const position = this.lastPosition;
    await new Promise<void>((resolve, reject) => {
      fs.fdatasync(this.handle, (error) => (error === null ? resolve() : reject(error)));
    });
    this.noteSynced(position);
  }

  private noteSynced(position: number): void {
    for (const note of this.notes) note.write(position);
    this.syncedPosition = position;
    this.isUncertain = false;
  }

  /** Without a descriptor for it, the log ends like one whose end is unknown: a new process has descriptors again. */
  private beginSegment(frameBytes: number): void {
    try {
      this.nextSegment(frameBytes);
    } catch (error) {
      this.isUncertain = OUT_OF_FILES.has((error as NodeJS.ErrnoException).code);
      throw error;
    }
  }

  private nextSegment(frameBytes: number): void {
    const header: SegmentHeader = {
      number: this.current.header.number + 1,
      startPosition: this.lastPosition,
      startHash: this.lastHash,
    };
    const wanted = Math.max(this.options.segmentBytes, HEADER_BYTES + frameBytes);
    const isReady = this.isPrepared && wanted === this.options.segmentBytes;
    const segment = createSegment(this.folder, header, wanted, isReady);
    this.isPrepared = false;
    const handle = fs.openSync(segment.file, "r+");
    fs.closeSync(this.handle);
    this.handle = handle;
    this.segments.push(segment);
    this.writeAt = HEADER_BYTES;
    noteVerified(this.folder, this.segments, null);
  }

  /** Fills the next segment with zeros in advance. */
  private prepareNext(): void {
    if (this.isPrepared || this.preparing !== null) return;
    const file = path.join(this.folder, PREPARED_FILE);
    this.preparing = fillWithZeros(file, this.options.segmentBytes)
      .then(
        () => void (this.isPrepared = true),
        // The disk is full. nextSegment will run into it and report it; until then the store may need the space.
        // What cannot be removed is removed at the next start.
        () => fs.promises.rm(file, { force: true }).catch(() => undefined),
      )
      .finally(() => (this.preparing = null));
  }

  applied(position: number): void {
    let kept = this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (this.segments.length > 1 && kept > this.options.keptBytes) {
      const oldest = this.segments[0]!;
      if (oldest.lastPosition > position) return;
      fs.rmSync(oldest.file, { force: true });
      kept -= oldest.bytes;
      this.segments.shift();
    }
  }

  async close(): Promise<void> {
    await this.preparing;
    fs.rmSync(path.join(this.folder, PREPARED_FILE), { force: true });
    for (const note of this.notes) note.close();
    this.follower.close();
    fs.closeSync(this.handle);
    if (this.syncedPosition !== this.begunPosition) return;
    const { lastPosition, lastHash, writeAt } = this;
    noteVerified(this.folder, this.segments, { lastPosition, lastHash, writeAt });
  }
}
