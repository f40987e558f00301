/** What one connection does with its messages: those behind a sign-in, and what Connect says. */
import { expect, test, vi } from "vitest";
import type { Transaction } from "../../../embedded/db/types";
import { NO_IDENTITY, type Identity } from "../../../embedded/runtime/identity";
import { PATIENCE } from "../../support/patience";
import { newWorker, SEND, SIGN_IN, turn } from "./newWorker";
import { oneInATurn } from "./oneInATurn";

const SIGN_OUT = { type: "Authenticate", tokenType: "None", baseVersion: 0 };
const ADMIN: Identity = { kind: "admin", attributes: null };
const EVENT = { type: "Event", eventType: "x", event: 1 };
const WATCH = { type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [] };
const ADD = { type: "Add", queryId: 0, udfPath: "messages:list", args: [{ channel: "a" }] };

function raise(): never {
  throw new Error("broken");
}

test("behind a sign-in wait 4,096 messages, and no more", async () => {
  const { frame, connect, close } = await newWorker();
  connect({});
  frame(SIGN_IN);
  for (let count = 0; count < 4_096; count++) frame(EVENT);
  expect(close).not.toHaveBeenCalled();
  frame(EVENT);
  expect(close.mock.calls).toEqual([[1013, "TooManyMessages"]]);
});

test("what waits behind a sign-in is dropped with the connection", async () => {
  const { runtime, worker, frame, connect, signIn } = await newWorker();
  const started = vi.spyOn(runtime, "startClientMutation");
  connect({});
  frame(SIGN_IN);
  frame(SEND);
  worker.closed();
  signIn();
  await turn();
  expect(started).not.toHaveBeenCalled();
});

test("a closed connection takes no more messages, and nothing is computed for it", async () => {
  const { runtime, hub, worker, frame, connect, sent } = await newWorker();
  const started = vi.spyOn(runtime, "startClientMutation");
  const fetched = vi.spyOn(hub, "fetch");
  connect({});
  frame({ ...WATCH, modifications: [ADD] });
  worker.closed();
  frame(SEND);
  await turn();
  expect(started).not.toHaveBeenCalled();
  expect(fetched).not.toHaveBeenCalled();
  expect(sent).toEqual([]);
});

test.each([
  ["throws", () => raise()],
  ["rejects", () => Promise.reject(new Error("broken"))],
])("a Transition that fails, because its query %s, ends the connection", async (_, fetch) => {
  const { hub, frame, connect, close, logLines } = await newWorker();
  vi.spyOn(hub, "fetch").mockImplementation(fetch);
  connect({});
  frame({ ...WATCH, modifications: [ADD] });
  await turn();
  expect(close.mock.calls).toEqual([[1011, "InternalServerError"]]);
  expect(logLines).toEqual([expect.stringMatching(/^Connection failed: .*broken/)]);
});

test("a mutation that waits for the one before it runs as who sent it, whoever signs in meanwhile", async () => {
  const { runtime, frame, connect, signIn } = await newWorker();
  let commit: () => void = () => undefined;
  const committed = new Promise<void>((resolve) => (commit = resolve));
  const started = vi.spyOn(runtime, "startClientMutation");
  started.mockReturnValue({ outcome: new Promise(() => undefined), committed });
  connect({});
  frame(SIGN_IN);
  signIn(ADMIN);
  await turn();
  frame(SEND);
  frame({ ...SEND, requestId: 1 });
  frame({ ...SIGN_OUT, baseVersion: 1 });
  frame({ ...SEND, requestId: 2 });
  await turn();
  commit();
  await turn();
  const callers = started.mock.calls.map(([{ identity, mayCallInternal }]) => [
    identity,
    mayCallInternal,
  ]);
  expect(callers).toEqual([
    [ADMIN, true],
    [ADMIN, true],
    [NO_IDENTITY, false],
  ]);
});

test("whoever signs in as nobody may keep no more queries than any stranger", async () => {
  const { frame, connect, sent } = await newWorker();
  connect({});
  frame(SIGN_OUT);
  await turn();
  const args = [{ channel: "x".repeat(70_000) }];
  frame({ ...WATCH, modifications: [{ ...ADD, args }] });
  expect(sent.at(-1)).toMatchObject({ type: "FatalError" });
});

