/** What `npm run doctor` makes of its findings: words, marks, exit code, and what it leaves alone. */
import { chmodSync, mkdirSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../../embedded/db/openDatabase";
import { DB_FOLDER, noteRunning } from "../../embedded/operations/dataFolder";
import { SYSTEM_TABLES } from "../../embedded/runtime/systemTables";
import { lockFolder } from "../../embedded/storage/folderLock";
import { openBank } from "../attacks/bank";
import { temporaryDir } from "../support/temporaryDir";
import { doctor, operate, stoppedBank } from "./startedBank";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const copyOfBank = stoppedBank();

function setEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test("people read each finding with its mark, what to do below it, and what all of it means", async () => {
  const dataDir = copyOfBank();
  const inWords = () => operate("doctor", "--data", dataDir);
  const sound = await inWords();
  expect(sound.output).toMatch(/^ok {6}data folder {2}\S+, its owner's alone\n/);
  expect(sound.output).toMatch(/\nok {6}ledger {7}balanced: .*\n\nNo problems\.\n$/);
  chmodSync(dataDir, 0o755);
  const warned = await inWords();
  const finding = `WARNING data folder  Other users of this machine can read ${dataDir}\n`;
  expect(warned.output).toContain(`${finding}${" ".repeat(21)}-> chmod go-rwx '${dataDir}'\n`);
  expect(warned.output).toMatch(/\n\nNo problems, but warnings: see the lines above\.\n$/);
  const wrong = await operate("doctor", "--data", temporaryDir());
  expect(wrong.output).toMatch(
    /^PROBLEM data folder {2}\S+ is no data folder\n +-> .*\n\nThere are problems: /,
  );
  expect([sound.code, warned.code, wrong.code]).toEqual([0, 0, 1]);
});

test("what a start for real people would refuse is a problem only where one is meant", async () => {
  const dataDir = copyOfBank();
  const environment = { check: "environment", text: "NODE_ENV is development" };
  setEnv({ NODE_ENV: "development" });
  const demo = await doctor(dataDir, "environment");
  expect([demo.code, demo.found]).toMatchObject([0, [{ ...environment, status: "warning" }]]);
  setEnv({ DEMO: "0" });
  const real = await doctor(dataDir, "environment");
  expect([real.code, real.found]).toMatchObject([1, [{ ...environment, status: "problem" }]]);
});

test("the server of the folder itself has its port rightly, and why it writes no more is told", async () => {
  const bank = await openBank({}, {}, copyOfBank());
  onTestFinished(() => bank.close());
  setEnv({ PORT: new URL(bank.origin).port });
  expect((await doctor(bank.dataDir, "port")).found).toEqual([]);
  vi.spyOn(bank.server.backend.db, "isReadOnly", "get").mockReturnValue("The disk is full");
  const { code, found } = await doctor(bank.dataDir, "server");
  const next = "Make room and start it again.";
  expect([code, found]).toMatchObject([1, [{ status: "problem", text: "The disk is full", next }]]);
});

test("behind a server that does not answer, nothing else is looked at", async () => {
  const dataDir = copyOfBank();
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await once(silent, "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  onTestFinished(lockFolder(path.join(dataDir, "db")));
  noteRunning(dataDir, { pid: process.pid, url, operatorKey: "operator|key" });
  const { code, findings } = await doctor(dataDir, "server");
  const text = expect.stringContaining("does not answer") as string;
  expect([code, findings.at(-1)]).toMatchObject([1, { check: "server", status: "problem", text }]);
});

test("data of a version with another schema is brought up to date, and that is said, once", async () => {
  const dataDir = copyOfBank();
  const { db } = await openDatabase(path.join(dataDir, DB_FOLDER), { systemSchema: SYSTEM_TABLES });
  await db.applySchema(null);
  await db.close();
  const said = (text: RegExp) => ({
    status: "ok",
    text: expect.stringMatching(text) as string,
  });
  const { code, found } = await doctor(dataDir, "start");
  expect([code, found]).toMatchObject([
    0,
    [
      said(/^The schema has changed: /),
      said(/^Documents checked: [1-9]\d*\. Indexes built: [1-9]\d*, removed: 0\. /),
    ],
  ]);
  expect((await doctor(dataDir, "start")).found).toEqual([]);
});

test("what a killed command left is told with the rest", async () => {
  const dataDir = copyOfBank();
  mkdirSync(path.join(dataDir, ".importing-x"));
  const { code, found, findings } = await doctor(dataDir, "leftovers");
  expect([code, found]).toMatchObject([0, [{ status: "warning", next: "Remove it." }]]);
  expect(findings.at(-1)).toMatchObject({ check: "ledger", status: "ok" });
});
