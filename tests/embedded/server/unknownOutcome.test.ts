/** A log that fails in the middle of a commit: no caller is told an outcome before it is known. */
import fs from "node:fs";
import path from "node:path";
import { ConvexClient } from "convex/browser";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { WireClient } from "../sync/wire";
import { startSupervised } from "./supervised";
import { newHttpClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

const RESTARTS_TIMEOUT_MS = 180_000;

/**
 * Loaded before the server: while the file `broken` exists, syncs of the log fail. They discard what was
 * written last ("lost") or keep it ("kept"), once or at every attempt ("always").
 */
const BREAKING = `
const fs = require("node:fs");
const { writeSync, fdatasyncSync, fdatasync } = fs;
const broken = process.env.BROKEN_FILE;
let last = null;
fs.writeSync = (handle, bytes, from, length, at) => {
  last = { handle, length, at };
  return writeSync(handle, bytes, from, length, at);
};
const failure = () => {
  if (!fs.existsSync(broken)) return null;
  const how = fs.readFileSync(broken, "utf8");
  if (how === "lost") writeSync(last.handle, Buffer.alloc(last.length), 0, last.length, last.at);
  if (how !== "always") fs.rmSync(broken);
  return new Error("EIO: i/o error, fdatasync");
};
fs.fdatasyncSync = (handle) => {
  const error = failure();
  if (error !== null) throw error;
  fdatasyncSync(handle);
};
fs.fdatasync = (handle, done) => {
  const error = failure();
  if (error === null) fdatasync(handle, done);
  else setImmediate(() => done(error));
};
require("node:module").syncBuiltinESMExports();`;

async function startBreakable() {
  const dataDir = temporaryDir();
  const [preload, brokenFile] = ["breaking.cjs", "broken"].map((name) => path.join(dataDir, name));
  fs.writeFileSync(preload!, BREAKING);
  const server = await startSupervised(dataDir, {
    ...process.env,
    NODE_OPTIONS: `--require=${preload}`,
    BROKEN_FILE: brokenFile,
  });
  const client = new ConvexClient(server.origin, { logger: false });
  onTestFinished(() => client.close());
  await client.query(chat.counter, { name: "any" });
  const breakDisk = (how: "kept" | "lost" | "always") => fs.writeFileSync(brokenFile!, how);
  return { ...server, client, breakDisk };
}

describe.each(["kept", "lost"] as const)("what was being committed is %s by the disk", (how) => {
  test(
    "the client that asked for it is answered by the next process, and it is done once",
    async () => {
      const { client, breakDisk, said } = await startBreakable();
      breakDisk(how);
      expect(await client.mutation(chat.increment, { name: "one" })).toBe(1n);
      expect(said()).toContain("starting again");
      breakDisk(how);
      // In one packet, so that they are synced together.
      const several = [1, 2, 3].map(() => client.mutation(chat.increment, { name: "several" }));
      expect(await Promise.all(several)).toEqual([1n, 2n, 3n]);
      expect(said().split("starting again")).toHaveLength(3);
      expect(await client.query(chat.counter, { name: "one" })).toBe(1n);
      expect(await client.query(chat.counter, { name: "several" })).toBe(3n);
    },
    RESTARTS_TIMEOUT_MS,
  );

  test(
    "whoever asked over HTTP is told neither that it was done nor that it was not",
    async () => {
      const { http, isUp, breakDisk } = await startBreakable();
      breakDisk(how);
      await expect(http.mutation(chat.increment, { name: "one" })).rejects.toThrow("fetch failed");
      await isUp();
      expect(await http.query(chat.counter, { name: "one" })).toBe(how === "kept" ? 1n : 0n);
    },
    RESTARTS_TIMEOUT_MS,
  );
});

test(
  "a disk that stays broken ends the supervisor as well, with the reason",
  async () => {
    const { child, http, breakDisk, said } = await startBreakable();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    breakDisk("always");
    await expect(http.mutation(chat.increment, { name: "one" })).rejects.toThrow("fetch failed");
    expect(await ended).toBe(1);
    expect(said().split("starting again")).toHaveLength(2);
    expect(said()).toContain("cannot be brought to the disk (EIO: i/o error, fdatasync)");
  },
  RESTARTS_TIMEOUT_MS,
);

/** The end of the process is delayed: nothing may be sent in the meantime. */
async function startHeldUp() {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  onTestFinished(() => void vi.restoreAllMocks());
  return { dataDir, server, exit };
}

/** Closes without waiting for work that never ends. */
async function closeNow(server: { close(): Promise<void> }): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  let isClosed = false;
  void server.close().then(() => (isClosed = true));
  await vi.waitFor(() => {
    vi.advanceTimersByTime(100);
    expect(isClosed).toBe(true);
  }, PATIENCE);
  vi.useRealTimers();
}

