/** Writes zip archives to files. Entries are streamed and deflated, of any size and number. */
import { open, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw } from "node:zlib";
import {
  LOCAL_HEADER,
  CENTRAL_HEADER,
  END_OF_DIRECTORY,
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

const VERSION = 45;
const UTF8_NAMES = 0x0800;
/** 1 January 1980, so that archives with equal content are equal. */
const FIXED_DATE = 0x21;
const MAX_16 = 0xffff;
/** Header of an extra field: its kind and its length. */
const EXTRA_HEADER_BYTES = 4;
/** Extra field of a local header, always with both sizes: they are known only after the content is written. */
const LOCAL_EXTRA_BYTES = EXTRA_HEADER_BYTES + 16;

/** Content of an entry, in chunks of any size. */
type ZipContent = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The fields that local and central headers share, from the version on, except for the two sizes. */
function writeCommon(header: Buffer, at: number, nameBytes: number, entry: EntryInfo): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(FIXED_DATE, at + 8);
  header.writeUInt32LE(entry.checksum, at + 10);
  header.writeUInt16LE(nameBytes, at + 22);
}

/** The extra field for numbers that do not fit their own fields. Empty without any. */
function extraOf(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(EXTRA_HEADER_BYTES + numbers.length * 8);
  extra.writeUInt16LE(EXTRA_64, 0);
  extra.writeUInt16LE(numbers.length * 8, 2);
  for (const [index, number] of numbers.entries()) {
    extra.writeBigUInt64LE(BigInt(number), EXTRA_HEADER_BYTES + index * 8);
  }
  return extra;
}

function localHeader(name: Buffer, entry: EntryInfo): Buffer {
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeCommon(header, 4, name.length, entry);
  header.writeUInt32LE(MAX_32, 18);
  header.writeUInt32LE(MAX_32, 22);
  header.writeUInt16LE(LOCAL_EXTRA_BYTES, 28);
  return Buffer.concat([header, name, extraOf([entry.bytes, entry.packedBytes])]);
}

function centralHeader(entry: EntryInfo): Buffer {
  const name = Buffer.from(entry.name);
  const header = Buffer.alloc(CENTRAL_BYTES);
  const wide = extraOf([entry.bytes, entry.packedBytes, entry.offset].filter((n) => n >= MAX_32));
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  writeCommon(header, 6, name.length, entry);
  header.writeUInt32LE(Math.min(entry.packedBytes, MAX_32), 20);
  header.writeUInt32LE(Math.min(entry.bytes, MAX_32), 24);
  header.writeUInt16LE(wide.length, 30);
  header.writeUInt32LE(Math.min(entry.offset, MAX_32), 42);
  return Buffer.concat([header, name, wide]);
}

/** The end-of-directory record: number of entries, length and offset of the directory. */
function endOfDirectory(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(Math.min(entries, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_16), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (entries < MAX_16 && bytes < MAX_32 && offset < MAX_32) return end;
  const wide = Buffer.alloc(END_64_BYTES + LOCATOR_64_BYTES);
  wide.writeUInt32LE(END_OF_DIRECTORY_64, 0);
  wide.writeBigUInt64LE(BigInt(END_64_BYTES - 12), 4);
  wide.writeUInt16LE(VERSION, 12);
  wide.writeUInt16LE(VERSION, 14);
  wide.writeBigUInt64LE(BigInt(entries), 24);
  wide.writeBigUInt64LE(BigInt(entries), 32);
  wide.writeBigUInt64LE(BigInt(bytes), 40);
  wide.writeBigUInt64LE(BigInt(offset), 48);
  wide.writeUInt32LE(LOCATOR_64, END_64_BYTES);
  wide.writeBigUInt64LE(BigInt(offset + bytes), END_64_BYTES + 8);
  wide.writeUInt32LE(1, END_64_BYTES + 16);
  return Buffer.concat([wide, end]);
}

/** Writes an archive to a new file, entry by entry. */
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

  /** Adds one entry. */
  async add(name: string, content: ZipContent): Promise<void> {
    const nameBytes = Buffer.from(name);
    const start = this.offset;
    const dataStart = start + LOCAL_BYTES + nameBytes.length + LOCAL_EXTRA_BYTES;
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
    const packedBytes = at - dataStart;
    const entry = { name, method: DEFLATED, checksum, packedBytes, bytes, offset: start };
    await writeAt(file, start, localHeader(nameBytes, entry));
    this.entries.push(entry);
    this.offset = at;
  }

  /** Writes the directory, syncs and closes the file. */
  async finish(): Promise<void> {
    const directory = Buffer.concat(this.entries.map(centralHeader));
    const end = endOfDirectory(this.entries.length, directory.length, this.offset);
    await writeAt(this.file, this.offset, Buffer.concat([directory, end]));
    await this.file.sync();
    await this.file.close();
  }

  /** Closes the file and leaves it unfinished. */
  async abandon(): Promise<void> {
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
