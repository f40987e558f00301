/** Backup, restore, export and import of the chat fixture: documents, ids, files and their addresses. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { StoreFollower } from "../../../embedded/db/storeFollower";
import {
  backupStopped,
  exportStopped,
  importStopped,
  readRunning,
  restoreDeployment,
  verifyBackup,
  type RunningServer,
} from "../../../embedded/main";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";
import { watchSyncs } from "./syncs";

const PICTURE = Buffer.from("not really a picture");
/** Written to a backup after its database is copied, before that copy is verified. */
const SEAL = path.join("db", "store", "seal");
const nothing = async (): Promise<void> => undefined;

/** Puts two messages and a file on a server; returns the file's address without the origin. */
async function fill(server: RunningServer): Promise<string> {
  const http = newHttpClient(server);
  for (const body of ["one", "two"]) await http.mutation(chat.send, { channel: "a", body });
  await http.mutation(chat.increment, { name: "n" });
  return (await upload(server)).filePath;
}

async function upload(server: RunningServer) {
  const http = newHttpClient(server);
  const answer = await fetch(await http.mutation(chat.uploadUrl, {}), {
    method: "POST",
    headers: { "Content-Type": "image/png" },
    body: PICTURE,
  });
  const { storageId } = (await answer.json()) as { storageId: string };
  const { url } = await http.query(chat.describeFile, { id: storageId });
  return { storageId, filePath: new URL(url ?? "").pathname };
}

/** Everything a client and an administrator can see of the fixture's tables. */
async function contentOf(server: RunningServer, filePath: string): Promise<unknown> {
  const http = newHttpClient(server);
  const rows = async (table: string): Promise<unknown> => {
    const answer = await fetch(`${server.origin}/api/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Convex ${ADMIN_KEY}` },
      body: JSON.stringify({
        path: "_system/cli/tableData",
        args: { table, order: "asc", paginationOpts: { cursor: null, numItems: 100 } },
      }),
    });
    const { value } = (await answer.json()) as { value: { page: unknown } };
    return value.page;
  };
  const file = await fetch(server.origin + filePath);
  return {
    list: await http.query(chat.list, { channel: "a" }),
    counter: await http.query(chat.counter, { name: "n" }),
    messages: await rows("messages"),
    counters: await rows("counters"),
    storage: await rows("_storage"),
    file: Buffer.from(await file.arrayBuffer()).toString(),
    type: file.headers.get("content-type"),
  };
}

/** A stopped data folder with content. */
async function stoppedFolder() {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const filePath = await fill(server);
  const content = await contentOf(server, filePath);
  await server.close();
  return { dataDir, filePath, content };
}

const startOn = (dataDir: string) => startTestServer({ dataDir });

test("a backup of a stopped folder, restored elsewhere, is the same deployment with the same ids", async () => {
  const { dataDir, filePath, content } = await stoppedFolder();
  fs.writeFileSync(path.join(dataDir, "keys.json"), "{}");
  const backup = path.join(temporaryDir(), "backup");
  expect(await backupStopped(dataDir, backup)).toMatchObject({ files: 1, damagedFiles: [] });
  const elsewhere = path.join(temporaryDir(), "data");
  expect(await restoreDeployment(backup, elsewhere, { mayReplace: false })).toBeNull();
  expect(fs.readFileSync(path.join(elsewhere, "keys.json"), "utf8")).toBe("{}");
  expect(await contentOf(await startOn(elsewhere), filePath)).toEqual(content);
});