function failWith(door: "writeSync" | "fdatasyncSync", code: string): void {
  vi.spyOn(fs, door).mockImplementation(() => {
    throw Object.assign(new Error(`${code}: ${door}`), { code });
  });
}

const WATCH_COUNTER = {
  type: "ModifyQuerySet",
  baseVersion: 0,
  newVersion: 1,
  modifications: [{ type: "Add", queryId: 0, udfPath: "messages:counter", args: [{ name: "x" }] }],
};

const types = ({ frames }: WireClient) => frames.map((frame) => frame.type);

describe("until the process has ended", () => {
  test("no mutation is answered, re-sent or new, nor who waits for one", async () => {
    const { dataDir, server, exit } = await startHeldUp();
    const first = await WireClient.connect(server.origin);
    failWith("fdatasyncSync", "EIO");
    first.mutate(0, "messages:increment", { name: "x" });
    await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(1), PATIENCE);
    const { sessionId } = first;
    const again = await WireClient.connect(server.origin, { sessionId });
    again.mutate(0, "messages:increment", { name: "x" });
    again.mutate(1, "messages:increment", { name: "x" });
    again.send({
      type: "Action",
      requestId: 2,
      udfPath: "messages:orchestrate",
      args: [{ name: "x" }],
    });
    let isAnswered = false;
    const answered = () => (isAnswered = true);
    const http = newHttpClient(server);
    void http.mutation(chat.increment, { name: "x" }).then(answered, answered);
    for (const client of [first, again]) {
      client.send(WATCH_COUNTER);
      await client.untilType("Transition");
    }
    expect(await newHttpClient(server).query(chat.counter, { name: "x" })).toBe(0n);
    expect([...types(first), ...types(again)]).toEqual(["Transition", "Transition"]);
    expect(isAnswered).toBe(false);
    expect(server.logLines.join()).toContain("The log failed (EIO: fdatasyncSync)");

    vi.restoreAllMocks();
    await closeNow(server);
    const next = await startTestServer({ dataDir });
    const resent = await WireClient.connect(next.origin, { sessionId });
    for (const requestId of [0, 1]) resent.mutate(requestId, "messages:increment", { name: "x" });
    const answer = await resent.until((frame) => frame.requestId === 1);
    expect(answer).toMatchObject({ success: true, result: { $integer: "AgAAAAAAAAA=" } });
  });
});

test("a full disk refuses what is new, and answers what was done before", async () => {
  const { server, exit } = await startHeldUp();
  const first = await WireClient.connect(server.origin);
  first.mutate(0, "messages:increment", { name: "x" });
  const { result } = await first.untilType("MutationResponse");
  failWith("writeSync", "ENOSPC");
  const again = await WireClient.connect(server.origin, { sessionId: first.sessionId });
  again.mutate(1, "messages:increment", { name: "x" });
  again.mutate(0, "messages:increment", { name: "x" });
  again.mutate(2, "messages:increment", { name: "x" });
  const last = await again.until((frame) => frame.requestId === 2);
  const answers = again.frames.filter((frame) => frame.type === "MutationResponse");
  expect(answers.map(({ requestId, success }) => [requestId, success])).toEqual([
    [1, false],
    [0, true],
    [2, false],
  ]);
  expect(answers[1]!.result).toEqual(result);
  expect(last.result).toContain("ENOSPC");
  expect(exit).not.toHaveBeenCalled();
});
