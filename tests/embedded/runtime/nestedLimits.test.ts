/** What a nested call may use of its transaction's limits, and what counts once it was undone, on both contexts. */
import {
  defineSchema,
  defineTable,
  internalMutationGeneric,
  makeFunctionReference,
  type GenericDataModel,
  type GenericMutationCtx,
} from "convex/server";
import { v } from "convex/values";
import { describe, expect, test } from "vitest";
import { embeddedTest } from "../../../embedded/testing";

type Ctx = GenericMutationCtx<GenericDataModel>;
type Options = Parameters<Ctx["runMutation"]>[2];

const schema = defineSchema({ rows: defineTable({ n: v.number() }) });
const ref = (name: string) =>
  makeFunctionReference<"mutation", { count: number }, null>(`rows:${name}`);

/** Repeats a step so many times. */
const repeating = (step: (ctx: Ctx) => Promise<unknown>) =>
  internalMutationGeneric({
    args: { count: v.number() },
    handler: async (ctx, { count }) => {
      for (let n = 0; n < count; n++) await step(ctx as Ctx);
      return null;
    },
  });

const insert = (ctx: Ctx) => ctx.db.insert("rows", { n: 1 });

const MODULE = {
  insert: repeating(insert),
  read: repeating((ctx) => ctx.db.query("rows").first()),
  schedule: repeating((ctx) => ctx.scheduler.runAfter(1e9, ref("insert"), { count: 1 })),
  fail: repeating(async (ctx) => {
    await insert(ctx);
    throw new Error("undone");
  }),
  scheduleLong: internalMutationGeneric({
    args: { count: v.number() },
    handler: async (ctx, { count }) => {
      const long = { count: 1, text: "x".repeat(1_000) };
      await ctx.scheduler.runAfter(1e9, ref("insertAny"), long).catch(() => null);
      for (let n = 0; n < count; n++) await ctx.scheduler.runAfter(1e9, ref("insert"), { count });
      return null;
    },
  }),
  insertAny: internalMutationGeneric(async () => null),
  insertWithin: internalMutationGeneric({
    args: { count: v.number() },
    handler: async (ctx, { count }) => {
      await (ctx as Ctx).runMutation(ref("insert"), { count }, limits(5));
      return null;
    },
  }),
};

const limits = (documentsWritten: number): Options => ({ transactionLimits: { documentsWritten } });

describe.each(["sdk", "native"] as const)("with the %s context", (context) => {
  const run = <T>(body: (ctx: Ctx) => Promise<T>): Promise<T> =>
    embeddedTest(
      schema,
      { "./_generated/api.ts": async () => ({}), "./rows.ts": async () => MODULE },
      { context },
    ).run((ctx) => body(ctx as unknown as Ctx));
  const metrics = (ctx: Ctx) => ctx.meta.getTransactionMetrics();

  test.each([
    [
      "insert",
      { documentsWritten: 2 },
      "Too many writes in a single function execution (limit: 3)",
    ],
    ["insert", { bytesWritten: 200 }, /Too many bytes written in a single .* \(limit: \d+ bytes\)/],
    ["read", { databaseQueries: 2 }, "Too many reads in a single function execution (limit: 3)"],
    ["read", { documentsRead: 2 }, /^Uncaught Error: Too many documents read .* \(limit: 3\)/],
    ["read", { bytesRead: 200 }, /Too many bytes read in a single function execution/],
    [
      "schedule",
      { functionsScheduled: 2 },
      "Too many functions scheduled by this mutation (limit: 2)",
    ],
  ] as const)("%s within %j of what is used already", async (name, transactionLimits, refusal) => {
    await run(async (ctx) => {
      await insert(ctx);
      await ctx.db.query("rows").first();
      await ctx.runMutation(ref(name), { count: 2 }, { transactionLimits });
    });
    const beyond = run(async (ctx) => {
      await insert(ctx);
      await ctx.db.query("rows").first();
      await ctx.runMutation(ref(name), { count: 3 }, { transactionLimits });
    });
    await expect(beyond).rejects.toThrow(refusal);
  });

  test("a call raises no limit, and leaves its caller's as they were", async () => {
    await run(async (ctx) => {
      const beyond = ctx.runMutation(ref("insertWithin"), { count: 3 }, limits(2));
      await expect(beyond).rejects.toThrow("(limit: 2)");
      await ctx.runMutation(ref("insert"), { count: 9 });
      expect((await metrics(ctx)).documentsWritten).toEqual({ used: 9, remaining: 15_991 });
    });
  });

  test("writes that were undone do not count", async () => {
    await run(async (ctx) => {
      await insert(ctx);
      const before = await metrics(ctx);
      await expect(ctx.runMutation(ref("fail"), { count: 1 })).rejects.toThrow("undone");
      expect(await metrics(ctx)).toEqual(before);
    });
  });

  test("what was refused to be scheduled does not count", async () => {
    await run(async (ctx) => {
      const transactionLimits = { scheduledFunctionArgsBytes: 900, functionsScheduled: 2 };
      await ctx.runMutation(ref("scheduleLong"), { count: 2 }, { transactionLimits });
      expect((await metrics(ctx)).functionsScheduled).toEqual({ used: 2, remaining: 998 });
    });
  });

  test("limits that are no whole numbers are refused", async () => {
    const call = run((ctx) => ctx.runMutation(ref("insert"), { count: 1 }, limits(-1)));
    await expect(call).rejects.toThrow("Invalid argument `transactionLimits`");
  });
});
