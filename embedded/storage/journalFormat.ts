/**
 * The byte format of a log segment. Pure: no files here.
 *
 * A segment is a header, then frames at multiples of 16 bytes, then zeros. A frame holds one group of
 * records: length, checksum, a hash chained to the frame before, the position of its last record, the
 * records. A frame is written only after the one before it is durable, so only the last one can be torn.
 */
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { DamageError } from "./orderedStore.ts";

const MAGIC = Buffer.from("EDBLOG01", "latin1");
const HASH_BYTES = 16;
/** magic, segment number, position before its first record, hash before its first frame, checksum */
export const HEADER_BYTES = 64;
const FRAME_HEADER_BYTES = 4 + 4 + HASH_BYTES + 8 + 4;
const ALIGNMENT = 16;
/** The hash that the first frame of a log is chained to. */
export const ZERO_HASH = Buffer.alloc(HASH_BYTES);

export interface SegmentHeader {
  readonly number: number;
  /** Position of the last record before this segment. */
  readonly startPosition: number;
  readonly startHash: Buffer;
}

/** The {@link HEADER_BYTES} bytes at the start of a segment. */
export function encodeHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeDoubleLE(header.number, 8);
  bytes.writeDoubleLE(header.startPosition, 16);
  header.startHash.copy(bytes, 24);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  return bytes;
}

/** @throws DamageError when it is not a header that was written by {@link encodeHeader} */
export function decodeHeader(bytes: Buffer, name: string): SegmentHeader {
  const isWhole =
    bytes.length >= HEADER_BYTES &&
    bytes.subarray(0, MAGIC.length).equals(MAGIC) &&
    bytes.readUInt32LE(HEADER_BYTES - 4) === crc32(bytes.subarray(0, HEADER_BYTES - 4));
  if (!isWhole) throw new DamageError(`Log segment ${name} has a damaged header`);
  return {
    number: bytes.readDoubleLE(8),
    startPosition: bytes.readDoubleLE(16),
    startHash: Buffer.from(bytes.subarray(24, 24 + HASH_BYTES)),
  };
}

/** @param bytes the previous frame's hash, followed by this frame's bytes after its own hash */
function chainedHash(bytes: Buffer): Buffer {
  return hash("sha256", bytes, "buffer").subarray(0, HASH_BYTES);
}

const align = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** One frame, padded; `hash` is what the next frame chains to. */
export function encodeFrame(
  records: readonly Buffer[],
  lastPosition: number,
  previousHash: Buffer,
): { bytes: Buffer; hash: Buffer } {
  let length = FRAME_HEADER_BYTES;
  for (const record of records) length += 4 + record.length;
  const bytes = Buffer.allocUnsafe(align(length));
  bytes.fill(0, length);
  bytes.writeUInt32LE(length, 0);
  bytes.writeDoubleLE(lastPosition, 8 + HASH_BYTES);
  bytes.writeUInt32LE(records.length, 16 + HASH_BYTES);
  let at = FRAME_HEADER_BYTES;
  for (const record of records) {
    at = bytes.writeUInt32LE(record.length, at);
    at += record.copy(bytes, at);
  }
  // The frame's own hash then replaces the previous one.
  previousHash.copy(bytes, 8);
  const frameHash = chainedHash(bytes.subarray(8, length));
  frameHash.copy(bytes, 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(8, length)), 4);
  return { bytes, hash: frameHash };
}

interface Frame {
  readonly records: readonly Buffer[];
  readonly lastPosition: number;
  readonly hash: Buffer;
  /** Where the next frame starts. */
  readonly end: number;
}

function hasWholeFrame(segment: Buffer, at: number): number | null {
  if (at + FRAME_HEADER_BYTES > segment.length) return null;
  const length = segment.readUInt32LE(at);
  if (length < FRAME_HEADER_BYTES || at + length > segment.length) return null;
  const isWhole = segment.readUInt32LE(at + 4) === crc32(segment.subarray(at + 8, at + length));
  return isWhole ? length : null;
}

/** The frame at an offset, or null when it is not complete or does not continue the hash chain. */
export function decodeFrame(segment: Buffer, at: number, previousHash: Buffer): Frame | null {
  const frame = frameAt(segment, at);
  if (frame === null) return null;
  const length = segment.readUInt32LE(at);
  const body = segment.subarray(at + 8 + HASH_BYTES, at + length);
  return chainedHash(Buffer.concat([previousHash, body])).equals(frame.hash) ? frame : null;
}

/** Size of a frame including padding, from its first four bytes. */
export const paddedLength = (start: Buffer): number => align(start.readUInt32LE(0));

/** The frame at an offset, or null when it is not complete. Does not verify the hash chain. */
export function frameAt(segment: Buffer, at: number): Frame | null {
  const length = hasWholeFrame(segment, at);
  if (length === null) return null;
  const frame = segment.subarray(at, at + length);
  const hash = frame.subarray(8, 8 + HASH_BYTES);
  const records: Buffer[] = [];
  let offset = FRAME_HEADER_BYTES;
  for (let left = frame.readUInt32LE(16 + HASH_BYTES); left > 0; left--) {
    const end = offset + 4 + frame.readUInt32LE(offset);
    records.push(frame.subarray(offset + 4, end));
    offset = end;
  }
  const lastPosition = frame.readDoubleLE(8 + HASH_BYTES);
  return { records, lastPosition, hash: Buffer.from(hash), end: at + align(length) };
}

/** True when all bytes from `at` on are zero. */
export function isBlank(segment: Buffer, at: number): boolean {
  const rest = segment.subarray(at);
  // Compares each byte with the one before it: one memory comparison, without a second buffer.
  return rest.length === 0 || (rest[0] === 0 && rest.subarray(1).equals(rest.subarray(0, -1)));
}

/**
 * True when a complete frame starts anywhere from `at` on. Everything before such a frame must have been
 * durable.
 */
export function hasLaterFrame(segment: Buffer, at: number): boolean {
  for (let offset = at; offset + FRAME_HEADER_BYTES <= segment.length; offset += ALIGNMENT) {
    if (segment.readUInt32LE(offset) !== 0 && hasWholeFrame(segment, offset) !== null) return true;
  }
  return false;
}
