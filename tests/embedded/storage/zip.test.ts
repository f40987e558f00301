/** Zip archives in files: everything written can be read, also beyond the limits of 16 and 32 bits. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { temporaryDir } from "../server/testServer";

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

test("entries behind the first 4 GiB, and a directory there", async () => {
  const file = newFile();
  const writer = await ZipWriter.create(file);
  // A hole takes no space on the disk.
  Object.assign(writer, { offset: 5 * 2 ** 30 });
  await writer.add("far", [Buffer.from("away")]);
  await writer.finish();
  const archive = await ZipReader.open(file);
  expect(await contentOf(archive, "far")).toBe("away");
  await archive.close();
});
