/** Nested mutations are atomic, whatever their functions leave running. */
import {
  defineSchema,
  defineTable,
  internalMutationGeneric,
  internalQueryGeneric,
  makeFunctionReference,
} from "convex/server";
import { v } from "convex/values";
import { describe, expect, test, vi } from "vitest";
import { Tx } from "../../../embedded/db/transaction";
import { embeddedTest } from "../../../embedded/testing";

const schema = defineSchema({ rows: defineTable({ n: v.number() }) });
const ref = (name: string) =>
  makeFunctionReference<"mutation", Record<string, never>, null>(`rows:${name}`);

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

/** Inserts numbers, waiting some turns before each. */
const inserting = (...numbers: number[]) =>
  internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      for (const n of numbers) {
        await ctx.db.insert("rows", { n });
        await turns(50);
      }
      return null;
    },
  });

const MODULES = {
  pair: inserting(1, 2),
  late: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.db.insert("rows", { n: 1 });
      await turns(60);
      throw new Error("refused");
    },
  }),
  /** One of two helpers fails, the other one continues. */
  half: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      const goesOn = async () => {
        await turns(20);
        await ctx.db.insert("rows", { n: 1 });
      };
      await Promise.all([Promise.reject(new Error("refused")), goesOn()]);
      return null;
    },
  }),
  afterHalf: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.runMutation(ref("half"), {}).catch(() => undefined);
      await turns(100);
      await ctx.db.insert("rows", { n: 3 });
      return null;
    },
  }),
  /** Does not await its calls. */
  hasty: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      ctx.runMutation(ref("pair"), {}).catch(() => undefined);
      await turns(5);
      return null;
    },
  }),
  /** Leaves a call running that fails later. */
  careless: internalMutationGeneric({
    args: {},
    handler: (ctx) => {
      ctx.runMutation(ref("late"), {}).catch(() => undefined);
      return Promise.resolve(null);
    },
  }),
  afterCareless: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.runMutation(ref("careless"), {});
      await ctx.db.insert("rows", { n: 3 });
      await turns(150);
      return null;
    },
  }),
  /** Fails while its nested call is still running; its caller catches the error. */
  givingUp: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      ctx.runMutation(ref("pair"), {}).catch(() => undefined);
      await turns(20);
      throw new Error("refused");
    },
  }),
  afterGivingUp: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.runMutation(ref("givingUp"), {}).catch(() => undefined);
      await ctx.db.insert("rows", { n: 3 });
      await turns(150);
      await ctx.db.insert("rows", { n: 4 });
      return null;
    },
  }),
  /** Schedules something, then fails. */
  planning: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.scheduler.runAfter(60_000, ref("pair"), {});
      throw new Error("refused");
    },
  }),
  afterPlanning: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.runMutation(ref("planning"), {}).catch(() => undefined);
      const { functionsScheduled, scheduledFunctionArgsBytes } =
        await ctx.meta.getTransactionMetrics();
      await ctx.db.insert("rows", { n: functionsScheduled.used });
      await ctx.db.insert("rows", { n: scheduledFunctionArgsBytes.used });
      return null;
    },
  }),
  count: internalQueryGeneric({
    args: {},
    handler: async (ctx) => (await ctx.db.query("rows").take(10)).length,
  }),
  /** Asks what there was when it began. */
  lookingBack: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.db.insert("rows", { n: 1 });
      const count = makeFunctionReference<"query", Record<string, never>, number>("rows:count");
      for (let times = 0; times < 2; times += 1) {
        const n = await ctx.runQuery(count, {}, { useStaleSnapshot: true });
        await ctx.db.insert("rows", { n });
      }
      return null;
    },
  }),
};

describe.each(["native", "sdk"] as const)("in the %s context", (context) => {
  async function rowsAfter(name: keyof typeof MODULES): Promise<number[]> {
    const modules = {
      "/convex/_generated/api.js": () => Promise.resolve({}),
      "/convex/rows.ts": () => Promise.resolve(MODULES),
    };
    const t = embeddedTest(schema, modules, { context });
    await t.mutation(ref(name), {});
    return await t.run(async (ctx) => (await ctx.db.query("rows").take(10)).map(({ n }) => n));
  }

  test.each([
    [
      "nothing is kept of one that failed, also what its helpers write afterwards",
      "afterHalf",
      [3],
    ],
    ["one that nobody waits for is done whole", "hasty", [1, 2]],
    ["one that fails late undoes nothing of its caller's caller", "afterCareless", [3]],
    ["one whose caller failed is undone, and goes on no more", "afterGivingUp", [3, 4]],
    ["what a failed one has scheduled counts for nothing", "afterPlanning", [0, 0]],
  ] as const)("%s", async (_what, name, rows) => {
    expect(await rowsAfter(name)).toEqual(rows);
  });

  test("what a nested query saw of the past is kept no longer than it runs", async () => {
    const opened = vi.spyOn(Tx.prototype, "snapshotAtBegin");
    const closed = vi.spyOn(Tx.prototype, "close");
    expect(await rowsAfter("lookingBack")).toEqual([1, 0, 0]);
    const ends = opened.mock.results.map(({ value }) => closed.mock.contexts.indexOf(value as Tx));
    expect(ends).toHaveLength(2);
    const [first = -1, second = -1] = ends.map((at) => closed.mock.invocationCallOrder[at] ?? -1);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(opened.mock.invocationCallOrder[1] ?? 0);
    expect(second).toBeGreaterThan(first);
    vi.restoreAllMocks();
  });
});