test("a running server backs itself up into its own folder, only for who can read that folder", async () => {
  const dataDir = temporaryDir();
  const server = await startOn(dataDir);
  const filePath = await fill(server);
  const content = await contentOf(server, filePath);
  const note = readRunning(dataDir);
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.origin}/api/operator/backup`, { method: "POST", headers });
  expect((await ask({})).status).toBe(403);
  expect((await ask({ Authorization: "Convex operator|guess" })).status).toBe(401);
  const key = { Authorization: `Convex ${note?.operatorKey ?? ""}` };
  expect((await ask({ ...key, "X-Forwarded-For": "192.0.2.1" })).status).toBe(404);
  const lines = (await (await ask(key)).text()).trim().split("\n");
  const { done } = JSON.parse(lines.at(-1) ?? "") as { done: { folder: string } };
  expect(path.dirname(done.folder)).toBe(path.join(dataDir, "backups"));
  await newHttpClient(server).mutation(chat.send, { channel: "a", body: "after the backup" });
  await server.close();
  expect(readRunning(dataDir)).toBeNull();
  const aside = await restoreDeployment(done.folder, dataDir, { mayReplace: true });
  expect(fs.readdirSync(aside ?? "").sort()).toEqual(["db", "files"]);
  expect(await contentOf(await startOn(dataDir), filePath)).toEqual(content);
});

test("a backup holds the bytes of a file that is deleted while it is made", async () => {
  const dataDir = temporaryDir();
  const server = await startOn(dataDir);
  const { storageId, filePath } = await upload(server);
  const asked = fetch(`${server.origin}/api/operator/backup`, {
    method: "POST",
    headers: { Authorization: `Convex ${readRunning(dataDir)?.operatorKey ?? ""}` },
  });
  const backups = path.join(dataDir, "backups");
  const copies = () =>
    fs.existsSync(backups)
      ? fs.readdirSync(backups).filter((name) => fs.existsSync(path.join(backups, name, SEAL)))
      : [];
  await expect.poll(copies, { interval: 5 }).toHaveLength(1);
  await newHttpClient(server).mutation(chat.removeFile, { id: storageId });
  await (await asked).text();
  const elsewhere = path.join(temporaryDir(), "data");
  const [name = ""] = copies();
  await restoreDeployment(path.join(backups, name), elsewhere, { mayReplace: false });
  const file = await fetch((await startOn(elsewhere)).origin + filePath);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PICTURE);
});

test("restoring overwrites nothing unless told so, and never below a running server", async () => {
  const { dataDir } = await stoppedFolder();
  const backup = path.join(temporaryDir(), "backup");
  await backupStopped(dataDir, backup);
  const attempt = restoreDeployment(backup, dataDir, { mayReplace: false });
  await expect(attempt).rejects.toThrow("holds data already");
  // The error must not suggest replacing data by a missing backup.
  const none = restoreDeployment(`${backup}.none`, dataDir, { mayReplace: false });
  await expect(none).rejects.toThrow("is no backup");
  await startOn(dataDir);
  const below = restoreDeployment(backup, dataDir, { mayReplace: true });
  await expect(below).rejects.toThrow("is using the data folder");
});

test.each(["db/store/data.mdb", "keys.json", "files", "backup.json"])(
  "a backup whose %s changed is refused and nothing is replaced",
  async (part) => {
    const { dataDir, filePath, content } = await stoppedFolder();
    fs.writeFileSync(path.join(dataDir, "keys.json"), `{"A":"b"}`);
    const backup = path.join(temporaryDir(), "backup");
    await backupStopped(dataDir, backup);
    await verifyBackup(backup);
    const where = path.join(backup, part);
    const file = part === "files" ? path.join(where, fs.readdirSync(where)[0] ?? "") : where;
    const bytes = fs.readFileSync(file);
    const at = part.startsWith("db") ? bytes.indexOf('"body":"two"') : Math.floor(bytes.length / 2);
    bytes[at + 2]! ^= 1;
    fs.writeFileSync(file, part === "backup.json" ? bytes.subarray(0, at) : bytes);
    const attempt = restoreDeployment(backup, dataDir, { mayReplace: true });
    await expect(attempt).rejects.toThrow(/damaged|changed|sound|record/);
    expect(fs.readdirSync(dataDir).some((name) => name.startsWith("replaced"))).toBe(false);
    expect(await contentOf(await startOn(dataDir), filePath)).toEqual(content);
  },
);

test.each<[what: string, change: (file: string) => void]>([
  ["is gone", (file) => fs.rmSync(file)],
  ["lost its end", (file) => fs.truncateSync(file, 2)],
])(
  "a stored file that %s is named by the backup, which holds everything else",
  async (_what, change) => {
    const { dataDir } = await stoppedFolder();
    const files = path.join(dataDir, "files");
    change(path.join(files, fs.readdirSync(files)[0] ?? ""));
    const backup = path.join(temporaryDir(), "backup");
    const { damagedFiles } = await backupStopped(dataDir, backup);
    expect(damagedFiles).toHaveLength(1);
    await verifyBackup(backup);
  },
);

test("export and import keep documents, ids, creation times, files and their addresses", async () => {
  const { dataDir, filePath, content } = await stoppedFolder();
  const archive = path.join(temporaryDir(), "all.zip");
  await exportStopped(dataDir, archive, { includeFiles: true });
  const elsewhere = path.join(temporaryDir(), "data");
  const report = await importStopped(archive, elsewhere, { mayReplace: false, verify: nothing });
  expect(report).toMatchObject({ files: 1, replaced: null });
  expect(await contentOf(await startOn(elsewhere), filePath)).toEqual(content);
});

test("an import without leave replaces nothing, not even a log without its store", async () => {
  const { dataDir, filePath, content } = await stoppedFolder();
  const archive = path.join(temporaryDir(), "all.zip");
  await exportStopped(dataDir, archive, { includeFiles: true });
  // As during npm run recover: the store is moved aside, the log can restore all of it.
  const store = path.join(dataDir, "db", "store");
  fs.renameSync(store, `${store}.damaged`);
  const attempt = importStopped(archive, dataDir, { mayReplace: false, verify: nothing });
  await expect(attempt).rejects.toThrow("holds data already");
  fs.renameSync(`${store}.damaged`, store);
  expect(await contentOf(await startOn(dataDir), filePath)).toEqual(content);
});

test("an import waits for the store", async () => {
  const { dataDir } = await stoppedFolder();
  const archive = path.join(temporaryDir(), "all.zip");
  await exportStopped(dataDir, archive, { includeFiles: true });
  const caughtUp = vi.spyOn(StoreFollower.prototype, "caughtUp");
  onTestFinished(() => caughtUp.mockRestore());
  const keys = `{"A":"b"}`;
  const elsewhere = temporaryDir();
  await importStopped(archive, elsewhere, { mayReplace: false, verify: nothing, keys });
  expect(caughtUp).toHaveBeenCalledWith(64 * 1024 * 1024);
  expect(fs.readFileSync(path.join(elsewhere, "keys.json"), "utf8")).toBe(keys);
});

test("a backup is on the disk, its names too, before it says that it is whole", async () => {
  const { dataDir } = await stoppedFolder();
  fs.writeFileSync(path.join(dataDir, "keys.json"), "{}");
  const target = path.join(temporaryDir(), "backup");
  const synced: string[] = [];
  await watchSyncs((one) => {
    const isSealed = fs.existsSync(path.join(target, "backup.json"));
    synced.push(`${isSealed ? "after" : "before"} ${path.relative(target, one) || "."}`);
  });
  await backupStopped(dataDir, target);
  const [file = ""] = fs.readdirSync(path.join(target, "files"));
  const before = [
    "db/store/data.mdb",
    "db/store",
    "db",
    `files/${file}`,
    "files",
    "keys.json",
    ".",
  ];
  expect(synced).toEqual(
    expect.arrayContaining([...before.map((name) => `before ${name}`), "after .", "after .."]),
  );
});

test("an archive that does not verify, or does not fit, replaces nothing", async () => {
  const { dataDir, filePath, content } = await stoppedFolder();
  const archive = path.join(temporaryDir(), "all.zip");
  await exportStopped(dataDir, archive, { includeFiles: true });
  const unfit = importStopped(archive, dataDir, {
    mayReplace: true,
    verify: () => Promise.reject(new Error("does not fit the schema")),
  });
  await expect(unfit).rejects.toThrow("does not fit the schema");
  const bytes = fs.readFileSync(archive);
  // Longer than any part between two entries.
  const middle = Math.floor(bytes.length / 2);
  for (let at = middle; at < middle + 64; at++) bytes[at]! ^= 255;
  fs.writeFileSync(archive, bytes);
  const damaged = importStopped(archive, dataDir, { mayReplace: true, verify: nothing });
  await expect(damaged).rejects.toThrow("Damaged zip entry");
  expect(fs.readdirSync(dataDir).filter((name) => /^\.|replaced/.test(name))).toEqual([]);
  expect(await contentOf(await startOn(dataDir), filePath)).toEqual(content);
});

test("the official way of exporting a running server answers the same archive", async () => {
  const dataDir = temporaryDir();
  const server = await startOn(dataDir);
  await fill(server);
  const admin = { Authorization: `Convex ${ADMIN_KEY}` };
  const request = `${server.origin}/api/export/request/zip?includeStorage=true`;
  expect((await fetch(request, { method: "POST" })).status).toBe(403);
  expect((await fetch(request, { method: "POST", headers: admin })).status).toBe(200);
  const [name = ""] = fs.readdirSync(path.join(dataDir, "exports"));
  const address = `${server.origin}/api/export/zip/${path.basename(name, ".zip")}`;
  expect((await fetch(address)).status).toBe(403);
  const archive = Buffer.from(await (await fetch(address, { headers: admin })).arrayBuffer());
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(archive)).toBe(digest(fs.readFileSync(path.join(dataDir, "exports", name))));
  const importing = await fetch(`${server.origin}/api/import/start_upload`, {
    method: "POST",
    headers: admin,
  });
  expect(importing.status).toBe(400);
  expect(await importing.text()).toContain("npm run import");
});
