/** How many people have which status, kept with each change (model/users). */
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { FILTER_STATUSES, USER_STATUSES } from "../shared/validators";

const findRow = (ctx: QueryCtx, status: string) =>
  ctx.db
    .query("userCounts")
    .withIndex("by_status", (q) => q.eq("status", status))
    .unique();

/** Adds to the number of people with a status. */
export async function addToCount(ctx: MutationCtx, status: string, change: number): Promise<void> {
  const row = await findRow(ctx, status);
  if (row === null) await ctx.db.insert("userCounts", { status, count: change });
  else await ctx.db.patch("userCounts", row._id, { count: row.count + change });
}

/** Numbers of people, as the filter tabs show them. */
export async function counts(
  ctx: QueryCtx,
): Promise<{ all: number; pending: number; approved: number; rejected: number }> {
  const totals = { all: 0, pending: 0, approved: 0, rejected: 0 };
  for (const status of [...USER_STATUSES, "unknown"]) {
    const count = (await findRow(ctx, status))?.count ?? 0;
    totals.all += count;
    const filter = FILTER_STATUSES.find((one) => one === status);
    if (filter !== undefined) totals[filter] += count;
  }
  return totals;
}
