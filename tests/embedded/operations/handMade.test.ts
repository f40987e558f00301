/** Crafted or edited backups and archives: nothing is written outside the target, and nothing is lost silently. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  backupStopped,
  exportStopped,
  importStopped,
  restoreDeployment,
  verifyBackup,
} from "../../../embedded/main";
import { newId } from "../../../embedded/db/ids";
import { DamageError } from "../../../embedded/storage/orderedStore";
import { ZipReader } from "../../../embedded/storage/zipReader";
import { ZipWriter } from "../../../embedded/storage/zipWriter";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

const nothing = async (): Promise<void> => undefined;

/** A stopped data folder with a message and two files. */
async function stoppedFolder(): Promise<string> {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const http = newHttpClient(server);
  await http.mutation(chat.send, { channel: "a", body: "one" });
  for (const body of ["first", "second"]) {
    await fetch(await http.mutation(chat.uploadUrl, {}), { method: "POST", body });
  }
  await server.close();
  return dataDir;
}

async function backupOf(dataDir: string): Promise<string> {
  const backup = path.join(temporaryDir(), "backup");
  await backupStopped(dataDir, backup);
  return backup;
}

test("a backup whose manifest names a file outside it is refused", async () => {
  const backup = await backupOf(await stoppedFolder());
  fs.writeFileSync(path.join(backup, "..", "outside"), "outside");
  const sha256 = createHash("sha256").update("outside").digest("base64");
  const file = path.join(backup, "backup.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as { files: object[] };
  const files = [...manifest.files, { name: "../../outside", sha256 }];
  fs.writeFileSync(file, JSON.stringify({ ...manifest, files }));
  const dataDir = path.join(temporaryDir(), "data");
  const attempt = restoreDeployment(backup, dataDir, { mayReplace: false });
  await expect(attempt).rejects.toThrow(DamageError);
  expect(fs.existsSync(dataDir)).toBe(false);
});

test("a write-protected backup that contains a link is restored as a writable copy", async () => {
  const backup = await backupOf(await stoppedFolder());
  const store = path.join(backup, "db", "store", "data.mdb");
  fs.chmodSync(store, 0o400);
  fs.renameSync(store, path.join(backup, "elsewhere"));
  fs.symlinkSync(path.join(backup, "elsewhere"), store);
  const dataDir = path.join(temporaryDir(), "data");
  await restoreDeployment(backup, dataDir, { mayReplace: false });
  const restored = fs.lstatSync(path.join(dataDir, "db", "store", "data.mdb"));
  expect([restored.isFile(), restored.mode & 0o777]).toEqual([true, 0o600]);
});

test.each([
  ["null", "is damaged"],
  ["[]", "is damaged"],
  ['{"format":1,"entries":1,"keys":null,"files":[null]}', "is damaged"],
  ['{"format":2}', "this version reads 1: restore it with the version that made it."],
])("a backup whose backup.json is %s is refused in a sentence", async (text, sentence) => {
  const folder = temporaryDir();
  fs.writeFileSync(path.join(folder, "backup.json"), text);
  await expect(verifyBackup(folder)).rejects.toThrow(sentence);
});

test("a backup that got the store of an earlier one is refused", async () => {
  const dataDir = await stoppedFolder();
  const earlier = await backupOf(dataDir);
  const server = await startTestServer({ dataDir });
  await newHttpClient(server).mutation(chat.send, { channel: "a", body: "two" });
  await server.close();
  const later = await backupOf(dataDir);
  fs.cpSync(path.join(earlier, "db"), path.join(later, "db"), { recursive: true });
  await expect(verifyBackup(later)).rejects.toThrow(/holds \d+ entries instead of \d+/);
});

test("an export overwrites no file", async () => {
  const archive = path.join(temporaryDir(), "all.zip");
  fs.writeFileSync(archive, "an earlier one");
  const attempt = exportStopped(await stoppedFolder(), archive, { includeFiles: true });
  await expect(attempt).rejects.toThrow("EEXIST");
  expect(fs.readFileSync(archive, "utf8")).toBe("an earlier one");
});

/** An archive of a folder with changed lines in some of its entries; null leaves an entry out. */
async function archiveOf(
  dataDir: string,
  change: (name: string, lines: string[]) => string[] | null,
): Promise<string> {
  const [original, changed] = ["all.zip", "changed.zip"].map((name) =>
    path.join(temporaryDir(), name),
  ) as [string, string];
  await exportStopped(dataDir, original, { includeFiles: true });
  const reader = await ZipReader.open(original);
  const writer = await ZipWriter.create(changed);
  for (const name of reader.names) {
    const lines: string[] = [];
    for await (const line of reader.lines(name)) lines.push(line);
    const after = change(name, lines);
    if (after !== null) await writer.add(name, [Buffer.from(after.join("\n"))]);
  }
  await reader.close();
  await writer.finish();
  return changed;
}

const importOf = (archive: string) =>
  importStopped(archive, path.join(temporaryDir(), "data"), { mayReplace: false, verify: nothing });

const TABLES = "_tables/documents.jsonl";
const FILES = "_storage/documents.jsonl";
const MESSAGES = "messages/documents.jsonl";

test.each<
  [why: string, entry: string, change: (lines: string[]) => string[], sentence: string | RegExp]
>([
  [
    "has documents of a table that it does not name",
    TABLES,
    (lines) => lines.filter((line) => !line.includes("messages")),
    'documents of "messages", which "_tables" does not name',
  ],
  [
    "has a table without a number",
    TABLES,
    (lines) => [...lines, '{"name":"more","id":"x"}'],
    'of "_tables" cannot be read: it has no name and number',
  ],
  [
    "gives two tables one number",
    TABLES,
    (lines) => [...lines, (lines[0] ?? "").replace(/"name":"[^"]+"/, '"name":"more"')],
    /The number \d+ of table "more" belongs to/,
  ],
  [
    "gives a table a number that no id has room for",
    TABLES,
    (lines) => [...lines, '{"name":"more","id":4294967296}'],
    'Table "more" cannot have a number above 4294967295',
  ],
  ["has a line that is no JSON", FILES, () => ["x"], 'Line 1 of "_storage" cannot be read'],
  [
    "has such a line below empty ones",
    FILES,
    ([line = ""]) => ["", line, " ", "x", ""],
    'Line 4 of "_storage" cannot be read',
  ],
  ["has a file without an id", FILES, () => ["null"], "it has no id"],
  [
    "has a document with an id of another table",
    MESSAGES,
    ([line = ""]) => [line.replace(/"_id":"[^"]+"/, `"_id":"${newId(9_999)}"`)],
    /A document of "messages" has the id/,
  ],
  [
    "has a document without a creation time",
    MESSAGES,
    ([line = ""]) => [line.replace(/"_creationTime":[^,}]+/, '"_creationTime":"now"')],
    "has no creation time",
  ],
  [
    "has a document made after the end of time",
    MESSAGES,
    ([line = ""]) => [
      line.replace(/"_creationTime":[^,}]+/, '"_creationTime":{"$float":"AAAAAAAA8H8="}'),
    ],
    "has no creation time",
  ],
  ["has a document twice", MESSAGES, ([line = ""]) => [line, line], "is there twice"],
  [
    "has two files at one address",
    FILES,
    (lines) => {
      const [, address = ""] = /"internalId":("[^"]+")/.exec(lines.join()) ?? [];
      return lines.map((line) => line.replace(/"internalId":"[^"]+"/, `"internalId":${address}`));
    },
    "has another one's address",
  ],
])(
  "an archive that %s is refused, and the sentence says so",
  async (_why, entry, change, sentence) => {
    const archive = await archiveOf(await stoppedFolder(), (name, lines) =>
      name === entry ? change(lines) : lines,
    );
    await expect(importOf(archive)).rejects.toThrow(sentence);
  },
);

test("an archive with data of components is refused: it would be lost", async () => {
  const archive = path.join(temporaryDir(), "all.zip");
  const writer = await ZipWriter.create(archive);
  const ofComponent = `_components/waitlist/${TABLES}`;
  for (const entry of [TABLES, ofComponent]) await writer.add(entry, []);
  await writer.finish();
  await expect(importOf(archive)).rejects.toThrow(`data of components (${ofComponent})`);
});

test("a file whose address in an archive leads elsewhere gets a new one", async () => {
  const archive = await archiveOf(await stoppedFolder(), (name, [line = "", ...lines]) =>
    name === FILES
      ? [line.replace(/"internalId":"[^"]+"/, '"internalId":"../../outside"'), ...lines]
      : [line, ...lines],
  );
  const dataDir = path.join(temporaryDir(), "data");
  await importStopped(archive, dataDir, { mayReplace: false, verify: nothing });
  const files = fs.readdirSync(path.join(dataDir, "files"));
  expect([files.length, fs.existsSync(path.join(dataDir, "outside"))]).toEqual([2, false]);
});

test("an import reports stored files that the archive lacks, and imports all others", async () => {
  const dataDir = await stoppedFolder();
  const left: string[] = [];
  const archive = await archiveOf(dataDir, (name, lines) => {
    const isLeftOut = left.length === 0 && name.startsWith("_storage/") && name !== FILES;
    if (isLeftOut) left.push(path.parse(name).name);
    return isLeftOut ? null : lines;
  });
  expect(await importOf(archive)).toMatchObject({ files: 1, missing: left });
});

test.each([true, false])(
  "an import tells of an archive made with files: %s",
  async (includeFiles) => {
    const dataDir = temporaryDir();
    await (await startTestServer({ dataDir })).close();
    const archive = path.join(temporaryDir(), "all.zip");
    await exportStopped(dataDir, archive, { includeFiles });
    expect(await importOf(archive)).toMatchObject({ files: 0, includesFiles: includeFiles });
  },
);

test("an archive without files that is refused says so, as that may be the reason", async () => {
  const archive = path.join(temporaryDir(), "all.zip");
  await exportStopped(await stoppedFolder(), archive, { includeFiles: false });
  const dataDir = path.join(temporaryDir(), "data");
  const verify = () => Promise.reject(new Error("A document does not match the schema."));
  const attempt = importStopped(archive, dataDir, { mayReplace: false, verify });
  await expect(attempt).rejects.toThrow(
    "A document does not match the schema.\nThe archive was made without stored files.",
  );
});

test("an export that a stored file breaks off leaves no archive", async () => {
  const dataDir = await stoppedFolder();
  const files = path.join(dataDir, "files");
  const [name = ""] = fs.readdirSync(files);
  fs.rmSync(path.join(files, name));
  fs.mkdirSync(path.join(files, name));
  const archive = path.join(temporaryDir(), "all.zip");
  const attempt = exportStopped(dataDir, archive, { includeFiles: true });
  await expect(attempt).rejects.toThrow(`The stored file ${name} cannot be read`);
  expect(fs.readdirSync(path.dirname(archive))).toEqual([]);
});

test("export and import report a damaged stored file and keep all others", async () => {
  const dataDir = await stoppedFolder();
  const files = path.join(dataDir, "files");
  const [name = ""] = fs.readdirSync(files);
  fs.truncateSync(path.join(files, name), 2);
  const archive = path.join(temporaryDir(), "all.zip");
  const { missing } = await exportStopped(dataDir, archive, { includeFiles: true });
  expect(missing).toHaveLength(1);
  expect(await importOf(archive)).toMatchObject({ files: 1, missing });
});
