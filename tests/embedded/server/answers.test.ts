/** Bodies of HTTP actions' answers that end otherwise than they should. */
import { expect, test } from "vitest";
import { startTestServer } from "./testServer";

const MAX_BYTES = 20 * 1024 * 1024;
const CUT_OFF = /terminated|fetch failed/;

test("an answer has the official length at most: a longer one is cut off, and logged", async () => {
  const { origin, logLines } = await startTestServer();
  const read = async (bytes: number) => {
    const answer = await fetch(`${origin}/zeros?bytes=${bytes}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  expect(await read(MAX_BYTES)).toBe(MAX_BYTES);
  expect(logLines).toEqual([]);
  await expect(read(MAX_BYTES + 1)).rejects.toThrow(CUT_OFF);
  expect(logLines).toEqual([expect.stringMatching(/GET \/zeros.*HttpResponseTooLarge.*20 MiB/)]);
});

test("an answer whose body fails is cut off, and its error is logged", async () => {
  const { origin, logLines } = await startTestServer();
  const read = async () => (await fetch(`${origin}/torn`)).text();
  await expect(read()).rejects.toThrow(CUT_OFF);
  expect(logLines).toEqual([expect.stringMatching(/GET \/torn.*torn in the middle/)]);
});

test("an answer whose client leaves is no failure, also while its body is awaited", async () => {
  const server = await startTestServer();
  const leaving = new AbortController();
  const answer = await fetch(`${server.origin}/stalled`, { signal: leaving.signal });
  const reader = answer.body?.getReader();
  await reader?.read();
  leaving.abort();
  await server.close();
  expect(server.logLines).toEqual([]);
});
