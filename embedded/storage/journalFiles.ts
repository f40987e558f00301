/**
 * The files of the log: finding, making and clearing segments. What is in them is read in journalRead.ts
 * and written in journal.ts.
 */
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { fingerprintOf } from "./fingerprint";
import { HEADER_BYTES, encodeHeader, type SegmentHeader } from "./journalFormat";

export const PREPARED_FILE = "next.prepared";
export const DRAFT_FILE = "next.draft";
export const SEGMENT_NAME = /^(\d{10})\.log$/;

/** One segment on the disk. */
export interface SegmentInfo {
  readonly file: string;
  readonly header: SegmentHeader;
  readonly bytes: number;
  /** Position of its last record. */
  lastPosition: number;
}

/** Where a segment's records end and the next frame goes. */
export interface SegmentEnd {
  readonly lastPosition: number;
  readonly lastHash: Buffer;
  readonly writeAt: number;
}

/** A segment's end as it was found when it was read. */
export interface FoundEnd extends SegmentEnd {
  /** A frame that was broken off follows. */
  readonly isTorn: boolean;
  /** Where frames begin that are in the file and that no sync is known to have reached; null without such. */
  readonly unsyncedAt: number | null;
}

/** Where a log ends and goes on. */
export interface LogEnd extends FoundEnd {
  readonly segments: SegmentInfo[];
}

/** What is known to be sound without reading it. */
export interface Verified {
  /** Of segments, by name, as they were when they were verified. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** Where the last segment ended when the log was closed in order. */
  readonly end: SegmentEnd | null;
}

/** Segments that were verified and are not written any more. */
const VERIFIED_FILE = "verified";

/** {@link Verified} as JSON; in the file its checksum stands in front, because the log goes on at what it says. */
interface VerifiedJson {
  readonly fingerprints: Record<string, string>;
  readonly end: {
    readonly position: number;
    readonly hash: string;
    readonly writeAt: number;
  } | null;
}

const segmentName = (number: number) => `${String(number).padStart(10, "0")}.log`;

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
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

/** As {@link preallocate}, without holding up the event loop. */
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

/** Nothing is known: everything is read. */
export const UNVERIFIED: Verified = { fingerprints: new Map(), end: null };

function withChecksum(json: string): string {
  return `${crc32(json)} ${json}`;
}

/** What {@link noteVerified} noted last; nothing when that is damaged, torn or of an older form. */
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
    // Not there yet, or nothing that was ever written here.
    return UNVERIFIED;
  }
}

/**
 * Notes that segments are sound as they are now: all of them when the log is closed and ends at `end`, else all
 * but the last, which is written next. That note has to be withdrawn before: times of files are coarse.
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
    // A full disk: the next start reads everything.
    fs.rmSync(file, { force: true });
  }
}

/** Makes the next segment, from the prepared file if there is one; durable, name included. */
export function createSegment(
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
    isTorn: false,
    unsyncedAt: null,
  };
}

/**
 * Brings frames to the disk that no sync is known to have reached. They are written anew: after a sync that
 * failed, the system may take its own copy for what the disk has.
 */
export function rewriteTail(end: LogEnd, from: number): void {
  const handle = fs.openSync(end.segments.at(-1)!.file, "r+");
  try {
    const frames = Buffer.alloc(end.writeAt - from);
    fs.readSync(handle, frames, 0, frames.length, from);
    writeWhole(handle, frames, from);
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

/** What a torn last frame left behind must not be taken for damage by the next start. */
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
