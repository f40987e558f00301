/**
 * The log of commits on disk: preallocated segments, one sync per group, verified and replayed at start.
 *
 * Writing is synchronous (it goes to the page cache), syncing is what takes time. A note beside the
 * segments says how far commits were acknowledged, so that a log which lost its end is noticed after
 * anything but a power cut (after which the note may be older than the log, never newer).
 */
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import type { CommitLog } from "./commitLog";
import {
  HEADER_BYTES,
  ZERO_HASH,
  decodeFrame,
  decodeHeader,
  encodeFrame,
  encodeHeader,
  hasLaterFrame,
  type SegmentHeader,
} from "./journalFormat";
import { DamageError } from "./orderedStore";

const FIRST_SEGMENT_BYTES = 1024 * 1024;
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Applied segments are kept up to this much: they can rebuild what the store lost. */
const KEPT_BYTES = 256 * 1024 * 1024;
const NOTE_FILE = "acknowledged";
const NOTE_BYTES = 12;
const PREPARED_FILE = "next.prepared";
const DRAFT_FILE = "next.draft";
const SEGMENT_NAME = /^(\d{10})\.log$/;

interface SegmentInfo {
  readonly file: string;
  readonly header: SegmentHeader;
  readonly bytes: number;
  /** Position of its last record. */
  lastPosition: number;
}

export interface JournalOptions {
  readonly firstSegmentBytes?: number;
  readonly segmentBytes?: number;
  readonly keptBytes?: number;
}

const segmentName = (number: number) => `${String(number).padStart(10, "0")}.log`;

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** A file of zeros on the disk, so that later syncs change no metadata. */
function preallocate(file: string, bytes: number): void {
  const handle = fs.openSync(file, "w", 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(bytes, 1024 * 1024));
    for (let at = 0; at < bytes; at += zeros.length)
      fs.writeSync(handle, zeros, 0, zeros.length, at);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function writeWhole(handle: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += fs.writeSync(handle, bytes, done, bytes.length - done, position + done);
  }
}

/** Names of the segments in a folder, oldest first. */
export function listSegments(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => SEGMENT_NAME.test(name))
    .sort();
}

/** What the note beside the log says: the last acknowledged position, 0 without a note. */
function readNote(folder: string): number {
  const file = path.join(folder, NOTE_FILE);
  if (!fs.existsSync(file)) return 0;
  const bytes = fs.readFileSync(file);
  if (bytes.every((byte) => byte === 0)) return 0;
  if (bytes.length !== NOTE_BYTES || bytes.readUInt32LE(8) !== crc32(bytes.subarray(0, 8))) {
    throw new DamageError(`The note ${NOTE_FILE} beside the log is damaged`);
  }
  return bytes.readDoubleLE(0);
}

export interface LogEnd {
  readonly segments: SegmentInfo[];
  readonly lastPosition: number;
  readonly lastHash: Buffer;
  /** Where the next frame goes in the last segment. */
  readonly writeAt: number;
}

/**
 * Verifies a log from its first kept segment on and hands out every record.
 * @param after records up to this position are verified but not handed out
 * @throws DamageError when a segment is missing or damaged anywhere but in an unacknowledged last frame,
 *   or the log does not reach the acknowledged position
 */
