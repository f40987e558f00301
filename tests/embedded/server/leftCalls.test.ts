/** Calls over HTTP whose client has left while they waited. */
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { startTestServer } from "./testServer";

test("a mutation that nobody waits for any more does not begin", async () => {
  const { origin, backend } = await startTestServer();
  const { runtime } = backend;
  let begin = (): void => undefined;
  const held = new Promise<void>((resolve) => (begin = resolve));
  const room = vi.spyOn(runtime.db, "room").mockReturnValue(held);
  const start = vi.spyOn(runtime, "startClientMutation");
  const abort = new AbortController();
  const increment = (signal?: AbortSignal) =>
    fetch(`${origin}/api/mutation`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path: "messages:increment", args: { name: "visits" } }),
      ...(signal !== undefined && { signal }),
    });
  const left = increment(abort.signal);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce(), PATIENCE);
  const stays = increment();
  await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2), PATIENCE);
  const [called] = start.mock.calls[0] ?? [];
  abort.abort();
  await expect(left).rejects.toThrow();
  const txn = runtime.db.beginQuery();
  await vi.waitFor(() => expect(called?.around?.mayRun(txn)).toBe(false), PATIENCE);
  txn.close();
  room.mockRestore();
  begin();
  await Promise.all(
    start.mock.results.map(({ value }) => (value as { outcome: Promise<unknown> }).outcome),
  );
  expect((await stays).status).toBe(200);
  const counted = await fetch(
    `${origin}/api/query?path=messages:counter&args=${encodeURIComponent('{"name":"visits"}')}`,
  );
  expect(await counted.json()).toMatchObject({ value: "1" });
});
