/** The system may write fewer bytes than requested: every writer must continue with the rest. */
import fs from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { JOURNAL_FOLDER, openDatabase } from "../../../embedded/db/openDatabase";
import { directoryBlobs } from "../../../embedded/runtime/blobs";
import { fillWithZeros } from "../../../embedded/storage/journalFiles";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { mutate } from "../db/support";
import { temporaryDir } from "../../support/temporaryDir";

const WRITTEN_MAX_BYTES = 1000;
const CONTENT = Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * n) % 251));

let folder = "";
beforeEach(async () => {
  folder = temporaryDir();
  const some = await open(path.join(folder, "some"), "w");
  const handles = Object.getPrototypeOf(some) as FileHandle;
  await some.close();
  const writeSync = fs.writeSync.bind(fs);
  const writeSomeSync = (handle: number, bytes: Buffer, from: number, length: number, at: number) =>
    writeSync(handle, bytes, from, Math.min(length, WRITTEN_MAX_BYTES), at);
  vi.spyOn(fs, "writeSync").mockImplementation(writeSomeSync as typeof fs.writeSync);
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on each handle below
  const write = handles.write as (...args: unknown[]) => unknown;
  vi.spyOn(handles, "write").mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    const [bytes, from = 0, length = (bytes as Buffer).length, at = null] = args;
    const some = Math.min(Number(length), WRITTEN_MAX_BYTES);
    return write.call(this, bytes, from, some, at) as never;
  });
  onTestFinished(() => void vi.restoreAllMocks());
});

test("a stored file has all its bytes", async () => {
  const blobs = directoryBlobs(path.join(folder, "files"));
  const portions = [CONTENT.subarray(0, 6000), CONTENT.subarray(6000)];
  const source = (async function* () {
    yield* portions;
  })();
  await blobs.write("uuid", source, CONTENT.length);
  expect(CONTENT.equals(await buffer(blobs.read("uuid")!))).toBe(true);
});

test("an archive can be read as it was written", async () => {
  const file = path.join(folder, "archive.zip");
  const writer = await ZipWriter.create(file);
  const names = ["a", "n".repeat(1500)];
  for (const name of names) await writer.add(name, [CONTENT]);
  await writer.finish();
  const reader = await ZipReader.open(file);
  expect(reader.names).toEqual(names);
  for (const name of names) {
    expect(CONTENT.equals(await buffer(reader.read(name)))).toBe(true);
  }
  await reader.close();
});

test("a commit is whole in the log", async () => {
  const { db } = await openDatabase(path.join(folder, "data"));
  onTestFinished(() => db.close());
  await mutate(db, (tx) => tx.insertValue("notes", { text: "x".repeat(10_000) }));
  // The store reads it there.
  await db.drain();
});

test("the log's segments are as large on the disk as they will be", async () => {
  const segmentBytes = 65_536;
  const data = path.join(folder, "data");
  const journal = { firstSegmentBytes: segmentBytes, segmentBytes };
  const { db } = await openDatabase(data, { journal });
  onTestFinished(() => db.close());
  const [segment = ""] = fs.readdirSync(path.join(data, JOURNAL_FOLDER)).sort();
  expect(fs.statSync(path.join(data, JOURNAL_FOLDER, segment)).size).toBe(segmentBytes);
  const prepared = path.join(folder, "prepared");
  await fillWithZeros(prepared, segmentBytes);
  expect(fs.statSync(prepared).size).toBe(segmentBytes);
});
