/** Stored files: uploads, downloads by address, and bytes that no document refers to. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";
import { PATIENCE } from "../../support/patience";

const EMPTY_SHA256 = createHash("sha256").digest("base64");

describe("file storage", () => {
  async function upload(url: string, body: string, headers = {}) {
    return fetch(url, {
      method: "POST",
      body,
      headers: { "Content-Type": "text/plain", ...headers },
    });
  }

  test.each([
    ["in a folder", true],
    ["in memory", false],
  ])("%s stores an upload, serves it whole and in ranges, and forgets it", async (_, isKept) => {
    const server = await startTestServer(isKept ? { dataDir: temporaryDir() } : {});
    const http = newHttpClient(server);
    const answer = await upload(await http.mutation(chat.uploadUrl, {}), "0123456789");
    const { storageId } = (await answer.json()) as { storageId: string };
    const found = await http.query(chat.describeFile, { id: storageId });
    const { url, document, metadata } = found;
    const sha256 = createHash("sha256").update("0123456789").digest("base64");
    const file = { size: 10, contentType: "text/plain" };
    expect(document).toMatchObject({ ...file, sha256 });
    const inHex = Buffer.from(sha256, "base64").toString("hex");
    expect(metadata).toEqual({ ...file, storageId, sha256: inHex });
    const whole = await fetch(url ?? "");
    expect(await whole.text()).toBe("0123456789");
    expect(whole.headers.get("digest")).toBe(`sha-256=${sha256}`);
    // Not for a proxy's other clients.
    expect(whole.headers.get("cache-control")).toMatch(/^private,/);
    // It may be a page with scripts.
    expect(whole.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    for (const [Range, ...expected] of [
      ["bytes=2-4", 206, "bytes 2-4/10", "234"],
      ["bytes=3-3", 206, "bytes 3-3/10", "3"],
      ["bytes=7-", 206, "bytes 7-9/10", "789"],
      ["bytes=7-99", 206, "bytes 7-9/10", "789"],
      ["bytes=-3", 206, "bytes 7-9/10", "789"],
      ["bytes=-99", 206, "bytes 0-9/10", "0123456789"],
      ["bytes=0-1,3-4", 200, null, "0123456789"],
      ["bytes=-", 200, null, "0123456789"],
    ] as const) {
      const part = await fetch(url ?? "", { headers: { Range } });
      const { status, headers } = part;
      expect([status, headers.get("content-range"), await part.text()]).toEqual(expected);
    }
    for (const Range of ["bytes=10-", "bytes=-0"]) {
      const beyond = await fetch(url ?? "", { headers: { Range } });
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    }
    await http.mutation(chat.removeFile, { id: storageId });
    expect((await fetch(url ?? "")).status).toBe(404);
  });

  test("serves an empty file whole, whatever range is asked for", async () => {
    const http = newHttpClient(await startTestServer());
    const answer = await upload(await http.mutation(chat.uploadUrl, {}), "");
    const { storageId } = (await answer.json()) as { storageId: string };
    const { url } = await http.query(chat.describeFile, { id: storageId });
    for (const Range of ["bytes=0-0", "bytes=0-", "bytes=-1"]) {
      const { status, headers } = await fetch(url ?? "", { headers: { Range } });
      const told = [headers.get("content-length"), headers.get("content-range")];
      expect([status, ...told]).toEqual([200, "0", null]);
    }
  });

  test("knows no type of a file that was uploaded without one", async () => {
    const http = newHttpClient(await startTestServer());
    const body = new Uint8Array([1]);
    const answer = await fetch(await http.mutation(chat.uploadUrl, {}), { method: "POST", body });
    const { storageId } = (await answer.json()) as { storageId: string };
    const { document, url } = await http.query(chat.describeFile, { id: storageId });
    expect(document).toMatchObject({ contentType: null });
    const { headers } = await fetch(url ?? "");
    const told = [headers.get("content-type"), headers.get("accept-ranges")];
    expect(told).toEqual(["application/octet-stream", "bytes"]);
  });

  test.each(["", "image", "image/"])("refuses a file of the type %j", async (type) => {
    const http = newHttpClient(await startTestServer());
    const url = await http.mutation(chat.uploadUrl, {});
    const answer = await upload(url, "x", { "Content-Type": type });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "BadHeader" });
    const stored = http.action(chat.roundTrip, { text: "x", type: type || "no type" });
    await expect(stored).rejects.toThrow("type is not valid");
  });

  test.each([
    "",
    "sha-256=",
    "sha-256=abc",
    `SHA-256=${EMPTY_SHA256}`,
    `sha-512=${EMPTY_SHA256}`,
    `md5=x,sha-256=${EMPTY_SHA256}`,
  ])("refuses a file with the digest %j, and keeps nothing of it", async (Digest) => {
    const server = await startTestServer();
    const url = await newHttpClient(server).mutation(chat.uploadUrl, {});
    const answer = await upload(url, "", { Digest });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "BadHeader" });
    expect(await server.backend.runtime.deployment.files.blobs.list()).toEqual([]);
    expect((await upload(url, "", { Digest: `sha-256=${EMPTY_SHA256}` })).status).toBe(200);
  });

  test("takes a file for an hour at an address, and no longer", async () => {
    const HOUR_MS = 60 * 60 * 1000;
    const http = newHttpClient(await startTestServer());
    const nowMs = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const url = await http.mutation(chat.uploadUrl, {});
    vi.setSystemTime(nowMs + HOUR_MS - 1);
    expect((await upload(url, "x")).status).toBe(200);
    vi.setSystemTime(nowMs + HOUR_MS);
    const late = await upload(url, "x");
    expect([late.status, await late.json()]).toMatchObject([401, { code: "StorageTokenExpired" }]);
  });

  test("refuses bad tokens, wrong digests and too much", async () => {
    const server = await startTestServer({ dataDir: temporaryDir() });
    const http = newHttpClient(server);
    const url = await http.mutation(chat.uploadUrl, {});
    const shorter = url.slice(0, -1);
    for (const forged of [`${shorter}${url.endsWith("0") ? "1" : "0"}`, shorter, `${url}0`]) {
      const refusal = await upload(forged, "x");
      const told = [refusal.status, await refusal.json()];
      expect(told).toMatchObject([401, { code: "StorageTokenInvalid" }]);
    }
    const digest = { Digest: `sha-256=${Buffer.alloc(32).toString("base64")}` };
    expect((await upload(url, "x", digest)).status).toBe(400);
    expect((await upload(url, "x".repeat(5 * 1024 * 1024))).status).toBe(413);
    expect(await server.backend.runtime.deployment.files.blobs.list()).toEqual([]);
  });

  test("refuses ids of nothing stored, and finds nothing at one whose file is gone", async () => {
    const http = newHttpClient(await startTestServer());
    const invalid = ["getUrl", "get", "delete"].map((operation) => {
      const start = `Invalid argument \`storageId\` for \`storage.${operation}\`: Invalid storage ID`;
      return expect.stringContaining(start) as string;
    });
    const job = await http.mutation(chat.scheduleFar, { delayMs: 3_600_000 });
    for (const id of ["", "no id", job]) {
      expect(await http.action(chat.errorsForFile, { id })).toEqual(invalid);
    }
    const answer = await upload(await http.mutation(chat.uploadUrl, {}), "gone");
    const { storageId: id } = (await answer.json()) as { storageId: string };
    await http.mutation(chat.removeFile, { id });
    const missing = expect.stringContaining(`storage id ${id} not found`) as string;
    expect(await http.action(chat.errorsForFile, { id })).toEqual([null, null, missing]);
  });

  test("is written and read by actions", async () => {
    const server = await startTestServer();
    expect(await newHttpClient(server).action(chat.roundTrip, { text: "hi" })).toBe(
      "text/plain:hi",
    );
  });
});

describe("stored bytes", () => {
  test("that cannot be removed are reported, change no answer, and are gone after the next start", async () => {
    const dataDir = temporaryDir();
    const server = await startTestServer({ dataDir });
    const { blobs } = server.backend.runtime.deployment.files;
    vi.spyOn(blobs, "remove").mockRejectedValue(new Error("EROFS: read-only file system"));
    const http = newHttpClient(server);
    const body = "x";
    const url = await http.mutation(chat.uploadUrl, {});
    const headers = { Digest: `sha-256=${Buffer.alloc(32).toString("base64")}` };
    expect((await fetch(url, { method: "POST", body, headers })).status).toBe(400);
    const answer = await fetch(url, { method: "POST", body });
    const { storageId } = (await answer.json()) as { storageId: string };
    await http.mutation(chat.removeFile, { id: storageId });
    const report = /^stored file [-0-9a-f]{36} \[ERROR\] It cannot be removed: EROFS/;
    await vi.waitFor(
      () => expect(server.logLines).toEqual(Array(2).fill(expect.stringMatching(report))),
      PATIENCE,
    );
    await server.close();
    await startTestServer({ dataDir });
    expect(readdirSync(path.join(dataDir, "files"))).toEqual([]);
  });

  test("that a start cannot remove do not keep it from serving", async () => {
    const dataDir = temporaryDir();
    const left = "00000000-0000-4000-8000-000000000000";
    await (await startTestServer({ dataDir })).close();
    // Not removed as a file is, whoever runs this.
    mkdirSync(path.join(dataDir, "files", left), { recursive: true });
    const { logLines } = await startTestServer({ dataDir });
    expect(logLines).toEqual([expect.stringContaining(`${left} [ERROR] It cannot be removed`)]);
  });

  test("that nothing refers to are gone after the next start, files stay", async () => {
    const dataDir = temporaryDir();
    const first = await startTestServer({ dataDir });
    await newHttpClient(first).action(chat.roundTrip, { text: "kept" });
    await first.close();
    const folder = path.join(dataDir, "files");
    const kept = readdirSync(folder);
    writeFileSync(path.join(folder, "00000000-0000-4000-8000-000000000000"), "left behind");
    writeFileSync(path.join(folder, "00000000-0000-4000-8000-000000000001.part"), "cut short");
    // Foreign files must not be removed: a file system's folder, a person's note.
    mkdirSync(path.join(folder, "lost+found"));
    writeFileSync(path.join(folder, "README"), "a note");
    const second = await startTestServer({ dataDir });
    expect(readdirSync(folder).sort()).toEqual([...kept, "lost+found", "README"].sort());
    expect(second.logLines).toContain("Removed 2 files that nothing refers to.");
  });

  test.each(["k", "kept, and more"])(
    "damaged on disk to %j are never taken for whole",
    async (now) => {
      const dataDir = temporaryDir();
      const server = await startTestServer({ dataDir });
      await newHttpClient(server).action(chat.roundTrip, { text: "kept" });
      const folder = path.join(dataDir, "files");
      const [name = ""] = readdirSync(folder);
      writeFileSync(path.join(folder, name), now);
      const text = fetch(`${server.origin}/api/storage/${name}`).then((answer) => answer.text());
      await expect(text).rejects.toThrow(/terminated|fetch failed/);
    },
  );

  // Only Linux lists what a process has open.
  test.runIf(process.platform === "linux")("asked for by HEAD are not left open", async () => {
    const dataDir = temporaryDir();
    const server = await startTestServer({ dataDir });
    await newHttpClient(server).action(chat.roundTrip, { text: "kept" });
    const folder = path.join(dataDir, "files");
    const [name = ""] = readdirSync(folder);
    const address = `${server.origin}/api/storage/${name}`;
    for (let turn = 0; turn < 20; turn++) {
      const { status, headers } = await fetch(address, { method: "HEAD" });
      expect([status, headers.get("content-length")]).toEqual([200, "4"]);
    }
    await vi.waitFor(() => expect(openIn(folder)).toEqual([]), PATIENCE);
  });

  test("asking for a file with a type that no header can hold leaves nothing open", async () => {
    const dataDir = temporaryDir();
    const { origin, backend } = await startTestServer({ dataDir });
    const { files } = backend.runtime.deployment;
    const uuid = files.newUuid();
    const info = await files.blobs.write(uuid, Readable.from([Buffer.from("kept")]), 4);
    // As an archive made by hand may bring it.
    await backend.runtime.recordFile(uuid, info, "text/\u20ac");
    for (let turn = 0; turn < 3; turn++) {
      const { status } = await fetch(`${origin}/api/storage/${uuid}`);
      expect(status).toBe(500);
    }
    await vi.waitFor(() => expect(openIn(path.join(dataDir, "files"))).toEqual([]), PATIENCE);
  });
});

/** The descriptors of this process that are open on files of a folder. */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").filter((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`).startsWith(folder);
    } catch {
      return false;
    }
  });
}
