/**
 * The files of the log: listing, creating and repairing segments. Their content is read in journalRead.ts and
 * written in journal.ts.
 */
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { fingerprintOf } from "./fingerprint.ts";
import { encodeHeader, type SegmentHeader } from "./journalFormat.ts";
import { syncPathNow } from "./syncTree.ts";

export const PREPARED_FILE = "next.prepared";
export const DRAFT_FILE = "next.draft";
const SEGMENT_NAME = /^(\d{10})\.log$/;

/** One segment on the disk. */
export interface SegmentInfo {
  readonly file: string;
  readonly header: SegmentHeader;
  readonly bytes: number;
  /** Position of its last record. */
  lastPosition: number;
}

/** The end of a segment's records, where the next frame is written. */
export interface SegmentEnd {
  readonly lastPosition: number;
  readonly lastHash: Buffer;
  readonly writeAt: number;
}

/** A segment's end as found by reading it. */
export interface FoundEnd extends SegmentEnd {
  /** An incomplete frame follows. */
  readonly isTorn: boolean;
  /** Offset of the first frame that is in the file but not known to be synced; null when there is none. */
  readonly unsyncedAt: number | null;
}

/** The end of a log, where writing continues. */
export interface LogEnd extends FoundEnd {
  readonly segments: SegmentInfo[];
}

/** What is known to be valid without reading it. */
export interface Verified {
  /** Fingerprints of segments, by name, at their last verification. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** The end of the last segment, if the log was closed in order. */
  readonly end: SegmentEnd | null;
}

/** File that records which segments were verified and are no longer written. */
const VERIFIED_FILE = "verified";

/**
 * {@link Verified} as JSON. In the file its checksum precedes it, because writing continues at the offset it
 * gives.
 */
interface VerifiedJson {
  readonly fingerprints: Record<string, string>;
  readonly end: {
    readonly position: number;
    readonly hash: string;
    readonly writeAt: number;
  } | null;
}

/** Names sort by number: ten digits last for longer than any log. */
export const segmentName = (number: number) => `${String(number).padStart(10, "0")}.log`;

/** Creates a synced file of zeros, so that later syncs change no metadata. */
function preallocate(file: string, bytes: number): void {
  const handle = fs.openSync(file, "w", 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(bytes, 1024 * 1024));
    for (let at = 0; at < bytes; at += zeros.length) writeWhole(handle, zeros, at);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Writes all bytes or throws. */
export function writeWhole(handle: number, bytes: Buffer, position: number): void {
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

/** Like {@link preallocate}, without blocking the event loop. */
export async function fillWithZeros(file: string, bytes: number): Promise<void> {
  const handle = await fs.promises.open(file, "w", 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(bytes, 256 * 1024));
    for (let at = 0; at < bytes;) {
      const length = Math.min(zeros.length, bytes - at);
      at += (await handle.write(zeros, 0, length, at)).bytesWritten;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Nothing is known to be valid: everything is read. */
export const UNVERIFIED: Verified = { fingerprints: new Map(), end: null };

function withChecksum(json: string): string {
  return `${crc32(json)} ${json}`;
}

/**
 * What {@link noteVerified} recorded last; {@link UNVERIFIED} when that is damaged, torn or in an older
 * format.
 */
export function readVerified(folder: string): Verified {
  try {
    const text = fs.readFileSync(path.join(folder, VERIFIED_FILE), "utf8");
    const json = text.slice(text.indexOf(" ") + 1);
    if (text !== withChecksum(json)) return UNVERIFIED;
    const { fingerprints, end } = JSON.parse(json) as VerifiedJson;
    return {
      fingerprints: new Map(Object.entries(fingerprints)),
      end: end && {
        lastPosition: end.position,
        lastHash: Buffer.from(end.hash, "hex"),
        writeAt: end.writeAt,
      },
    };
  } catch {
    // The file is missing or not in this format.
    return UNVERIFIED;
  }
}

/**
 * Records that the segments are valid as they are now: all of them when the log is closed and ends at `end`,
 * otherwise all but the last, which will be written. A full record must be replaced before writing starts,
 * because file times are too coarse to reveal the write.
 */
export function noteVerified(
  folder: string,
  segments: readonly SegmentInfo[],
  end: SegmentEnd | null,
): void {
  const known = (end === null ? segments.slice(0, -1) : segments).map(
    ({ file }) => [path.basename(file), fingerprintOf(file)] as const,
  );
  const json: VerifiedJson = {
    fingerprints: Object.fromEntries(known),
    end: end && {
      position: end.lastPosition,
      hash: end.lastHash.toString("hex"),
      writeAt: end.writeAt,
    },
  };
  const file = path.join(folder, VERIFIED_FILE);
  try {
    fs.writeFileSync(file, withChecksum(JSON.stringify(json)), { mode: 0o600 });
  } catch {
    // The disk is full: the next start reads everything.
    fs.rmSync(file, { force: true });
  }
}

/** Creates the next segment, from the prepared file if there is one. Durable, including its name. */
export function createSegment(
  folder: string,
  header: SegmentHeader,
  bytes: number,
  isPrepared = false,
): SegmentInfo {
  const file = path.join(folder, segmentName(header.number));
  // Never the file that is still being prepared: zeros would be written into the new segment.
  const draft = path.join(folder, isPrepared ? PREPARED_FILE : DRAFT_FILE);
  // The file is renamed only after its header is durable, so a crash leaves no incomplete segment.
  if (!isPrepared) preallocate(draft, bytes);
  const handle = fs.openSync(draft, "r+");
  try {
    writeWhole(handle, encodeHeader(header), 0);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(draft, file);
  syncPathNow(folder);
  return { file, header, bytes, lastPosition: header.startPosition };
}

/**
 * Makes frames durable that are not known to be synced. They are rewritten, because after a failed sync the
 * system may mark its cached pages as clean.
 */
export function rewriteTail(end: LogEnd, from: number): void {
  const handle = fs.openSync(end.segments.at(-1)!.file, "r+");
  try {
    // Unlike `readSync`, it reads all there is.
    writeWhole(handle, fs.readFileSync(handle).subarray(from, end.writeAt), from);
    fs.fdatasyncSync(handle);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`What the log took in last cannot be brought to the disk (${message})`, {
      cause: error,
    });
  } finally {
    fs.closeSync(handle);
  }
}

/** Erases a torn last frame, so that the next start does not report it as damage. */
export function eraseTornTail(end: LogEnd): void {
  const segment = end.segments.at(-1)!;
  const handle = fs.openSync(segment.file, "r+");
  try {
    writeWhole(handle, Buffer.alloc(segment.bytes - end.writeAt), end.writeAt);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
