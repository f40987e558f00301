/** Reads a log back and verifies every byte of it that was ever acknowledged. */
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { SEGMENT_NAME, listSegments, type LogEnd, type SegmentInfo } from "./journalFiles";
import { HEADER_BYTES, decodeFrame, decodeHeader, hasLaterFrame } from "./journalFormat";
import { DamageError } from "./orderedStore";

/** Holds the last acknowledged position and its checksum. */
export const NOTE_FILE = "acknowledged";
export const NOTE_BYTES = 12;

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
