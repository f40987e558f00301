/** The server's own address, queries by address, and bytes that no document refers to. */
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer, temporaryDir } from "./testServer";

/** Why nobody can listen on this port; null, having listened for a moment, when somebody can. */
const refusalAt = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const other = createServer();
    other.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? ""));
    other.listen(port, "127.0.0.1", () => other.close(() => resolve(null)));
  });

test("a free port is the server's own from the moment its functions learn of it", async () => {
  let port = 0;
  let refusal: string | null = null;
  const server = await startTestServer({
    port: 0,
    env: (origin) => {
      port = Number(new URL(origin).port);
      return {};
    },
    beforeServing: async () => {
      refusal = await refusalAt(port);
    },
  });
  expect(refusal).toBe("EADDRINUSE");
  expect(server.port).toBe(port);
  expect((await fetch(`${server.origin}/healthz`)).ok).toBe(true);
});

describe("GET /api/query", () => {
  test("runs a query with the arguments of its address, with the caller's rights", async () => {
    const { origin } = await startTestServer();
    await newHttpClient({ origin }).mutation(chat.send, { channel: "g", body: "by address" });
    const ask = async (path: string, args: string): Promise<unknown> =>
      (await fetch(`${origin}/api/query?${new URLSearchParams({ path, args })}`)).json();
    const wanted = { status: "success", value: ["by address"] };
    expect(await ask("messages:list", '{"channel":"g"}')).toEqual(wanted);
    expect(await ask("messages:list", '[{"channel":"g"}]')).toEqual(wanted);
    expect(await ask("messages:send", "{}")).toMatchObject({ status: "error" });
    expect(await ask("messages:list", "no json")).toMatchObject({ code: "BadJsonBody" });
  });
});

describe("stored bytes", () => {
  test("that nothing refers to are gone after the next start, files stay", async () => {
    const dataDir = temporaryDir();
    const first = await startTestServer({ dataDir });
    await newHttpClient(first).action(chat.roundTrip, { text: "kept" });
    await first.close();
    const folder = path.join(dataDir, "files");
    const kept = readdirSync(folder);
    writeFileSync(path.join(folder, "00000000-0000-4000-8000-000000000000"), "left behind");
    writeFileSync(path.join(folder, "00000000-0000-4000-8000-000000000001.part"), "cut short");
    const second = await startTestServer({ dataDir });
    expect(readdirSync(folder)).toEqual(kept);
    expect(second.logLines).toContain("Removed 2 files that nothing refers to.");
  });

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
    const isOpen = (handle: string): boolean => {
      try {
        return readlinkSync(`/proc/self/fd/${handle}`).startsWith(folder);
      } catch {
        return false;
      }
    };
    await vi.waitFor(() => expect(readdirSync("/proc/self/fd").filter(isOpen)).toEqual([]));
  });
});
