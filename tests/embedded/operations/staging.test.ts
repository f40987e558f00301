/** Replacing the content of a data folder: atomic, durable, and detected when interrupted. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { rebuildFromLog } from "../../../embedded/db/backup";
import { openDatabase } from "../../../embedded/db/openDatabase";
import { backupStopped, importStopped, restoreDeployment } from "../../../embedded/main";
import { inspectLeftovers, inspectStore } from "../../../embedded/operations/inspect";
import { holdsContent, replaceContent } from "../../../embedded/operations/staging";
import { loadSecrets } from "../../../embedded/server/secrets";
import { FolderInUseError } from "../../../embedded/storage/folderLock";
import { DamageError } from "../../../embedded/storage/orderedStore";
import { temporaryDir } from "../../support/temporaryDir";
import { watchSyncs } from "./syncs";

/** Writes files below a folder, each with its own text. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
}

/** The files of a folder, by name. */
function contentOf(folder: string): Record<string, string> {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = files.flatMap((file) =>
    file.isFile() ? [path.join(path.relative(folder, file.parentPath), file.name)] : [],
  );
  return Object.fromEntries(
    names.map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]),
  );
}

const OLD = {
  "db/store/data.mdb": "old store",
  "db/journal/1": "old log",
  "files/a": "old file",
  "keys.json": "old keys",
};
const NEW = { "db/store/data.mdb": "new store", "files/b": "new file" };

function folderWith(files: Readonly<Record<string, string>>): string {
  const dataDir = temporaryDir();
  write(dataDir, files);
  return dataDir;
}

const fillWith =
  (files: Readonly<Record<string, string>>) =>
  (staged: string): Promise<void> =>
    Promise.resolve(write(staged, files));

test("everything is replaced, keys by keys only, and what was there lies aside", async () => {
  const dataDir = folderWith(OLD);
  const { replaced: aside } = await replaceContent(dataDir, "importing", fillWith(NEW));
  const { "keys.json": keys, ...others } = OLD;
  expect(contentOf(aside ?? "")).toEqual(others);
  for (const folder of [aside, `${aside}/db`]) {
    expect(fs.statSync(folder ?? "").mode & 0o777).toBe(0o700);
  }
  fs.renameSync(aside ?? "", `${dataDir}-aside`);
  expect(contentOf(dataDir)).toEqual({ ...NEW, "keys.json": keys });
  fs.rmSync(`${dataDir}-aside`, { recursive: true });
  const { replaced: second } = await replaceContent(
    dataDir,
    "restoring",
    fillWith({ ...OLD, "keys.json": "new keys" }),
  );
  expect(contentOf(second ?? "")).toEqual({ ...NEW, "keys.json": "old keys" });
  expect(fs.readFileSync(path.join(dataDir, "keys.json"), "utf8")).toBe("new keys");
});

test("an empty folder has nothing to lie aside", async () => {
  const dataDir = path.join(temporaryDir(), "new");
  const { replaced } = await replaceContent(dataDir, "importing", fillWith(NEW));
  expect(replaced).toBeNull();
  expect(contentOf(dataDir)).toEqual(NEW);
});

test("one at a time; leftovers of a killed one are reported and removed", async () => {
  const dataDir = folderWith({
    ".importing-4711/db/store/data.mdb": "left",
    "backups/1/db/store/data.mdb": "left",
    "backups/2/backup.json": "{}",
    "backups/2/db/store/data.mdb": "whole",
    "backups/3.tar": "somebody's",
  });
  expect(inspectLeftovers(dataDir).map(({ text }) => text)).toEqual(
    [".importing-4711", "backups/1"].map(
      (name) => `${path.join(dataDir, name)} was not finished, and is of no use`,
    ),
  );
  fs.rmSync(path.join(dataDir, "backups"), { recursive: true });
  await replaceContent(dataDir, "restoring", async (staged) => {
    write(staged, NEW);
    // Not finished yet.
    expect(inspectLeftovers(dataDir)).toEqual([]);
    const beside = replaceContent(dataDir, "importing", fillWith(OLD));
    await expect(beside).rejects.toThrow(FolderInUseError);
  });
  expect(contentOf(dataDir)).toEqual(NEW);
});

test("what cannot be filled replaces nothing", async () => {
  const dataDir = folderWith(OLD);
  const attempt = replaceContent(dataDir, "importing", (staged) => {
    write(staged, NEW);
    throw new Error("does not fit");
  });
  await expect(attempt).rejects.toThrow("does not fit");
  expect(contentOf(dataDir)).toEqual(OLD);
});

test("a part that cannot be moved takes the others back, and the note of an earlier attempt stays", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 4, 4) });
  onTestFinished(() => void vi.useRealTimers());
  const brokenOff = { ...OLD, "db/replacing": "/where/the/old/lies" };
  const dataDir = folderWith(brokenOff);
  const inTheWay = { "replaced-2026-05-04T00-00-00-000Z/files/x": "in the way" };
  write(dataDir, inTheWay);
  const attempt = replaceContent(dataDir, "importing", fillWith(NEW));
  await expect(attempt).rejects.toThrow("ENOTEMPTY");
  expect(contentOf(dataDir)).toEqual({ ...brokenOff, ...inTheWay });
});

test("where there is no place for the old parts, nothing is changed, and the next start is not refused", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 4, 4) });
  onTestFinished(() => void vi.useRealTimers());
  const there = { ...OLD, "replaced-2026-05-04T00-00-00-000Z": "a file" };
  const dataDir = folderWith(there);
  const attempt = replaceContent(dataDir, "importing", fillWith(NEW));
  await expect(attempt).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(contentOf(dataDir)).toEqual(there);
});

