/**
 * Zip archives in files, as far as the official export format needs them: entries are written and read
 * as streams, stored or deflated, no encryption. Archives beyond 4 GiB are read, not written.
 */
import { open, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw, createInflateRaw } from "node:zlib";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const END_64_BYTES = 56;
const LOCATOR_64_BYTES = 20;
const COMMENT_MAX_BYTES = 65_535;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 1980: archives of equal content are equal. */
const FIXED_DATE = 0x21;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
const EXTRA_64 = 0x0001;

/** Content of an entry, in any portions. */
export type ZipContent = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface EntryInfo {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

/** The fields that local and central headers have in common, from the version on. */
function writeCommon(header: Buffer, at: number, nameBytes: number, entry: EntryInfo): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(FIXED_DATE, at + 8);
  header.writeUInt32LE(entry.checksum, at + 10);
  header.writeUInt32LE(entry.packedBytes, at + 14);
  header.writeUInt32LE(entry.bytes, at + 18);
  header.writeUInt16LE(nameBytes, at + 22);
}

/** Writes an archive into a new file, entry by entry. */
export class ZipWriter {
  private readonly file: FileHandle;
  private readonly entries: EntryInfo[] = [];
  private offset = 0;

  private constructor(file: FileHandle) {
    this.file = file;
  }

  /** @throws Error when the file exists */
  static async create(file: string): Promise<ZipWriter> {
    return new ZipWriter(await open(file, "wx", 0o600));
  }

  /** Adds one entry. @throws Error when the archive would be larger than 4 GiB */
  async add(name: string, content: ZipContent): Promise<void> {
    const nameBytes = Buffer.from(name);
    const start = this.offset;
    const dataStart = start + LOCAL_BYTES + nameBytes.length;
    let checksum = 0;
    let bytes = 0;
    let at = dataStart;
    const measured = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        checksum = crc32(chunk, checksum);
        bytes += chunk.byteLength;
        yield chunk;
      }
    };
    const { file } = this;
    await pipeline(measured, createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) {
        await writeAt(file, at, chunk);
        at += chunk.length;
      }
    });
    if (at > MAX_32 || bytes > MAX_32) throw new Error("The archive would be larger than 4 GiB");
    const packedBytes = at - dataStart;
    const entry = { name, method: DEFLATED, checksum, packedBytes, bytes, offset: start };
    const local = Buffer.alloc(LOCAL_BYTES);
    local.writeUInt32LE(LOCAL_HEADER, 0);
    writeCommon(local, 4, nameBytes.length, entry);
    await writeAt(file, start, Buffer.concat([local, nameBytes]));
    this.entries.push(entry);
    this.offset = at;
  }

  /** Writes the directory, puts everything on the disk and closes the file. */
  async finish(): Promise<void> {
    if (this.entries.length > MAX_16) throw new Error("The archive would have too many entries");
    const parts: Buffer[] = [];
    for (const entry of this.entries) {
      const nameBytes = Buffer.from(entry.name);
      const central = Buffer.alloc(CENTRAL_BYTES);
      central.writeUInt32LE(CENTRAL_HEADER, 0);
      central.writeUInt16LE(VERSION, 4);
      writeCommon(central, 6, nameBytes.length, entry);
      central.writeUInt32LE(entry.offset, 42);
      parts.push(central, nameBytes);
    }
    const directory = Buffer.concat(parts);
    const end = Buffer.alloc(END_BYTES);
    end.writeUInt32LE(END_OF_DIRECTORY, 0);
    end.writeUInt16LE(this.entries.length, 8);
    end.writeUInt16LE(this.entries.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.offset, 16);
    await writeAt(this.file, this.offset, Buffer.concat([directory, end]));
    await this.file.sync();
    await this.file.close();
  }

  /** Gives the archive up; the file stays behind, unfinished. */
  async abandon(): Promise<void> {
    await this.file.close();
  }
}

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

  /** The entry's content. @throws Error when it is missing, damaged or packed in an unknown way */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new Error(`The archive has no ${name}`);
    const { method, offset, packedBytes } = entry;
    if (method !== STORED && method !== DEFLATED) {
      throw new Error(`Zip entry ${name} uses the unsupported method ${method}`);
    }
    const local = await readAt(this.file, offset, LOCAL_BYTES);
    if (local.readUInt32LE(0) !== LOCAL_HEADER) throw new Error(`Damaged zip entry ${name}`);
    const start = offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
    const packed = Readable.from(portions(this.file, start, packedBytes));
    const content: AsyncIterable<Buffer> =
      method === STORED ? packed : packed.pipe(createInflateRaw());
    // What fails while reading must end the unpacking too.
    if (content !== packed) packed.on("error", (error) => (content as Readable).destroy(error));
    let checksum = 0;
    try {
      for await (const chunk of content) {
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    } catch (error) {
      throw new Error(`Damaged zip entry ${name}`, { cause: error });
    }
    if (checksum !== entry.checksum) throw new Error(`Damaged zip entry ${name}`);
  }

  /** The entry's lines, without empty ones. */
  async *lines(name: string): AsyncGenerator<string> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let rest = "";
    for await (const chunk of this.read(name)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") yield line;
    }
    rest += decoder.decode();
    if (rest.trim() !== "") yield rest;
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

/** Writes all bytes or throws. */
async function writeAt(file: FileHandle, at: number, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
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
  const directory = await readAt(file, start, length);
  const entries = new Map<string, EntryInfo>();
  let at = 0;
  for (; count > 0; count--) {
    if (directory.length < at + CENTRAL_BYTES || directory.readUInt32LE(at) !== CENTRAL_HEADER) {
      throw new Error("Damaged zip directory");
    }
    const nameEnd = at + CENTRAL_BYTES + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const name = directory.toString("utf8", at + CENTRAL_BYTES, nameEnd);
    if (entries.has(name)) throw new Error(`The archive has ${name} twice`);
    entries.set(name, {
      name,
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      ...sizesOf(directory, at, directory.subarray(nameEnd, extraEnd)),
    });
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Sizes and offset of an entry; those that do not fit 32 bits stand in an extra field, in this order. */
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
    return Number(wide.readBigUInt64LE(used - 8));
  };
  const bytes = take(directory.readUInt32LE(at + 24));
  const packedBytes = take(directory.readUInt32LE(at + 20));
  return { bytes, packedBytes, offset: take(directory.readUInt32LE(at + 42)) };
}