export function readLog(
  folder: string,
  after: number,
  onRecord: (record: Buffer) => void,
): LogEnd | null {
  const names = listSegments(folder);
  const acknowledged = readNote(folder);
  const segments: SegmentInfo[] = [];
  let end: LogEnd | null = null;
  for (const [index, name] of names.entries()) {
    const file = path.join(folder, name);
    const bytes = fs.readFileSync(file);
    const header = decodeHeader(bytes, name);
    const isFirst = end === null;
    const isNext =
      isFirst ||
      (header.number === segments.at(-1)!.header.number + 1 &&
        header.startPosition === end!.lastPosition &&
        header.startHash.equals(end!.lastHash));
    if (!isNext || Number(SEGMENT_NAME.exec(name)![1]) !== header.number) {
      throw new DamageError(`Log segment ${name} does not continue the one before it`);
    }
    let at = HEADER_BYTES;
    let lastHash = header.startHash;
    let lastPosition: number = header.startPosition;
    for (;;) {
      const frame = decodeFrame(bytes, at, lastHash);
      if (frame === null) break;
      if (frame.lastPosition > after) {
        const skipped = after - (frame.lastPosition - frame.records.length);
        frame.records.slice(Math.max(0, skipped)).forEach(onRecord);
      }
      ({ lastPosition, hash: lastHash, end: at } = frame);
    }
    if (hasLaterFrame(bytes, at)) {
      throw new DamageError(`Log segment ${name} is damaged after position ${lastPosition}`);
    }
    segments.push({ file, header, bytes: bytes.length, lastPosition });
    end = { segments, lastPosition, lastHash, writeAt: at };
    if (index === 0 && header.startPosition > after) {
      throw new DamageError(
        `The log starts at position ${header.startPosition + 1}, but the store ends at ${after}`,
      );
    }
  }
  if ((end?.lastPosition ?? after) < acknowledged) {
    throw new DamageError(
      `The log ends at position ${end?.lastPosition ?? 0}, but ${acknowledged} was acknowledged`,
    );
  }
  return end;
}

export class Journal implements CommitLog {
  readonly isInstant = false;
  private readonly folder: string;
  private readonly options: Required<JournalOptions>;
  private readonly segments: SegmentInfo[];
  private readonly note: number;
  private handle: number;
  private writeAt: number;
  private lastHash: Buffer;
  private lastPosition: number;
  private isPrepared = false;
  private preparing: Promise<void> | null = null;

  private constructor(folder: string, options: Required<JournalOptions>, end: LogEnd) {
    this.folder = folder;
    this.options = options;
    this.segments = end.segments;
    this.lastHash = end.lastHash;
    this.lastPosition = end.lastPosition;
    this.writeAt = end.writeAt;
    this.handle = fs.openSync(end.segments.at(-1)!.file, "r+");
    const noteFile = path.join(folder, NOTE_FILE);
    if (!fs.existsSync(noteFile))
      fs.writeFileSync(noteFile, Buffer.alloc(NOTE_BYTES), { mode: 0o600 });
    this.note = fs.openSync(noteFile, "r+");
  }

  /**
   * Opens a log for writing, handing out the records after `after` first.
   * @throws DamageError see {@link readLog}
   */
  static open(
    folder: string,
    after: number,
    onRecord: (record: Buffer) => void,
    options: JournalOptions = {},
  ): Journal {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const full = {
      firstSegmentBytes: options.firstSegmentBytes ?? FIRST_SEGMENT_BYTES,
      segmentBytes: options.segmentBytes ?? SEGMENT_BYTES,
      keptBytes: options.keptBytes ?? KEPT_BYTES,
    };
    for (const left of [PREPARED_FILE, DRAFT_FILE])
      fs.rmSync(path.join(folder, left), { force: true });
    let end = readLog(folder, after, onRecord);
    if (end === null || end.lastPosition < after) {
      // Nothing to continue: a new log, or a store that was restored beyond this log.
      const number = (end?.segments.at(-1)?.header.number ?? 0) + 1;
      for (const segment of end?.segments ?? []) fs.rmSync(segment.file);
      const header = { number, startPosition: after, startHash: ZERO_HASH };
      end = createSegment(folder, header, full.firstSegmentBytes);
    } else {
      eraseTornTail(end);
    }
    return new Journal(folder, full, end);
  }

