/** What operators' commands get from a running server, and what a server leaves behind. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import * as backend from "../../../embedded/main";
import { chat } from "../fixtures/chatApi";
import { CHAT_DIR, newHttpClient, startTestServer, temporaryDir } from "../server/testServer";

interface Running {
  call: (route: string, init?: RequestInit) => Promise<Response>;
}

async function runningServer(dataDir: string): Promise<Running | null> {
  const file = path.resolve("scripts", "lib", "operator.mjs");
  const operator = (await import(pathToFileURL(file).href)) as {
    runningServer: (from: object, dataDir: string) => Promise<Running | null>;
  };
  return operator.runningServer(backend, dataDir);
}

test("an export names the stored files it lacks, to a command that waits however long", async () => {
  const dataDir = temporaryDir();
  const server = await startTestServer({ dataDir });
  const upload = await newHttpClient(server).mutation(chat.uploadUrl, {});
  await fetch(upload, { method: "POST", headers: { "Content-Type": "image/png" }, body: "x" });
  const [name = ""] = fs.readdirSync(path.join(dataDir, "files"));
  fs.rmSync(path.join(dataDir, "files", name));
  // Node's fetch gives up by itself when an answer takes long to begin.
  const impatient = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Headers Timeout"));
  onTestFinished(() => impatient.mockRestore());
  const running = await runningServer(dataDir);
  const answer = await running!.call("/api/export/request/zip?includeStorage=true", {
    method: "POST",
  });
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { missing: string[] }).missing).toHaveLength(1);
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
