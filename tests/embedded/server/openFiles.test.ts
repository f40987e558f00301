/** More connections than the limit on open files allows: commits go on, and so does the server. */
import fs from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { ConvexClient } from "convex/browser";
import { expect, onTestFinished, test, vi } from "vitest";
import { Journal } from "../../../embedded/storage/journal";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { startSupervised } from "./supervised";
import { temporaryDir } from "../../support/temporaryDir";

const OPEN_FILES_MAX = 200;
/** More than the log's first file holds, so that it needs another one. */
const BODIES = Array.from({ length: 12 }, (_, n) => String(n).repeat(200_000));

test.skipIf(process.platform !== "linux")(
  "connections beyond the limit are refused, and what is connected goes on writing",
  async () => {
    const server = await startSupervised(temporaryDir(), process.env, OPEN_FILES_MAX);
    const client = new ConvexClient(server.origin, { logger: false });
    onTestFinished(() => client.close());
    await client.query(chat.counter, { name: "any" });

    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const port = Number(new URL(server.origin).port);
    for (let n = 0; n < 2 * OPEN_FILES_MAX; n++) {
      sockets.push(connect(port, "127.0.0.1").on("error", () => undefined));
    }
    await vi.waitFor(() => expect(sockets.some(({ closed }) => closed)).toBe(true), PATIENCE);
    for (const body of BODIES) await client.mutation(chat.send, { channel: "general", body });
    expect(server.said()).toContain("Connections are refused");
    expect(server.said()).not.toContain("EMFILE");

    for (const socket of sockets) socket.destroy();
    await server.isUp();
  },
  PATIENCE.timeout * 2,
);

test("a log that gets no descriptor for its next file leaves the outcome to the next process", () => {
  const folder = path.join(temporaryDir(), "journal");
  const sizes = { firstSegmentBytes: 4096, segmentBytes: 4096, keptBytes: 4096 };
  const journal = Journal.open(folder, 0, () => undefined, sizes);
  onTestFinished(() => journal.close());
  const openSync = vi.spyOn(fs, "openSync").mockImplementation(() => {
    throw Object.assign(new Error("EMFILE: too many open files, open"), { code: "EMFILE" });
  });
  onTestFinished(() => openSync.mockRestore());
  expect(() => journal.append([Buffer.alloc(5000)], 1)).toThrow("EMFILE");
  expect(journal.isUncertain).toBe(true);
});