  append(records: readonly Buffer[], lastPosition: number): void {
    const { bytes, hash } = encodeFrame(records, lastPosition, this.lastHash);
    const segment = this.segments.at(-1)!;
    if (this.writeAt + bytes.length > segment.bytes) this.nextSegment(bytes.length);
    writeWhole(this.handle, bytes, this.writeAt);
    this.writeAt += bytes.length;
    this.lastHash = hash;
    this.lastPosition = lastPosition;
    this.segments.at(-1)!.lastPosition = lastPosition;
    if (this.writeAt > this.segments.at(-1)!.bytes / 2) this.prepareNext();
  }

  syncNow(): void {
    fs.fdatasyncSync(this.handle);
    this.writeNote(this.lastPosition);
  }

  async sync(): Promise<void> {
    const position = this.lastPosition;
    await new Promise<void>((resolve, reject) => {
      fs.fdatasync(this.handle, (error) => (error === null ? resolve() : reject(error)));
    });
    this.writeNote(position);
  }

  private writeNote(position: number): void {
    const bytes = Buffer.allocUnsafe(NOTE_BYTES);
    bytes.writeDoubleLE(position, 0);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 8)), 8);
    writeWhole(this.note, bytes, 0);
  }

  private nextSegment(frameBytes: number): void {
    const previous = this.segments.at(-1)!;
    const header: SegmentHeader = {
      number: previous.header.number + 1,
      startPosition: this.lastPosition,
      startHash: this.lastHash,
    };
    const wanted = Math.max(this.options.segmentBytes, HEADER_BYTES + frameBytes);
    const isReady = this.isPrepared && wanted === this.options.segmentBytes;
    const { segments, writeAt } = createSegment(this.folder, header, wanted, isReady);
    this.isPrepared = false;
    fs.closeSync(this.handle);
    this.handle = fs.openSync(segments[0]!.file, "r+");
    this.segments.push(segments[0]!);
    this.writeAt = writeAt;
  }

  /** Fills the next segment with zeros while there is time. */
  private prepareNext(): void {
    if (this.isPrepared || this.preparing !== null) return;
    const file = path.join(this.folder, PREPARED_FILE);
    this.preparing = fillWithZeros(file, this.options.segmentBytes).then(
      () => {
        this.isPrepared = true;
        this.preparing = null;
      },
      () => {
        // A full disk: nextSegment will meet it and say so.
        this.preparing = null;
      },
    );
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
    fs.fsyncSync(this.note);
    fs.closeSync(this.handle);
    fs.closeSync(this.note);
  }
}

async function fillWithZeros(file: string, bytes: number): Promise<void> {
  const handle = await fs.promises.open(file, "w", 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(bytes, 256 * 1024));
    for (let at = 0; at < bytes; at += zeros.length) await handle.write(zeros, 0, zeros.length, at);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function createSegment(
  folder: string,
  header: SegmentHeader,
  bytes: number,
  isPrepared = false,
): LogEnd {
  const file = path.join(folder, segmentName(header.number));
  // Never the file that is being prepared: whoever fills it would go on writing zeros into it.
  const draft = path.join(folder, isPrepared ? PREPARED_FILE : DRAFT_FILE);
  // The name appears only when the header is on the disk: a crash leaves no half segment behind.
  if (!isPrepared) preallocate(draft, bytes);
  const handle = fs.openSync(draft, "r+");
  try {
    writeWhole(handle, encodeHeader(header), 0);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(draft, file);
  syncFolder(folder);
  const { startPosition, startHash } = header;
  return {
    segments: [{ file, header, bytes, lastPosition: startPosition }],
    lastPosition: startPosition,
    lastHash: startHash,
    writeAt: HEADER_BYTES,
  };
}

/** What a torn last frame left behind must not be taken for damage by the next start. */
function eraseTornTail(end: LogEnd): void {
  const segment = end.segments.at(-1)!;
  const handle = fs.openSync(segment.file, "r+");
  try {
    const rest = Buffer.alloc(segment.bytes - end.writeAt);
    fs.readSync(handle, rest, 0, rest.length, end.writeAt);
    if (rest.every((byte) => byte === 0)) return;
    writeWhole(handle, rest.fill(0), end.writeAt);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
