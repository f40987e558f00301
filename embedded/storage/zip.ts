/**
 * Zip archives, as far as the official export format needs them: stored or deflated entries, no
 * encryption, no archives beyond 4 GiB.
 */
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 1980: archives of equal content are equal. */
const FIXED_DATE = 0x21;

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

/** The fields that local and central headers have in common, from the version on. */
function writeCommon(
  header: Buffer,
  at: number,
  name: Buffer,
  packed: Buffer,
  content: Buffer,
): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(DEFLATED, at + 4);
  header.writeUInt16LE(FIXED_DATE, at + 8);
  header.writeUInt32LE(crc32(content), at + 10);
  header.writeUInt32LE(packed.length, at + 14);
  header.writeUInt32LE(content.length, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

export function writeZip(entries: Iterable<ZipEntry>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const nameBytes = Buffer.from(name);
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(LOCAL_BYTES);
    local.writeUInt32LE(LOCAL_HEADER, 0);
    writeCommon(local, 4, nameBytes, packed, content);
    const central = Buffer.alloc(CENTRAL_BYTES);
    central.writeUInt32LE(CENTRAL_HEADER, 0);
    central.writeUInt16LE(VERSION, 4);
    writeCommon(central, 6, nameBytes, packed, content);
    central.writeUInt32LE(offset, 42);
    parts.push(local, nameBytes, packed);
    directory.push(central, nameBytes);
    offset += LOCAL_BYTES + nameBytes.length + packed.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directoryBytes, end]);
}

/** @throws Error for anything that is not a whole archive of stored or deflated entries */
export function readZip(bytes: Buffer): ZipEntry[] {
  const endAt = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (endAt < 0 || endAt + END_BYTES > bytes.length) throw new Error("Not a zip archive");
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(endAt + 16);
  for (let left = bytes.readUInt16LE(endAt + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== CENTRAL_HEADER) throw new Error("Damaged zip directory");
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength);
    entries.push({ name, content: readEntry(bytes, at, name) });
    at += CENTRAL_BYTES + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function readEntry(bytes: Buffer, central: number, name: string): Buffer {
  const method = bytes.readUInt16LE(central + 10);
  const packedLength = bytes.readUInt32LE(central + 20);
  const local = bytes.readUInt32LE(central + 42);
  if (bytes.readUInt32LE(local) !== LOCAL_HEADER) throw new Error(`Damaged zip entry ${name}`);
  const start =
    local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const packed = bytes.subarray(start, start + packedLength);
  if (method !== STORED && method !== DEFLATED) {
    throw new Error(`Zip entry ${name} uses the unsupported method ${method}`);
  }
  const content = method === STORED ? Buffer.from(packed) : inflateRawSync(packed);
  if (crc32(content) !== bytes.readUInt32LE(central + 16)) {
    throw new Error(`Damaged zip entry ${name}`);
  }
  return content;
}
