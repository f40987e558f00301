/** Functions that wait for ever are ended: their callers get an error, and their resources are released. */
import {
  httpActionGeneric,
  httpRouter,
  internalActionGeneric,
  internalMutationGeneric,
  makeFunctionReference,
  queryGeneric,
  type GenericActionCtx,
  type GenericDataModel,
  type GenericMutationCtx,
} from "convex/server";
import { expect, test, vi } from "vitest";
import type { Ticker } from "../../../embedded/runtime/timeLimits";
import { embeddedTest } from "../../../embedded/testing";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { CHAT_DIR } from "../server/testServer";

const SECOND_MS = 1000;
const TRANSACTION_MS = 30 * SECOND_MS;
const ACTION_MS = 30 * 60 * SECOND_MS;
const NODE_ACTION_MS = 10 * 60 * SECOND_MS;
/** Number of scheduled functions that can run at the same time. */
const JOB_SLOTS = 10;

const late = (limitMs: number) =>
  `Function execution timed out (maximum duration: ${limitMs / SECOND_MS}s)`;

/** Runs the test's code as a function. */
type Inline = (body: (ctx: never) => Promise<unknown>) => Promise<unknown>;
type ActionCtx = GenericActionCtx<GenericDataModel>;
type MutationCtx = GenericMutationCtx<GenericDataModel>;

/** A clock that advances only on request. */
class Clock {
  private nowMs = 0;
  private readonly tickers = new Set<{ dueMs: number; intervalMs: number; beat: () => void }>();

  readonly ticker: Ticker = (intervalMs, beat) => {
    const ticker = { dueMs: this.nowMs + intervalMs, intervalMs, beat };
    this.tickers.add(ticker);
    return () => void this.tickers.delete(ticker);
  };

  get isIdle(): boolean {
    return this.tickers.size === 0;
  }

  pass(durationMs: number): void {
    this.nowMs += durationMs;
    for (const ticker of this.tickers) {
      for (; ticker.dueMs <= this.nowMs && this.tickers.has(ticker);) {
        ticker.dueMs += ticker.intervalMs;
        ticker.beat();
      }
    }
  }

  /** Advances by the limit and one more beat, so that the limit must be noticed. */
  passLimit(limitMs: number): void {
    this.pass(limitMs * 1.2);
  }
}

const forever = () => new Promise<never>(() => undefined);

/** A promise to wait for that is not the database's. */
function newGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

const insert = makeFunctionReference<"mutation">("jobs:insert");
const hangInMutation = makeFunctionReference<"mutation">("jobs:hangInMutation");
const waitForever = makeFunctionReference<"action">("jobs:waitForever");
const waitThenRead = makeFunctionReference<"query">("jobs:waitThenRead");
const jobStates = makeFunctionReference<"query">("jobs:states");
const RETURNED = /has already returned/;

