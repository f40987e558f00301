/** Reads zip archives from files: stored or deflated entries, as streams. */
import { open, type FileHandle } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import {
  LOCAL_HEADER,
  CENTRAL_HEADER,
  END_OF_DIRECTORY_64,
  LOCATOR_64,
  LOCAL_BYTES,
  CENTRAL_BYTES,
  END_BYTES,
  END_64_BYTES,
  LOCATOR_64_BYTES,
  DEFLATED,
  MAX_32,
  EXTRA_64,
  type EntryInfo,
} from "./zipFormat.ts";

const COMMENT_MAX_BYTES = 65_535;
const STORED = 0;
/** Longer than any document of 1 MiB, even with every byte escaped as six characters. */
const LINE_MAX_CHARS = 16 * 1024 * 1024;

/** Reads an archive from a file. Every entry's checksum is verified when it is read. */
export class ZipReader {
  private readonly file: FileHandle;
  private readonly entries: ReadonlyMap<string, EntryInfo>;

  private constructor(file: FileHandle, entries: ReadonlyMap<string, EntryInfo>) {
    this.file = file;
    this.entries = entries;
  }

  /** @throws Error for anything that is not a whole archive */
  static async open(path: string): Promise<ZipReader> {
    const file = await open(path, "r");
    try {
      return new ZipReader(file, await readDirectory(file));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The entry's content. @throws Error when it is missing, damaged or uses an unknown compression method */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new Error(`The archive has no ${name}`);
    const { method, offset, packedBytes, bytes } = entry;
    if (method !== STORED && method !== DEFLATED) {
      throw new Error(`Zip entry ${name} uses the unsupported method ${method}`);
    }
    const nameBytes = Buffer.from(name);
    const local = await readAt(this.file, offset, LOCAL_BYTES + nameBytes.length);
    const isSame =
      local.readUInt32LE(0) === LOCAL_HEADER &&
      local.readUInt16LE(26) === nameBytes.length &&
      local.subarray(LOCAL_BYTES).equals(nameBytes);
    if (!isSame) throw new Error(`Damaged zip entry ${name}`);
    const start = offset + local.length + local.readUInt16LE(28);
    const packed = Readable.from(portions(this.file, start, packedBytes));
    // A read error must also end the decompression.
    const content: AsyncIterable<Buffer> =
      method === STORED ? packed : pipeline(packed, createInflateRaw(), () => undefined);
    let checksum = 0;
    let left = bytes;
    try {
      for await (const chunk of content) {
        checksum = crc32(chunk, checksum);
        left -= chunk.length;
        if (left < 0) break;
        yield chunk;
      }
    } catch (error) {
      throw new Error(`Damaged zip entry ${name}`, { cause: error });
    }
    if (left !== 0 || checksum !== entry.checksum) throw new Error(`Damaged zip entry ${name}`);
  }

  /** The entry's lines, also empty ones. @throws Error as {@link read}, and for a line longer than any document */
  async *lines(name: string): AsyncGenerator<string> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let line = "";
    for await (const chunk of this.read(name)) {
      // Only the new text is searched; otherwise a long line would take time quadratic in its length.
      const [end = "", ...starts] = textOf(decoder, name, chunk).split("\n");
      line += end;
      for (const start of starts) {
        yield line;
        line = start;
      }
      if (line.length > LINE_MAX_CHARS) throw new Error(`A line of ${name} is no document's`);
    }
    line += textOf(decoder, name);
    if (line !== "") yield line;
  }

  /** Reads everything. @throws Error when an entry is damaged */
  async verify(): Promise<void> {
    for (const name of this.names) {
      const content = this.read(name);
      while ((await content.next()).done !== true);
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

function textOf(decoder: TextDecoder, name: string, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (error) {
    throw new Error(`${name} is no text in UTF-8`, { cause: error });
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, at);
  if (bytesRead !== length) throw new Error("Not a whole zip archive");
  return buffer;
}

const PORTION_BYTES = 256 * 1024;

async function* portions(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += PORTION_BYTES) {
    yield await readAt(file, start + at, Math.min(PORTION_BYTES, length - at));
  }
}

async function readDirectory(file: FileHandle): Promise<Map<string, EntryInfo>> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_BYTES + COMMENT_MAX_BYTES + LOCATOR_64_BYTES);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  const endAt = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (endAt < 0 || endAt + END_BYTES > tail.length) throw new Error("Not a zip archive");
  let start = tail.readUInt32LE(endAt + 16);
  let length = tail.readUInt32LE(endAt + 12);
  let count = tail.readUInt16LE(endAt + 10);
  const locatorAt = endAt - LOCATOR_64_BYTES;
  if (locatorAt >= 0 && tail.readUInt32LE(locatorAt) === LOCATOR_64) {
    const end = await readAt(file, Number(tail.readBigUInt64LE(locatorAt + 8)), END_64_BYTES);
    if (end.readUInt32LE(0) !== END_OF_DIRECTORY_64) throw new Error("Damaged zip directory");
    count = Number(end.readBigUInt64LE(32));
    length = Number(end.readBigUInt64LE(40));
    start = Number(end.readBigUInt64LE(48));
  }
  if (!(start + length <= size)) throw new Error("Damaged zip directory");
  const directory = await readAt(file, start, length);
  const entries = new Map<string, EntryInfo>();
  let packedBytes = 0;
  let at = 0;
  for (; count > 0; count--) {
    if (directory.length < at + CENTRAL_BYTES || directory.readUInt32LE(at) !== CENTRAL_HEADER) {
      throw new Error("Damaged zip directory");
    }
    const nameEnd = at + CENTRAL_BYTES + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const name = directory.toString("utf8", at + CENTRAL_BYTES, nameEnd);
    if (entries.has(name)) throw new Error(`The archive has ${name} twice`);
    const sizes = sizesOf(directory, at, directory.subarray(nameEnd, extraEnd));
    entries.set(name, {
      name,
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      ...sizes,
    });
    packedBytes += sizes.packedBytes;
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  // Entries that share bytes could unpack to any size.
  if (!(packedBytes <= size)) throw new Error("Damaged zip directory");
  return entries;
}

/** Sizes and offset of an entry. Values that do not fit 32 bits are in an extra field, in this order. */
function sizesOf(directory: Buffer, at: number, extra: Buffer) {
  let wide: Buffer = Buffer.alloc(0);
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) === EXTRA_64) {
      wide = extra.subarray(field + 4, field + 4 + extra.readUInt16LE(field + 2));
    }
  }
  let used = 0;
  const take = (value: number): number => {
    if (value !== MAX_32) return value;
    used += 8;
    if (used > wide.length) throw new Error("Damaged zip directory");
    return Number(wide.readBigUInt64LE(used - 8));
  };
  const bytes = take(directory.readUInt32LE(at + 24));
  const packedBytes = take(directory.readUInt32LE(at + 20));
  return { bytes, packedBytes, offset: take(directory.readUInt32LE(at + 42)) };
}