/** Makes moves fail until the test ends. */
function failMoves(isFailing: (from: string, to: string) => boolean, code: string): void {
  const { renameSync } = fs;
  const rename = vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    if (isFailing(String(from), String(to))) {
      throw Object.assign(new Error(`${code}: cannot rename`), { code });
    }
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    rename.mockRestore();
    syncBuiltinESMExports();
  });
}

test("a part on a mount of its own is named, with what to do, and nothing is changed", async () => {
  const dataDir = folderWith(OLD);
  const files = path.join(dataDir, "files");
  failMoves((from) => from === files, "EBUSY");
  const attempt = replaceContent(dataDir, "restoring", fillWith(NEW));
  await expect(attempt).rejects.toThrow(`${files} is on a mount of its own`);
  expect(contentOf(dataDir)).toEqual(OLD);
  expect(fs.readdirSync(dataDir).sort()).toEqual(["db", "files", "keys.json"]);
});

test("a new part that cannot be moved takes the others out again, and the old ones back", async () => {
  const dataDir = folderWith(OLD);
  failMoves((from) => from.includes("/.restoring-") && from.endsWith("/keys.json"), "EIO");
  const attempt = replaceContent(
    dataDir,
    "restoring",
    fillWith({ ...NEW, "keys.json": "new keys" }),
  );
  await expect(attempt).rejects.toThrow(/^EIO: cannot rename$/);
  expect(contentOf(dataDir)).toEqual(OLD);
});

test("parts that cannot be moved back are reported, and the next start does not begin anew", async () => {
  const dataDir = folderWith(OLD);
  const store = path.join(dataDir, "db", "store");
  failMoves((from, to) => from.endsWith("/files") || to === store, "EIO");
  const attempt = replaceContent(dataDir, "importing", fillWith(NEW));
  await expect(attempt).rejects.toThrow("EIO");
  await expect(openDatabase(path.join(dataDir, "db"))).rejects.toThrow("broken off");
});

test("a folder that was replaced by half is not opened, and is replaced by the next attempt", async () => {
  const dataDir = temporaryDir();
  const folder = path.join(dataDir, "db");
  await (await openDatabase(folder)).db.close();
  write(dataDir, { "db/replacing": "/where/the/old/lies" });
  await expect(openDatabase(folder)).rejects.toThrow(DamageError);
  await expect(openDatabase(folder)).rejects.toThrow("/where/the/old/lies");
  // The error must not say that the keys are lost, and no new keys are generated.
  await expect(loadSecrets(dataDir, ["UPLOAD_TOKEN_KEY"])).rejects.toThrow("/where/the/old/lies");
  expect(fs.readdirSync(dataDir)).toEqual(["db"]);
  const [finding] = await inspectStore(dataDir);
  expect(finding).toMatchObject({ status: "problem" });
  expect(finding?.text).toContain("broken off");
  expect(finding?.next).toBeUndefined();
  await expect(rebuildFromLog(folder)).rejects.toThrow("/where/the/old/lies");
  fs.rmSync(path.join(folder, "store"), { recursive: true });
  fs.rmSync(path.join(folder, "journal"), { recursive: true });
  // It must not count as empty.
  expect(holdsContent(dataDir)).toBe(true);
  await replaceContent(dataDir, "restoring", async (staged) => {
    await (await openDatabase(path.join(staged, "db"))).db.close();
  });
  await (await openDatabase(folder)).db.close();
});

test("without leave, neither files nor keys without a database are replaced; an import leaves keys as they are", async () => {
  const source = temporaryDir();
  await (await openDatabase(path.join(source, "db"))).db.close();
  const backup = path.join(temporaryDir(), "backup");
  await backupStopped(source, backup);
  const refusals = async (dataDir: string) => {
    const none = path.join(source, "none.zip");
    const options = { mayReplace: false, verify: () => Promise.resolve() };
    const attempts = [
      restoreDeployment(backup, dataDir, options),
      importStopped(none, dataDir, options),
    ];
    return await Promise.all(attempts.map((attempt) => attempt.then(String, String)));
  };
  const held = expect.stringContaining("holds data already") as unknown;
  const noArchive = expect.stringContaining("none.zip") as unknown;
  expect(await refusals(folderWith({ "files/a": "a file" }))).toEqual([held, held]);
  expect(await refusals(folderWith({ "keys.json": "{}" }))).toEqual([held, noArchive]);
});

test("new content is on the disk before its places, these before the note of it goes", async () => {
  const dataDir = folderWith(OLD);
  const synced: string[] = [];
  await watchSyncs((one) => {
    const name = path.relative(dataDir, one);
    const isHalf = fs.existsSync(path.join(dataDir, "db", "replacing"));
    const isNew = fs.existsSync(path.join(dataDir, "files", "b"));
    const when = [isNew ? "new" : "old", isHalf ? "noted" : ""].join(" ").trim();
    synced.push(`${when}: ${name.replace(/^(\.restoring|replaced)-[^/]+/, "$1") || "."}`);
  });
  await replaceContent(dataDir, "restoring", fillWith(NEW));
  // A folder lists its files in any order.
  expect(synced.slice(0, 6).toSorted()).toEqual([
    "old: .restoring",
    "old: .restoring/db",
    "old: .restoring/db/store",
    "old: .restoring/db/store/data.mdb",
    "old: .restoring/files",
    "old: .restoring/files/b",
  ]);
  expect(synced.slice(6)).toEqual([
    "old noted: db/replacing",
    "old noted: db",
    "new noted: replaced/db",
    "new noted: replaced",
    "new noted: db",
    "new noted: .",
    "new: db",
  ]);
});
