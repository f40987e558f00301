/** One page per function, times of scheduled functions, cancelling: the rules of the real backend. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { PATIENCE } from "../../support/patience";
import { mutate } from "../db/support";
import { chat } from "../fixtures/chatApi";
import { newClient, newHttpClient, startTestServer } from "../server/testServer";

const CHANNEL = { channel: "paged" };
const YEAR_MS = 366 * 24 * 3600 * 1000;

async function serveMessages(...texts: string[]) {
  const server = await startTestServer();
  const http = newHttpClient(server);
  for (const body of texts) await http.mutation(chat.send, { ...CHANNEL, body });
  return { server, http };
}

test("a function may call as many others that read a page as it likes", async () => {
  const { http } = await serveMessages("a", "b", "c");
  expect(await http.mutation(chat.pageByPage, CHANNEL)).toEqual(["a", "b", "c"]);
});

test("a page that another function reads does not grow when its query runs again", async () => {
  const { server, http } = await serveMessages("b", "d");
  const seen: string[][] = [];
  const paginationOpts = { cursor: null, numItems: 2 };
  const client = newClient(server);
  const stop = client.onUpdate(chat.pageOfAnother, { ...CHANNEL, paginationOpts }, ({ page }) => {
    seen.push(page.map(({ body }) => body));
  });
  onTestFinished(() => stop());
  await vi.waitFor(() => expect(seen).toEqual([["b", "d"]]), PATIENCE);
  await http.mutation(chat.send, { ...CHANNEL, body: "a" });
  await vi.waitFor(() => expect(seen).toHaveLength(2), PATIENCE);
  expect(seen[1]).toEqual(["a", "b"]);
});

/** The results shown to a client that watches `pageOfNamed`, after each text sent to `channel`. */
async function watchNamed(...texts: [channel: string, body: string][]) {
  const { server, http } = await serveMessages("a", "c");
  await http.mutation(chat.send, { channel: "which", body: CHANNEL.channel });
  const seen: (string[] | "failed")[] = [];
  const client = newClient(server);
  const show = (page: string[]) => void seen.push(page);
  const stop = client.onUpdate(chat.pageOfNamed, {}, show, () => void seen.push("failed"));
  onTestFinished(() => stop());
  await vi.waitFor(() => expect(seen).toEqual([["a", "c"]]), PATIENCE);
  for (const [at, [channel, body]] of texts.entries()) {
    await http.mutation(chat.send, { channel, body });
    await vi.waitFor(() => expect(seen).toHaveLength(at + 2), PATIENCE);
  }
  return seen.slice(1);
}

test("a page whose query has become another one fails once, and then begins anew", async () => {
  const seen = await watchNamed(["which", "another"], ["which", "another"]);
  expect(seen).toEqual(["failed", []]);
});

test("a page that failed for another reason ends where it ended before", async () => {
  const seen = await watchNamed(["which", "none"], ["which", CHANNEL.channel], ["paged", "b"]);
  expect(seen).toEqual(["failed", ["a", "c"], ["a", "b", "c"]]);
});

test("a page that was refused does not count, a second one is refused", async () => {
  const { http } = await serveMessages("a");
  expect(await http.query(chat.pageAfterAll, { ...CHANNEL, isTwice: false })).toEqual(["a"]);
  const twice = http.query(chat.pageAfterAll, { ...CHANNEL, isTwice: true });
  await expect(twice).rejects.toThrow("Error: This query or mutation function ran multiple");
});

test.each([
  ["as much as 0 items", { numItems: 0 }, "Must request at least 1 document while paginating"],
  ["more than may be read", { numItems: 32_001 }, "Requested too many items: 32001"],
  ["no rows", { numItems: 1, maximumRowsRead: 0 }, "must be greater than 0"],
  ["no bytes", { numItems: 1, maximumBytesRead: 0 }, "must be greater than 0"],
])("a page of %s is refused", async (_, options, message) => {
  const { http } = await serveMessages();
  const paginationOpts = { cursor: null, ...options };
  const page = http.query(chat.pageByBody, { ...CHANNEL, paginationOpts });
  await expect(page).rejects.toThrow(message);
});

test("a function is scheduled for the next five years at most", async () => {
  const http = newHttpClient(await startTestServer());
  await http.mutation(chat.scheduleFar, { delayMs: 5 * YEAR_MS - 1000 });
  const tooFar = http.mutation(chat.scheduleFar, { delayMs: 5 * YEAR_MS + 1000 });
  await expect(tooFar).rejects.toThrow("is more than 5 years in the future");
});

test("a mutation schedules 1,000 functions with 16 MiB of arguments at most", async () => {
  const http = newHttpClient(await startTestServer());
  await expect(http.mutation(chat.scheduleLong, { count: 1_001, chars: 1 })).rejects.toThrow(
    "Too many functions scheduled by this mutation (limit: 1000)",
  );
  await expect(http.mutation(chat.scheduleLong, { count: 17, chars: 1_000_000 })).rejects.toThrow(
    "Too large total size of the arguments of scheduled functions from this mutation (limit: 16777216 bytes)",
  );
  expect(await http.query(chat.jobs, {})).toEqual([]);
});

test("a scheduled function that is long done is cancelled without effect", async () => {
  const { server, http } = await serveMessages();
  const id = await http.mutation(chat.scheduleFar, { delayMs: YEAR_MS });
  await mutate(server.backend.db as EmbeddedDatabase, (txn) => txn.remove(id));
  expect(await http.mutation(chat.cancel, { id })).toBeNull();
  await expect(http.mutation(chat.cancel, { id: "none" })).rejects.toThrow();
});
