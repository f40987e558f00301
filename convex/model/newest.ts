/** A place in time by the order of documents, not by the clock, which may have been set back since. */
import type { QueryCtx } from "../_generated/server";

/** Creation time of a table's newest document; 0 without one. What is made later has a later one. */
export async function newestMadeAt(ctx: QueryCtx, table: "approvals" | "otpUses"): Promise<number> {
  const newest = await ctx.db.query(table).order("desc").first();
  return newest?._creationTime ?? 0;
}