function start() {
  const clock = new Clock();
  const gate = newGate();
  const heard = vi.fn<(error: Error) => void>();
  const http = httpRouter();
  const route = (path: string, handler: () => Promise<Response>) =>
    http.route({ path, method: "GET", handler: httpActionGeneric(handler) });
  route("/silent", forever);
  route("/endless", async () => new Response(new ReadableStream()));
  const modules = {
    "./_generated/api.js": async () => ({}),
    "./http.ts": async () => ({ default: http }),
    "./jobs.ts": async () => ({
      waitForever: internalActionGeneric(forever),
      hangInMutation: internalMutationGeneric(forever),
      insert: internalMutationGeneric((ctx: MutationCtx) => ctx.db.insert("notes", {})),
      waitThenRead: queryGeneric(async (ctx) => {
        await gate.opened;
        await ctx.db.query("notes").collect().catch(heard);
      }),
      states: queryGeneric(async (ctx) => {
        const jobs = await ctx.db.system.query("_scheduled_functions").collect();
        return jobs.map(({ state }) => state);
      }),
    }),
  };
  const t = embeddedTest(undefined, modules, { ticker: clock.ticker });
  // The types accept only references.
  const run = t as unknown as Record<"query" | "mutation" | "action", Inline>;
  const count = () => t.run(async (ctx) => (await ctx.db.query("notes" as never).collect()).length);
  const states = () => t.query(jobStates, {}) as Promise<{ kind: string; error?: string }[]>;
  return { t, run, gate, heard, clock, count, states };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test.each(["query", "mutation"] as const)(
  "a %s that waits for ever is ended, but not one that waits for less",
  async (kind) => {
    const { run, gate, clock } = start();
    const patient = run[kind](() => gate.opened.then(() => "done"));
    await settled();
    clock.pass(TRANSACTION_MS);
    gate.open();
    expect(await patient).toBe("done");
    const endless = run[kind](forever);
    await settled();
    clock.passLimit(TRANSACTION_MS);
    await expect(endless).rejects.toThrow(late(TRANSACTION_MS));
    expect(clock.isIdle).toBe(true);
  },
);

test("what a mutation does after its time is refused, and nothing of it stays", async () => {
  const { run, gate, heard, clock, count } = start();
  const slow = run.mutation(async (ctx: MutationCtx) => {
    await ctx.db.insert("notes", {});
    await gate.opened;
    await ctx.db.insert("notes", {}).catch(heard);
  });
  await settled();
  clock.passLimit(TRANSACTION_MS);
  await expect(slow).rejects.toThrow(late(TRANSACTION_MS));
  gate.open();
  await vi.waitFor(() => expect(heard.mock.lastCall?.[0].message).toMatch(RETURNED), PATIENCE);
  expect(await count()).toBe(0);
});

test("a nested query on a state of its own ends with the mutation that asked", async () => {
  const { run, gate, heard, clock } = start();
  const parent = run.mutation((ctx: MutationCtx) =>
    ctx.runQuery(waitThenRead, {}, { useStaleSnapshot: true }),
  );
  await settled();
  clock.passLimit(TRANSACTION_MS);
  await expect(parent).rejects.toThrow(late(TRANSACTION_MS));
  gate.open();
  await vi.waitFor(() => expect(heard.mock.lastCall?.[0].message).toMatch(RETURNED), PATIENCE);
});

test("an action has half an hour, and asks for nothing afterwards", async () => {
  const { run, gate, heard, clock, count } = start();
  const slow = run.action(async (ctx: ActionCtx) => {
    await ctx.runMutation(insert, {});
    await gate.opened;
    await ctx.runMutation(insert, {}).catch(heard);
  });
  await vi.waitFor(async () => expect(await count()).toBe(1), PATIENCE);
  let isOver = false;
  slow.catch(() => (isOver = true));
  clock.pass(ACTION_MS);
  await settled();
  expect(isOver).toBe(false);
  clock.pass(ACTION_MS * 0.2);
  await expect(slow).rejects.toThrow(late(ACTION_MS));
  gate.open();
  await vi.waitFor(() => expect(heard.mock.lastCall?.[0].message).toContain("is over"), PATIENCE);
  expect(await count()).toBe(1);
});

test("an action of the Node runtime has ten minutes", async () => {
  const clock = new Clock();
  const t = embeddedTest(undefined, CHAT_DIR, { ticker: clock.ticker });
  expect(await t.action(chat.sha256, { text: "x" })).toHaveLength(64);
  const endless = t.action(chat.waitForever, {});
  await settled();
  clock.passLimit(NODE_ACTION_MS);
  await expect(endless).rejects.toThrow(late(NODE_ACTION_MS));
});

test("jobs that wait for ever give their places to others", async () => {
  const { t, clock, count, states } = start();
  await t.run(async (ctx) => {
    for (let job = 0; job < JOB_SLOTS; job++) await ctx.scheduler.runAfter(0, waitForever);
  });
  const kinds = async () => (await states()).map(({ kind }) => kind);
  await vi.waitFor(
    async () => expect(await kinds()).toEqual(Array<string>(JOB_SLOTS).fill("inProgress")),
    PATIENCE,
  );
  await t.run((ctx) => ctx.scheduler.runAfter(0, insert));
  await settled();
  expect(await count()).toBe(0);
  clock.passLimit(ACTION_MS);
  await vi.waitFor(async () => expect(await count()).toBe(1), PATIENCE);
  const failed = (await states()).filter(({ kind }) => kind === "failed");
  expect(failed).toHaveLength(JOB_SLOTS);
  expect(failed[0]!.error).toContain(late(ACTION_MS));
});

test("a scheduled mutation that waits for ever has failed, and is not tried again", async () => {
  const { t, clock, states } = start();
  await t.run((ctx) => ctx.scheduler.runAfter(0, hangInMutation));
  await vi.waitFor(() => {
    clock.passLimit(TRANSACTION_MS);
    return states().then(([job]) => expect(job?.kind).toBe("failed"));
  }, PATIENCE);
});

test("an HTTP action that waits for ever, or whose answer does, is ended", async () => {
  const { t, clock } = start();
  const silent = t.fetch("/silent");
  const answer = await t.fetch("/endless");
  const text = answer.text();
  clock.passLimit(ACTION_MS);
  expect((await silent).status).toBe(500);
  expect(await (await silent).json()).toMatchObject({
    code: expect.stringContaining(`Server Error: ${late(ACTION_MS)}`) as string,
    trace: expect.stringMatching(/^Function execution timed out/) as string,
  });
  await expect(text).rejects.toThrow(late(ACTION_MS));
  expect(clock.isIdle).toBe(true);
});
