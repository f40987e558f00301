/** Zip archives in files: everything written can be read, also beyond the limits of 16 and 32 bits. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { temporaryDir } from "../../support/temporaryDir";

const newFile = () => path.join(temporaryDir(), "archive.zip");

async function contentOf(archive: ZipReader, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test("entries keep their names, order and content; a changed byte is noticed", async () => {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  await writer.add("empty", []);
  await writer.add("Überweisungen/documents.jsonl", [Buffer.from("first "), Buffer.from("second")]);
  await writer.finish();
  const archive = await ZipReader.open(file);
  expect(archive.names).toEqual(["empty", "Überweisungen/documents.jsonl"]);
  expect(await contentOf(archive, "empty")).toBe("");
  expect(await contentOf(archive, "Überweisungen/documents.jsonl")).toBe("first second");
  await archive.close();

  const bytes = fs.readFileSync(file);
  const central = bytes.lastIndexOf("Überweisungen");
  const checksumAt = central - 46 + 16;
  bytes[checksumAt] = bytes[checksumAt]! ^ 1;
  fs.writeFileSync(file, bytes);
  const changed = await ZipReader.open(file);
  await expect(changed.verify()).rejects.toThrow("Damaged zip entry Überweisungen");
  await changed.close();
});

test("more than 65,535 entries", async () => {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  await writer.add("first", [Buffer.from("content")]);
  // Writing that many takes half a minute, so the others refer to the content of the first one.
  const { entries } = writer as unknown as { entries: { name: string }[] };
  const names = Array.from({ length: 65_600 }, (_, n) => `_storage/${n}`);
  for (const name of names) entries.push({ ...entries[0], name });
  await writer.finish();
  const archive = await ZipReader.open(file);
  expect(archive.names).toEqual(["first", ...names]);
  expect(await contentOf(archive, "first")).toBe("content");
  // An entry that refers to another one's content is rejected.
  await expect(contentOf(archive, names[0]!)).rejects.toThrow("Damaged zip entry");
  await archive.close();
});

test("entries behind the first 4 GiB and longer ones, and a directory there", async () => {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  // A hole takes no space on the disk.
  Object.assign(writer, { offset: 10 * 2 ** 30 });
  await writer.add("far", [Buffer.from("away")]);
  const { entries } = writer as unknown as { entries: object[] };
  // Sizes in each other's place would be those of an entry that is longer than the file.
  entries.push({ ...entries[0], name: "long", bytes: 16 * 2 ** 30, packedBytes: 8 * 2 ** 30 });
  await writer.finish();
  const archive = await ZipReader.open(file);
  expect(await contentOf(archive, "far")).toBe("away");
  await archive.close();
});

/** An archive whose directory is wrong about its one entry, "a". */
async function lying(change: object, count = 1): Promise<string> {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  await writer.add("a", [Buffer.alloc(100_000)]);
  const { entries } = writer as unknown as { entries: object[] };
  const [entry] = entries;
  entries.length = 0;
  for (let at = 0; at < count; at++)
    entries.push({ ...entry, ...change, ...(at && { name: `${at}` }) });
  await writer.finish();
  return file;
}

test("an entry is damaged when it unpacks to another size than the directory states", async () => {
  for (const bytes of [99_999, 100_001]) {
    const archive = await ZipReader.open(await lying({ bytes }));
    await expect(archive.verify()).rejects.toThrow("Damaged zip entry a");
    await archive.close();
  }
});

test("an entry that unpacks to more than the directory states is not unpacked further", async () => {
  const archive = await ZipReader.open(await lying({ bytes: 1_000 }));
  const given: Buffer[] = [];
  const reading = async () => {
    for await (const chunk of archive.read("a")) given.push(chunk);
  };
  await expect(reading()).rejects.toThrow("Damaged zip entry a");
  expect(Buffer.concat(given).length).toBeLessThanOrEqual(1_000);
  await archive.close();
});

test("entries that overlap or lie outside the file are refused before they are read", async () => {
  await (await ZipReader.open(await lying({}))).close();
  for (const file of [
    await lying({ packedBytes: 1_000 }, 5_000),
    await lying({ packedBytes: 2 ** 40 }),
  ]) {
    await expect(ZipReader.open(file)).rejects.toThrow("Damaged zip directory");
  }
  const file = await lying({});
  const bytes = fs.readFileSync(file);
  // Length of the directory.
  bytes.writeUInt32LE(0xffff_fff0, bytes.length - 10);
  fs.writeFileSync(file, bytes);
  await expect(ZipReader.open(file)).rejects.toThrow("Damaged zip directory");
});

test("an archive that names an entry twice is refused", async () => {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  for (const content of ["one", "other"]) await writer.add("a", [Buffer.from(content)]);
  await writer.finish();
  await expect(ZipReader.open(file)).rejects.toThrow("The archive has a twice");
});

test("an archive that is cut while it is read is damaged", async () => {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  await writer.add("a", [randomBytes(1024 * 1024)]);
  await writer.finish();
  const archive = await ZipReader.open(file);
  fs.truncateSync(file, 300 * 1024);
  await expect(archive.verify()).rejects.toThrow("Damaged zip entry a");
  await archive.close();
});

test("lines are read in linear time, up to the length of a document", async () => {
  const MIB = 1024 * 1024;
  const long = "x".repeat(15 * MIB);
  const file = newFile();
  const writer = await ZipWriter.create(file);
  await writer.add("lines", [Buffer.from(`first\n\n${long}\nü`)]);
  await writer.add("endless", [Buffer.alloc(17 * MIB, "x")]);
  await writer.add("bytes", [Buffer.from([0xff, 0xfe])]);
  await writer.finish();
  const archive = await ZipReader.open(file);
  const linesOf = async (name: string) => {
    const lines: string[] = [];
    for await (const line of archive.lines(name)) lines.push(line);
    return lines;
  };
  expect(await linesOf("lines")).toEqual(["first", "", long, "ü"]);
  await expect(linesOf("endless")).rejects.toThrow("A line of endless is no document's");
  await expect(linesOf("bytes")).rejects.toThrow("bytes is no text in UTF-8");
  await archive.close();
});
