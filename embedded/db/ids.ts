/**
 * Document ids, bit-compatible with Convex.
 *
 * bytes = table number (LEB128) + 16 bytes + Fletcher-16 footer; text = Crockford base32 in lower case. Four
 * of the 16 bytes are the time of creation in seconds, so that new documents are neighbours in the store.
 * Twelve come from the system's CSPRNG, because some ids serve as bearer secrets.
 */
import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const INTERNAL_BYTES = 16;
const FOOTER_BYTES = 2;
const ID_LENGTH_MIN = 31;
const ID_LENGTH_MAX = 37;
/** What ids have room for. */
export const TABLE_NUMBER_MAX = 0xffffffff;

const digitOf = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 32; digit++) digitOf[ALPHABET.charCodeAt(digit)] = digit;

/** A decoded id. */
interface DecodedId {
  readonly tableNumber: number;
  readonly internal: Uint8Array;
}

function fletcher16(bytes: Uint8Array, length: number): number {
  let sum = 0;
  let sumOfSums = 0;
  for (let at = 0; at < length; at++) {
    sum = (sum + bytes[at]!) & 255;
    sumOfSums = (sumOfSums + sum) & 255;
  }
  return (sumOfSums << 8) | sum;
}

const digits = Buffer.from(ALPHABET, "latin1");
const textBuffer = Buffer.alloc(ID_LENGTH_MAX);

function toText(bytes: Uint8Array, length: number): string {
  let at = 0;
  let buffer = 0;
  let bits = 0;
  for (let i = 0; i < length; i++) {
    buffer = (buffer << 8) | bytes[i]!;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      textBuffer[at++] = digits[(buffer >>> bits) & 31]!;
    }
    buffer &= (1 << bits) - 1;
  }
  if (bits > 0) textBuffer[at++] = digits[(buffer << (5 - bits)) & 31]!;
  return textBuffer.toString("latin1", 0, at);
}

function fromText(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let at = 0;
  let buffer = 0;
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code < 128 ? digitOf[code]! : -1;
    if (digit < 0) return null;
    buffer = (buffer << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >>> bits) & 255;
      buffer &= (1 << bits) - 1;
    }
  }
  // Padding bits must be zero and fewer than a digit; otherwise this is not the canonical text.
  return bits >= 5 || buffer !== 0 ? null : bytes;
}

const idBuffer = new Uint8Array(5 + INTERNAL_BYTES + FOOTER_BYTES);

/** @param internal exactly 16 bytes */
export function encodeId(tableNumber: number, internal: Uint8Array): string {
  const bytes = idBuffer;
  let at = 0;
  let rest = tableNumber;
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  bytes.set(internal, at);
  at += INTERNAL_BYTES;
  const footer = fletcher16(bytes, at);
  bytes[at++] = footer & 255;
  bytes[at++] = footer >>> 8;
  return toText(bytes, at);
}

/** Strict: valid alphabet, correct checksum, table not 0, canonical text; otherwise null. */
export function decodeId(text: string): DecodedId | null {
  if (text.length < ID_LENGTH_MIN || text.length > ID_LENGTH_MAX) return null;
  const bytes = fromText(text);
  if (bytes === null) return null;
  let tableNumber = 0;
  let at = 0;
  for (;;) {
    const byte = bytes[at]!;
    if (at === 4 && byte > 15) return null;
    tableNumber += (byte & 127) * 2 ** (7 * at);
    at++;
    if (byte < 128) {
      if (byte === 0 && at > 1) return null;
      break;
    }
    if (at > 4) return null;
  }
  if (tableNumber === 0 || tableNumber > TABLE_NUMBER_MAX) return null;
  if (bytes.length !== at + INTERNAL_BYTES + FOOTER_BYTES) return null;
  const footer = bytes[bytes.length - 2]! | (bytes[bytes.length - 1]! << 8);
  if (footer !== fletcher16(bytes, bytes.length - FOOTER_BYTES)) return null;
  return { tableNumber, internal: bytes.slice(at, at + INTERNAL_BYTES) };
}

/** The table number of an id made by this backend. Nothing else of the id is checked. */
export function tableNumberOf(id: string): number {
  let [tableNumber, scale] = [0, 1];
  let [buffer, bits] = [0, 0];
  for (let at = 0; at < id.length; at++) {
    buffer = (buffer << 5) | digitOf[id.charCodeAt(at)]!;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (buffer >>> bits) & 255;
    buffer &= (1 << bits) - 1;
    tableNumber += (byte & 127) * scale;
    if (byte < 128) break;
    scale *= 128;
  }
  return tableNumber;
}

// Randomness is drawn in blocks, so that one system call serves many ids.
const pool = Buffer.alloc(INTERNAL_BYTES * 256);
let poolAt = pool.length;

/** A fresh, unguessable id. */
export function newId(tableNumber: number): string {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  pool.writeUInt32BE((Date.now() / 1000) >>> 0, poolAt);
  const id = encodeId(tableNumber, pool.subarray(poolAt, poolAt + INTERNAL_BYTES));
  pool.fill(0, poolAt, poolAt + INTERNAL_BYTES);
  poolAt += INTERNAL_BYTES;
  return id;
}

/** The official error for an id given to `db.<operation>`. */
export function invalidId(operation: string, reason: string): Error {
  return new Error(`Invalid argument \`id\` for \`db.${operation}\`: ${reason}`);
}

/** {@link invalidId} for a text that is no id. */
export function undecodableId(operation: string, id: string): Error {
  const isLengthRight = id.length >= ID_LENGTH_MIN && id.length <= ID_LENGTH_MAX;
  const reason = isLengthRight ? "ID wasn't valid base32" : `Invalid ID length ${id.length}`;
  return invalidId(operation, `Unable to decode ID: ${reason}`);
}

/** {@link invalidId} for an id of no table. */
export function tableNotFound(operation: string, id: string): Error {
  return invalidId(operation, `Table for ID "${id}" not found`);
}