test("a client that has seen the newest data is served, and told how its clock differs", async () => {
  const { runtime, frame, connect, sent, close } = await newWorker();
  const seen = Buffer.alloc(8);
  seen.writeBigUInt64LE(runtime.db.latestTs);
  connect({
    clientTs: Date.now() + 3_600_000,
    maxObservedTimestamp: seen.toString("base64"),
  });
  frame(WATCH);
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE);
  expect(sent[0]?.clientClockSkew).toBeCloseTo(3_600_000, -5);
  expect(close).not.toHaveBeenCalled();
});

test("a client that does not say how late it is there is told nothing of its clock", async () => {
  const { frame, connect, sent } = await newWorker();
  connect({});
  frame(WATCH);
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE);
  expect(sent[0]).not.toHaveProperty("clientClockSkew");
});

test.each([
  ["mutations", 1_000, SEND, "TooManyConcurrentMutations"],
  ["actions", 256, { ...SEND, type: "Action" }, "TooManyConcurrentActions"],
])(
  "of a connection's %s, %d may be under way, however many were",
  async (_, most, message, reason) => {
    const { runtime, frame, connect, close } = await newWorker();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const result = { json: "null", ts: 1n, logLines: [] };
    const outcome = ended.then(() => result);
    vi.spyOn(runtime, "executeClientAction").mockReturnValue(outcome);
    vi.spyOn(runtime, "startClientMutation").mockReturnValue({ outcome, committed: ended });
    connect({});
    for (let count = 0; count < most; count++) frame(message);
    await turn();
    end();
    await turn();
    vi.spyOn(runtime, "executeClientAction").mockReturnValue(new Promise(() => undefined));
    const never = new Promise<never>(() => undefined);
    vi.spyOn(runtime, "startClientMutation").mockReturnValue({ outcome: never, committed: never });
    for (let count = 0; count < most; count++) frame(message);
    expect(close).not.toHaveBeenCalled();
    frame(message);
    expect(close.mock.calls).toEqual([[1013, reason]]);
  },
);

test("of a Transition computed in several turns, neither its snapshot nor its results are kept", async () => {
  const { runtime, worker, frame, connect, sent } = await newWorker();
  const begin = vi.spyOn(runtime.db, "beginQuery");
  oneInATurn();
  connect({});
  const modifications = Array.from({ length: 2 }, (_, queryId) => ({
    type: "Add",
    queryId,
    udfPath: "messages:list",
    args: [{ channel: `${queryId}` }],
  }));
  frame({ ...WATCH, modifications });
  const { keptBytes } = worker;
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE);
  expect(worker.keptBytes).toBe(keptBytes);
  const begun = begin.mock.results.map(({ value }) => value as Transaction);
  expect(begun).not.toEqual([]);
  for (const one of begun) expect(() => one.get("x")).toThrow("The transaction has ended");
});

test("the turns of a long Transition are those of its person, before whom others go", async () => {
  const { hub, frame, connect, signIn } = await newWorker();
  const inTurn = vi.spyOn(hub, "inTurn");
  oneInATurn();
  connect({});
  frame(SIGN_IN);
  signIn({ kind: "admin", attributes: { tokenIdentifier: "ada" } });
  await turn();
  const modifications = Array.from({ length: 2 }, (_, queryId) => ({
    ...ADD,
    queryId,
    args: [{ channel: `${queryId}` }],
  }));
  frame({ ...WATCH, modifications });
  await vi.waitFor(() => expect(inTurn).toHaveBeenCalled(), PATIENCE);
  expect(inTurn.mock.calls.map(([person]) => person)).toEqual(["ada"]);
});

test("a result that is computed again and is the same is not sent again", async () => {
  const { frame, connect, sent } = await newWorker();
  connect({});
  frame({ ...WATCH, modifications: [ADD] });
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE);
  frame(SIGN_OUT);
  await vi.waitFor(() => expect(sent).toHaveLength(2), PATIENCE);
  expect(sent.map(({ modifications }) => (modifications as object[]).length)).toEqual([1, 0]);
});
