/**
 * Restrictions: suspend a member's external and international transfers (ACCOUNT_LOCKED).
 *
 * At most one counts per person: the newest that is neither lifted nor expired.
 * Not here: what a restriction refuses (model/transferGate).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";

/** The newest restriction that was not lifted, even if it has expired (for queries). */
export async function findUnlifted(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<Doc<"restrictions"> | null> {
  const newest = await ctx.db
    .query("restrictions")
    // Ordered by creation, not by `setAt`: a clock may be set back.
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .order("desc")
    .first();
  return newest === null || newest.liftedAt !== undefined ? null : newest;
}

/** The restriction in force at a moment, or null. */
export async function findActive(
  ctx: QueryCtx,
  userId: Id<"users">,
  nowMs: number,
): Promise<Doc<"restrictions"> | null> {
  const found = await findUnlifted(ctx, userId);
  return found?.expiresAt !== undefined && found.expiresAt <= nowMs ? null : found;
}

/** Lifts the restriction in force, if any. Returns it as it was. */
export async function lift(
  ctx: MutationCtx,
  userId: Id<"users">,
  liftedBy: string,
): Promise<Doc<"restrictions"> | null> {
  const nowMs = Date.now();
  const found = await findActive(ctx, userId, nowMs);
  if (found !== null) {
    await ctx.db.patch("restrictions", found._id, { liftedAt: nowMs, liftedBy });
  }
  return found;
}

/** Sets a restriction in place of any earlier one. Returns the earlier one. */
export async function set(
  ctx: MutationCtx,
  userId: Id<"users">,
  restriction: { reason: string; setBy: string; expiresAt?: number | undefined },
): Promise<Doc<"restrictions"> | null> {
  const earlier = await lift(ctx, userId, restriction.setBy);
  const { reason, setBy, expiresAt } = restriction;
  await ctx.db.insert("restrictions", {
    userId,
    reason,
    setBy,
    setAt: Date.now(),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  return earlier;
}
