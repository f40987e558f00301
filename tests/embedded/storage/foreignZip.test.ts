/** Zip archives as other programs write them, and each kind of damage to one. */
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { temporaryDir } from "../../support/temporaryDir";

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** Of the extra field that the writer puts into a local header. */
const LOCAL_EXTRA_BYTES = 20;
const CONTENT = "content";

async function archiveOf(...names: string[]): Promise<Buffer> {
  const file = path.join(temporaryDir(), "archive.zip");
  const writer = await ZipWriter.create(file);
  for (const name of names) await writer.add(name, [Buffer.from(CONTENT)]);
  await writer.finish();
  return fs.readFileSync(file);
}

/** Where the directory and its end are. */
const placesOf = (bytes: Buffer) => {
  const end = bytes.length - END_BYTES;
  return { directory: bytes.readUInt32LE(end + 16), end };
};

/** The entries' content by name. */
async function read(bytes: Uint8Array): Promise<Record<string, string>> {
  const file = path.join(temporaryDir(), "archive.zip");
  fs.writeFileSync(file, bytes);
  const archive = await ZipReader.open(file);
  try {
    const content: Record<string, string> = {};
    for (const name of archive.names) {
      const chunks: Buffer[] = [];
      for await (const chunk of archive.read(name)) chunks.push(chunk);
      content[name] = Buffer.concat(chunks).toString();
    }
    return content;
  } finally {
    await archive.close();
  }
}

/** An archive with "a" and "b" in whose directory `extra` and a comment follow the first name. */
async function withExtra(extra: Buffer): Promise<Buffer> {
  const bytes = await archiveOf("a", "b");
  const { directory, end } = placesOf(bytes);
  const comment = Buffer.from("a comment");
  const at = directory + CENTRAL_BYTES + 1;
  bytes.writeUInt16LE(extra.length, directory + 30);
  bytes.writeUInt16LE(comment.length, directory + 32);
  const added = extra.length + comment.length;
  bytes.writeUInt32LE(bytes.readUInt32LE(end + 12) + added, end + 12);
  // The size of its content is in the extra field.
  bytes.writeUInt32LE(0xffff_ffff, directory + 24);
  return Buffer.concat([bytes.subarray(0, at), extra, comment, bytes.subarray(at)]);
}

/** Modification times, as Info-ZIP writes them; then the size. */
const TIMES = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
const SIZE = Buffer.from([1, 0, 8, 0, CONTENT.length, 0, 0, 0, 0, 0, 0, 0]);

test("an archive may be empty, have a comment, and names and comments like the end of one", async () => {
  const empty = await archiveOf();
  expect(empty).toHaveLength(END_BYTES);
  expect(await read(empty)).toEqual({});
  const name = "PK\u0005\u0006, followed by what is as long as an end";
  expect(await read(await archiveOf(name))).toEqual({ [name]: CONTENT });
  const comment = Buffer.alloc(0xffff, " ");
  expect(await read(Buffer.concat([await archiveOf("a"), comment]))).toEqual({ a: CONTENT });
});

test("an entry may be stored as it is", async () => {
  const bytes = await archiveOf("a");
  const { directory } = placesOf(bytes);
  const packed = bytes.subarray(LOCAL_BYTES + 1 + LOCAL_EXTRA_BYTES, directory);
  bytes.writeUInt16LE(0, directory + 10);
  bytes.writeUInt32LE(crc32(packed), directory + 16);
  bytes.writeUInt32LE(packed.length, directory + 24);
  expect(await read(bytes)).toEqual({ a: packed.toString() });
});

test("fields that are not known, and comments, are passed over", async () => {
  const both = { a: CONTENT, b: CONTENT };
  expect(await read(await withExtra(Buffer.concat([TIMES, SIZE])))).toEqual(both);
  expect(await read(await withExtra(Buffer.concat([SIZE, TIMES])))).toEqual(both);
  await expect(read(await withExtra(TIMES))).rejects.toThrow("Damaged zip directory");
});

function flip(bytes: Buffer, at: number): void {
  bytes[at]! ^= 1;
}

test.each<[what: string, error: string, damage: (bytes: Buffer) => Uint8Array | void]>([
  [
    "that is none",
    "Not a zip archive",
    () => Buffer.from("not an archive, but longer than an end"),
  ],
  ["of no bytes", "Not a zip archive", () => Buffer.alloc(0)],
  ["without its last byte", "Not a zip archive", (bytes) => bytes.subarray(0, -1)],
  [
    "of more entries than there are",
    "Damaged zip directory",
    (bytes) => void bytes.writeUInt16LE(2, placesOf(bytes).end + 10),
  ],
  [
    "whose directory has no entry",
    "Damaged zip directory",
    (bytes) => flip(bytes, placesOf(bytes).directory),
  ],
  [
    "packed in an unknown way",
    "Zip entry a uses the unsupported method 12",
    (bytes) => void bytes.writeUInt16LE(12, placesOf(bytes).directory + 10),
  ],
  [
    "whose entry is at its end",
    "Not a whole zip archive",
    (bytes) => void bytes.writeUInt32LE(bytes.length - 1, placesOf(bytes).directory + 42),
  ],
  ["whose entry does not begin like one", "Damaged zip entry a", (bytes) => flip(bytes, 0)],
  ["whose entry has a longer name", "Damaged zip entry a", (bytes) => flip(bytes, 27)],
  ["whose entry has another name", "Damaged zip entry a", (bytes) => flip(bytes, LOCAL_BYTES)],
])("an archive %s is refused", async (_what, error, damage) => {
  const bytes = await archiveOf("a");
  await expect(read(damage(bytes) ?? bytes)).rejects.toThrow(error);
});

test("a wide end is read where the archive says, if there is one", async () => {
  const bytes = await archiveOf("a");
  const { directory, end } = placesOf(bytes);
  const wide = Buffer.alloc(56 + 20);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(1n, 32);
  wide.writeBigUInt64LE(BigInt(end - directory), 40);
  wide.writeBigUInt64LE(BigInt(directory), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(end), 56 + 8);
  const withWide = () => Buffer.concat([bytes.subarray(0, end), wide, bytes.subarray(end)]);
  expect(await read(withWide())).toEqual({ a: CONTENT });
  flip(wide, 0);
  await expect(read(withWide())).rejects.toThrow("Damaged zip directory");
});

test("what is no archive is closed again", async () => {
  const file = path.join(temporaryDir(), "archive.zip");
  fs.writeFileSync(file, "none");
  await expect(ZipReader.open(file)).rejects.toThrow("Not a zip archive");
  const open = fs.readdirSync("/proc/self/fd").map((handle) => {
    const link = `/proc/self/fd/${handle}`;
    return fs.existsSync(link) ? fs.readlinkSync(link) : "";
  });
  expect(open).not.toContain(file);
});
