/** Operators' commands on a running server, and the files a server leaves behind. */
import childProcess, { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer as createHttpServer, globalAgent } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import * as backend from "../../../embedded/main";
import { ReadOnlyError } from "../../../embedded/db/errors";
import { openDatabase } from "../../../embedded/db/openDatabase";
import { StoreFollower } from "../../../embedded/db/storeFollower";
import { noteRunning } from "../../../embedded/operations/dataFolder";
import { inspectStore } from "../../../embedded/operations/inspect";
import { lockFolder } from "../../../embedded/storage/folderLock";
import type { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { replaceIn } from "../../support/builtins";
import { PATIENCE } from "../../support/patience";
import { mutate } from "../db/support";
import { chat } from "../fixtures/chatApi";
import { CHAT_DIR, newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

interface Running {
  call: (route: string, init?: RequestInit) => Promise<Response>;
}

interface Operator {
  runningServer: (from: object, dataDir: string, withinMs?: number) => Promise<Running | null>;
  callOnServer: (server: Running, functionPath: string, args: object) => Promise<object>;
  failureText: (error: unknown) => string;
}

async function operator(): Promise<Operator> {
  const file = path.resolve("scripts", "lib", "operator.mjs");
  return (await import(pathToFileURL(file).href)) as Operator;
}

async function runningServer(dataDir: string, withinMs?: number): Promise<Running | null> {
  return (await operator()).runningServer(backend, dataDir, withinMs);
}

test("an export names the stored files it lacks, to a command that waits however long", async () => {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const upload = await newHttpClient(server).mutation(chat.uploadUrl, {});
  await fetch(upload, { method: "POST", headers: { "Content-Type": "image/png" }, body: "x" });
  const [name = ""] = fs.readdirSync(path.join(dataDir, "files"));
  fs.rmSync(path.join(dataDir, "files", name));
  // Node's fetch has its own timeout for the start of a response.
  const impatient = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Headers Timeout"));
  onTestFinished(() => impatient.mockRestore());
  const running = await runningServer(dataDir);
  const answer = await running!.call("/api/export/request/zip?includeStorage=true", {
    method: "POST",
  });
  expect(answer.status).toBe(200);
  const { missing, startTs } = (await answer.json()) as { missing: string[]; startTs: string };
  expect(missing).toHaveLength(1);
  expect((await running!.call(`/api/export/zip/${startTs}`)).status).toBe(200);
});

test("an export replaces the previous archive, and nothing else in its folder", async () => {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const folder = path.join(dataDir, "exports");
  // As on a disk of its own.
  fs.mkdirSync(path.join(folder, "lost+found"), { recursive: true });
  fs.writeFileSync(path.join(folder, "before the audit.zip"), "");
  const running = await runningServer(dataDir);
  const names: string[] = [];
  for (const body of ["one", "two"]) {
    await newHttpClient(server).mutation(chat.send, { channel: "a", body });
    const answer = await running!.call("/api/export/request/zip", { method: "POST" });
    names.push(`${((await answer.json()) as { startTs: string }).startTs}.zip`);
  }
  expect(names[0]).not.toBe(names[1]);
  expect(fs.readdirSync(folder).sort()).toEqual([names[1], "before the audit.zip", "lost+found"]);
});

test("a backup holds a file that is stored after it was begun", async () => {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const atRest = vi.spyOn(StoreFollower.prototype, "atRest");
  onTestFinished(() => atRest.mockRestore());
  atRest.mockImplementationOnce(async function (this: StoreFollower, begin) {
    const upload = await newHttpClient(server).mutation(chat.uploadUrl, {});
    await fetch(upload, { method: "POST", headers: { "Content-Type": "image/png" }, body: "x" });
    return this.atRest(begin);
  });
  const running = await runningServer(dataDir);
  await (await running!.call("/api/operator/backup", { method: "POST" })).text();
  const filesIn = (folder: string) => fs.readdirSync(path.join(folder, "files"));
  const backups = path.join(dataDir, "backups");
  const [name = ""] = fs.readdirSync(backups);
  expect(filesIn(dataDir)).toHaveLength(1);
  expect(filesIn(path.join(backups, name))).toEqual(filesIn(dataDir));
});

test("a backup whose command is stopped ends and leaves nothing behind", async () => {
  const dataDir = temporaryDir();
  await startTestServer({ dataDir });
  const atRest = vi.spyOn(StoreFollower.prototype, "atRest");
  onTestFinished(() => atRest.mockRestore());
  const backups = path.join(dataDir, "backups");
  const child = spawn(process.execPath, ["scripts/backup.mjs", "--data", dataDir]);
  atRest.mockImplementationOnce(async function (this: StoreFollower, begin) {
    expect(fs.readdirSync(backups)).toHaveLength(1);
    child.kill("SIGINT");
    await once(child, "exit");
    return this.atRest(begin);
  });
  await vi.waitFor(() => expect(atRest).toHaveBeenCalledTimes(2), PATIENCE);
  await vi.waitFor(() => expect(fs.readdirSync(backups)).toEqual([]), PATIENCE);
}, 60_000);

test("a backup that a running server cannot make says what to do, as a stopped one's does", async () => {
  const dataDir = temporaryDir();
  await startTestServer({ dataDir });
  const atRest = vi.spyOn(StoreFollower.prototype, "atRest");
  onTestFinished(() => atRest.mockRestore());
  atRest.mockRejectedValueOnce(new ReadOnlyError("The store cannot be written (EIO)"));
  const child = spawn(process.execPath, ["scripts/backup.mjs", "--data", dataDir]);
  const [output] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(output).toMatch(/^The store cannot be written \(EIO\)\nNothing is lost: /);
}, 60_000);

test("a server that has the folder and does not answer is named; without the folder it is none", async () => {
  const dataDir = temporaryDir();
  const silent = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  const sockets: Socket[] = [];
  silent.on("connection", (socket) => sockets.push(socket));
  await once(silent, "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { pid } = process;
  noteRunning(dataDir, { pid, url, operatorKey: "operator|key" });
  expect(await runningServer(dataDir, 50)).toBeNull();
  const unlock = lockFolder(path.join(dataDir, "db"));
  onTestFinished(unlock);
  await expect(runningServer(dataDir, 50)).rejects.toThrow(
    `process ${pid} at ${url}, does not answer`,
  );
  for (const socket of sockets) socket.destroy();
});

/** A server that answers everybody, and the hosts that it was asked for. */
async function serverThatNotesHosts(
  status = 200,
): Promise<{ port: number; hosts: (string | undefined)[] }> {
  const hosts: (string | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    hosts.push(request.headers.host);
    response.writeHead(status).end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, hosts };
}

test("commands only talk to the server that holds the folder, as localhost", async () => {
  const dataDir = temporaryDir();
  const { port, hosts } = await serverThatNotesHosts();
  const noteOf = (pid: number) =>
    noteRunning(dataDir, { pid, url: `http://127.0.0.1:${port}`, operatorKey: "operator|key" });
  // A server was killed, and another program has its port.
  noteOf(process.pid);
  expect(await runningServer(dataDir)).toBeNull();
  // A command holds the folder now.
  onTestFinished(lockFolder(path.join(dataDir, "db")));
  noteOf(4711);
  expect(await runningServer(dataDir)).toBeNull();
  expect(hosts).toEqual([]);
  noteOf(process.pid);
  expect(await runningServer(dataDir)).not.toBeNull();
  expect(hosts).toEqual([`localhost:${port}`]);
});

test("a server that refuses to answer, because it starts or stops, is none", async () => {
  const dataDir = temporaryDir();
  const { port } = await serverThatNotesHosts(503);
  const url = `http://127.0.0.1:${port}`;
  noteRunning(dataDir, { pid: process.pid, url, operatorKey: "operator|key" });
  onTestFinished(lockFolder(path.join(dataDir, "db")));
  expect(await runningServer(dataDir)).toBeNull();
});

test("a server at the port that addresses leave out is asked as well", async () => {
  const dataDir = temporaryDir();
  const { port, hosts } = await serverThatNotesHosts();
  // Not every user may listen at port 80.
  const dial = vi.spyOn(globalAgent, "createConnection").mockImplementation(() => connect(port));
  onTestFinished(() => dial.mockRestore());
  const url = "http://127.0.0.1:80";
  noteRunning(dataDir, { pid: process.pid, url, operatorKey: "operator|key" });
  onTestFinished(lockFolder(path.join(dataDir, "db")));
  expect(await runningServer(dataDir)).toMatchObject({ url, port: 80 });
  expect(hosts).toEqual(["localhost"]);
});

test("when the server ends in the middle of a response, the command says so", async () => {
  const dataDir = temporaryDir();
  const server = createHttpServer((request, response) => {
    if (request.url === "/api/operator/status") response.end("{}");
    else if (request.url === "/hang-up") request.socket.destroy();
    else response.write("half an ", () => request.socket.destroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(lockFolder(path.join(dataDir, "db")));
  noteRunning(dataDir, { pid: process.pid, url, operatorKey: "operator|key" });
  const running = await runningServer(dataDir);
  const { failureText } = await operator();
  for (const route of ["/hang-up", "/break-off"]) {
    const failure = running!.call(route).then((answer) => answer.text());
    expect(await failure.catch(failureText)).toMatch(
      /^(socket hang up|The answer broke off)\nThe server ended meanwhile: do this again\.$/,
    );
  }
});

test("a command on a server that writes no more says why, and that it must be started again", async () => {
  const dataDir = temporaryDir();
  const isReadOnly =
    "The store cannot be written (No space left on device); nothing more is accepted.";
  const server = createHttpServer((request, response) => {
    const isCall = request.url === "/api/function";
    response.end(JSON.stringify(isCall ? { errorMessage: "Server Error" } : { isReadOnly }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(lockFolder(path.join(dataDir, "db")));
  noteRunning(dataDir, { pid: process.pid, url, operatorKey: "operator|key" });
  const { callOnServer, failureText } = await operator();
  const failure = await callOnServer((await runningServer(dataDir))!, "operator:addCode", {}).catch(
    failureText,
  );
  expect(failure).toContain(`${isReadOnly}\nNothing is lost: `);
  expect(failure).toContain(
    "make room (old backups, exports/, replaced-* folders) and start again",
  );
});

test("every entry of a running server's store is checked, also when its file is as it was written", async () => {
  const dataDir = temporaryDir();
  const { db } = await openDatabase(path.join(dataDir, "db"));
  await mutate(db, (tx) => tx.insertValue("notes", {}));
  await db.drain();
  const sound = `${(db.store as LmdbStore).entryCount()} entries, all sound`;
  expect(await inspectStore(dataDir)).toEqual([{ check: "store", status: "ok", text: sound }]);
  await db.close();
});

test("nobody is sent to rebuild a store that could not be looked at", async () => {
  const dataDir = temporaryDir();
  await (await openDatabase(path.join(dataDir, "db"))).db.close();
  const { execFile } = childProcess;
  const run = execFile as unknown as (...args: unknown[]) => ReturnType<typeof execFile>;
  const failing = (_: string, ...rest: unknown[]) => run("/none", ...rest);
  replaceIn(childProcess, { execFile: failing as unknown as typeof execFile });
  const text = expect.stringContaining("cannot be made (spawn /none") as string;
  expect(await inspectStore(dataDir)).toEqual([{ check: "store", status: "problem", text }]);
});

test("a server without a data folder leaves no bundle behind", async () => {
  const tmp = temporaryDir();
  vi.stubEnv("TMPDIR", tmp);
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await startTestServer({ functions: { functionsDir: CHAT_DIR } });
  expect(fs.readdirSync(tmp)).toHaveLength(1);
  await server.close();
  expect(fs.readdirSync(tmp)).toEqual([]);
});
