/**
 * Functions in addition to the bank's own that reveal errors: without request keys, so that a mutation
 * applied twice shows; one that waits in the middle, so that others run in between; two withdrawals that both
 * read two accounts and change one.
 */
import { defineSchema, defineTable, mutationGeneric, queryGeneric } from "convex/server";
import { v, type GenericId } from "convex/values";
import bankSchema from "../../../convex/schema";

const tables = {
  simEvents: defineTable({ key: v.string(), seq: v.int64(), kind: v.string() })
    .index("by_key", ["key"])
    .index("by_seq", ["seq"]),
  simCounters: defineTable({ name: v.string(), value: v.int64() }).index("by_name", ["name"]),
};

/** The bank's tables and those of the simulation. */
export const schema = defineSchema({ ...bankSchema.tables, ...tables });

export const COUNTER = "events";
/** Two numbers whose sum must not fall below zero, as both withdrawals check. */
export const PAIR = ["left", "right"] as const;

type Counter = { _id: GenericId<"simCounters">; name: string; value: bigint };
type Reader = {
  db: { query(table: string): { withIndex(index: string, range: (q: Eq) => Eq): Unique } };
};
type Eq = { eq(field: string, value: unknown): Eq };
type Unique = { unique(): Promise<unknown> };

async function counter(ctx: unknown, name: string): Promise<Counter> {
  const { db } = ctx as Reader;
  const found = await db
    .query("simCounters")
    .withIndex("by_name", (q) => q.eq("name", name))
    .unique();
  if (found === null) throw new Error(`no counter ${name}`);
  return found as Counter;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Adds an event with the next number; waits `waitMs` between reading and writing. */
const bump = mutationGeneric({
  args: { key: v.string(), waitMs: v.number() },
  returns: v.int64(),
  handler: async (ctx, { key, waitMs }) => {
    const { _id, value } = await counter(ctx, COUNTER);
    if (waitMs > 0) await pause(waitMs);
    const seq = value + 1n;
    await ctx.db.patch("simCounters", _id, { value: seq });
    await ctx.db.insert("simEvents", { key, seq, kind: waitMs > 0 ? "waited" : "straight" });
    return seq;
  },
});

/** Withdraws from one of the pair what both together have. */
const withdraw = mutationGeneric({
  args: { key: v.string(), side: v.string(), amount: v.int64(), waitMs: v.number() },
  returns: v.boolean(),
  handler: async (ctx, { side, amount, waitMs }) => {
    const [left, right] = [await counter(ctx, PAIR[0]), await counter(ctx, PAIR[1])];
    if (waitMs > 0) await pause(waitMs);
    const own = side === PAIR[0] ? left : right;
    const isAllowed = left.value + right.value >= amount;
    if (isAllowed) await ctx.db.patch("simCounters", own._id, { value: own.value - amount });
    return isAllowed;
  },
});

const start = mutationGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    for (const name of [COUNTER, ...PAIR]) {
      await ctx.db.insert("simCounters", { name, value: 0n });
    }
    return null;
  },
});

/** Three numbers read one after the other, which must be from one snapshot. */
const numbers = queryGeneric({
  args: {},
  returns: v.array(v.int64()),
  handler: async (ctx) => [
    (await counter(ctx, COUNTER)).value,
    (await counter(ctx, PAIR[0])).value,
    (await counter(ctx, PAIR[1])).value,
  ],
});

export const simFunctions = { bump, withdraw, start, numbers };
