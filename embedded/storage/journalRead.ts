/**
 * Reads a log and verifies every byte of it that was ever acknowledged. Segments that are applied and
 * unchanged since their last verification are skipped; otherwise a start would take longer with every segment
 * that is kept.
 */
import fs from "node:fs";
import path from "node:path";
import { fingerprintOf } from "./fingerprint.ts";
import {
  UNVERIFIED,
  listSegments,
  readVerified,
  segmentName,
  type FoundEnd,
  type LogEnd,
  type SegmentEnd,
  type SegmentInfo,
  type Verified,
} from "./journalFiles.ts";
import {
  HEADER_BYTES,
  decodeFrame,
  decodeHeader,
  hasLaterFrame,
  isBlank,
  type SegmentHeader,
} from "./journalFormat.ts";
import { readNotes } from "./journalNote.ts";
import { DamageError } from "./orderedStore.ts";

/** A segment of which only the header was read. */
export interface ListedSegment {
  readonly file: string;
  readonly header: SegmentHeader;
}

interface ReadOptions {
  readonly isWhole?: boolean;
  readonly noteFolders?: readonly string[];
}

/** The segments in a folder, oldest first. @throws DamageError when a header is damaged */
export function readHeaders(folder: string): ListedSegment[] {
  return listSegments(folder).map((name) => {
    const file = path.join(folder, name);
    return { file, header: readHeader(file) };
  });
}

function readHeader(file: string): SegmentHeader {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const handle = fs.openSync(file, "r");
  try {
    fs.readSync(handle, bytes, 0, HEADER_BYTES, 0);
  } finally {
    fs.closeSync(handle);
  }
  return decodeHeader(bytes, path.basename(file));
}

/** Verifies every frame of a segment and passes its records after `after` to `onRecord`. @throws DamageError */
function readFrames(
  file: string,
  header: SegmentHeader,
  { after, acknowledged }: { readonly after: number; readonly acknowledged: number },
  onRecord: (record: Buffer) => void,
): FoundEnd {
  const bytes = fs.readFileSync(file);
  let at = HEADER_BYTES;
  let lastHash = header.startHash;
  let lastPosition: number = header.startPosition;
  let unsyncedAt: number | null = null;
  for (;;) {
    const frame = decodeFrame(bytes, at, lastHash);
    if (frame === null) break;
    if (frame.lastPosition > after) {
      const skipped = after - (frame.lastPosition - frame.records.length);
      frame.records.slice(Math.max(0, skipped)).forEach(onRecord);
    }
    if (frame.lastPosition > acknowledged) unsyncedAt ??= at;
    ({ lastPosition, hash: lastHash, end: at } = frame);
  }
  const isTorn = !isBlank(bytes, at);
  if (isTorn && hasLaterFrame(bytes, at)) {
    throw new DamageError(
      `Log segment ${path.basename(file)} is damaged after position ${lastPosition}`,
    );
  }
  return { lastHash, lastPosition, writeAt: at, isTorn, unsyncedAt };
}

/** The end of a verified, applied segment, according to the header of the next one. */
function endFromNext(next: SegmentHeader): SegmentEnd {
  return { lastHash: next.startHash, lastPosition: next.startPosition, writeAt: 0 };
}

/** The end of an applied segment that is unchanged since its verification; null when it must be read. */
function knownEnd(
  verified: Verified,
  file: string,
  next: SegmentHeader | undefined,
  after: number,
): SegmentEnd | null {
  const end = next === undefined ? verified.end : endFromNext(next);
  const isApplied = end !== null && end.lastPosition <= after;
  const isSame = () => verified.fingerprints.get(path.basename(file)) === fingerprintOf(file);
  return isApplied && isSame() ? end : null;
}

/** @throws DamageError when a segment does not continue at the end of the one before it */
function checkContinues({ file, header }: ListedSegment, end: LogEnd | null): void {
  const name = path.basename(file);
  const isNext =
    end === null ||
    (header.number === end.segments.at(-1)!.header.number + 1 &&
      header.startPosition === end.lastPosition &&
      header.startHash.equals(end.lastHash));
  if (!isNext || name !== segmentName(header.number)) {
    throw new DamageError(`Log segment ${name} does not continue the one before it`);
  }
}

/**
 * Verifies a log from its first kept segment on and passes every record to `onRecord`.
 * @param after records up to this position are verified but not passed on
 * @param options.isWhole also reads segments that are known to be valid
 * @param options.noteFolders where the acknowledged position is noted; by default beside the log only
 * @throws DamageError when a segment is missing or damaged anywhere but in an unacknowledged last frame, the
 *   log begins after the position `after + 1`, or it does not reach the acknowledged position
 */
export function readLog(
  folder: string,
  after: number,
  onRecord: (record: Buffer) => void,
  { isWhole = false, noteFolders = [folder] }: ReadOptions = {},
): LogEnd | null {
  const acknowledged = readNotes(noteFolders);
  const verified = isWhole ? UNVERIFIED : readVerified(folder);
  const listed = fs.existsSync(folder) ? readHeaders(folder) : [];
  const segments: SegmentInfo[] = [];
  let end: LogEnd | null = null;
  for (const [index, one] of listed.entries()) {
    const { file, header } = one;
    checkContinues(one, end);
    const known = knownEnd(verified, file, listed[index + 1]?.header, after);
    const found: FoundEnd =
      known === null
        ? readFrames(file, header, { after, acknowledged }, onRecord)
        : { isTorn: false, unsyncedAt: null, ...known };
    const { lastPosition } = found;
    segments.push({ file, header, bytes: fs.statSync(file).size, lastPosition });
    end = { segments, ...found };
    if (index === 0 && header.startPosition > after) {
      throw new DamageError(
        `The log starts at position ${header.startPosition + 1}, but ${after + 1} is needed`,
      );
    }
  }
  if ((end?.lastPosition ?? after) < acknowledged) {
    const what = `but ${acknowledged} was acknowledged`;
    throw new DamageError(
      end === null
        ? `There is no log in ${folder}, ${what}: mount the disk that is missing`
        : `The log ends at position ${end.lastPosition}, ${what}`,
    );
  }
  return end;
}
