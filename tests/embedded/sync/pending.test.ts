/** Messages of a connection that wait, or whose functions run: what they take, and what becomes of them at its end. */
import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import type { Runtime } from "../../../embedded/runtime/runtime";
import { SyncWorker } from "../../../embedded/sync/worker";
import { usedHeapBytes } from "../../support/heap";
import { newWorker, SEND, SIGN_IN, turn } from "./newWorker";

/** Mutations of a worker run until `commit`, and are answered at `answer`. */
function stopMutations(runtime: Runtime) {
  const waiting: { commit: () => void; answer: () => void }[] = [];
  const started = vi.spyOn(runtime, "startClientMutation").mockImplementation(() => {
    const result = { json: "null", logLines: [], ts: 0n, storedTs: null };
    let [commit, answer] = [() => {}, () => {}];
    const committed = new Promise<void>((resolve) => (commit = resolve));
    const outcome = new Promise<typeof result>((resolve) => (answer = () => resolve(result)));
    waiting.push({ commit, answer });
    return { committed, outcome };
  });
  return { started, waiting };
}

test("mutations that have not begun are dropped with the connection", async () => {
  const { runtime, worker, frame, connect } = await newWorker();
  const { started, waiting } = stopMutations(runtime);
  connect({});
  frame(SEND);
  frame({ ...SEND, requestId: 1 });
  await turn();
  worker.closed();
  waiting[0]?.commit();
  await turn();
  expect(started).toHaveBeenCalledTimes(1);
});

test("messages count as kept while they wait, and until their functions have answered", async () => {
  const { runtime, worker, frame, connect, signIn } = await newWorker();
  const { waiting } = stopMutations(runtime);
  let endAction: () => void = () => undefined;
  vi.spyOn(runtime, "executeClientAction").mockReturnValue(
    new Promise((resolve) => (endAction = () => resolve({ json: "null", logLines: [] }))),
  );
  const large = { ...SEND, args: [{ name: "x".repeat(10_000) }] };
  const kept = () => Math.floor(worker.keptBytes / 10_000);
  connect({});
  frame(SIGN_IN);
  frame(large);
  frame({ ...large, requestId: 1 });
  frame({ ...large, requestId: 2, type: "Action" });
  expect(kept()).toBe(3);
  signIn();
  await turn();
  expect(kept()).toBe(3);
  waiting[0]?.commit();
  await turn();
  expect(kept()).toBe(3);
  for (const { answer } of waiting) answer();
  await turn();
  expect(kept()).toBe(1);
  endAction();
  await turn();
  expect(worker.keptBytes).toBe(0);
});

test("mutations that wait take about as much memory as their messages", async () => {
  const { runtime, frame, connect } = await newWorker();
  stopMutations(runtime);
  // Each of these three characters is an object once it is parsed.
  const args = [{ name: Array.from({ length: 100_000 }, () => ({})) }];
  connect({});
  frame(SEND);
  await turn();
  const before = usedHeapBytes();
  for (let requestId = 1; requestId <= 10; requestId++) frame({ ...SEND, requestId, args });
  await turn();
  expect((usedHeapBytes() - before) / 10).toBeLessThan(1_000_000);
});

test("and so does a connection's first one while those of others wait", async () => {
  const { runtime, frame, connect } = await newWorker();
  stopMutations(runtime);
  vi.spyOn(runtime, "isBusy", "get").mockReturnValue(true);
  const args = [{ name: Array.from({ length: 300_000 }, () => ({})) }];
  connect({});
  const message = { ...SEND, args };
  const before = usedHeapBytes();
  frame(message);
  await turn();
  expect(usedHeapBytes() - before).toBeLessThan(5_000_000);
});

test("open queries take about as much memory as they are counted with", async () => {
  const { runtime, hub } = await newWorker();
  const nobody = {
    userFromToken: () => Promise.resolve(NO_IDENTITY),
    adminFromKey: () => NO_IDENTITY,
  };
  const opened: SyncWorker[] = [];
  /** Four queries that read an index by long texts. */
  const open = async (place: number): Promise<void> => {
    const isAnswered = new Promise<void>((resolve) => {
      const answered = () => resolve();
      const transport = {
        frameMaxBytes: 100_000,
        sendSoon: answered,
        send: answered,
        close: answered,
      };
      opened.push(new SyncWorker(runtime, hub, nobody, transport, { ip: null, userAgent: null }));
    });
    const modifications = Array.from({ length: 4 }, (_, queryId) => ({
      type: "Add",
      queryId,
      udfPath: "messages:list",
      args: [{ channel: `${place}-${queryId}`.padEnd(16_000, "x") }],
    }));
    const worker = opened.at(-1)!;
    worker.frame(JSON.stringify({ type: "Connect", sessionId: randomUUID(), connectionCount: 0 }));
    const versions = { baseVersion: 0, newVersion: 1 };
    worker.frame(JSON.stringify({ type: "ModifyQuerySet", ...versions, modifications }));
    await isAnswered;
  };
  await open(0);
  const takenToCounted: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = usedHeapBytes();
    for (let place = 1; place <= 20; place += 1) await open(opened.length);
    const taken = usedHeapBytes() - before;
    takenToCounted.push(taken / opened.slice(-20).reduce((sum, one) => sum + one.keptBytes, 0));
  }
  // What earlier test files held may be given back in any round, so the middle one tells.
  const median = takenToCounted.sort((one, other) => one - other)[2];
  expect(median).toBeGreaterThan(1 / 3);
  expect(median).toBeLessThan(1.3);
});
