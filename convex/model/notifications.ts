/** Reading and marking a person's notifications. Written by model/notify. */
import type { Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { NOTIFICATIONS_SHOWN_MAX, UNREAD_COUNTED_MAX } from "../shared/limits";

const MARKED_AT_ONCE_MAX = 2_000;

/** The newest notifications, without their owner. By their order, not the clock, which may have been set back. */
export async function newest(ctx: QueryCtx, userId: Id<"users">) {
  const rows = await ctx.db
    .query("notifications")
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .order("desc")
    .take(NOTIFICATIONS_SHOWN_MAX);
  return rows.map(({ _id, kind, title, body, createdAt, isRead }) => ({
    _id,
    kind,
    title,
    body,
    createdAt,
    isRead,
  }));
}

async function unread(ctx: QueryCtx, userId: Id<"users">, rowsMax: number) {
  return await ctx.db
    .query("notifications")
    .withIndex("by_userId_and_isRead", (q) => q.eq("userId", userId).eq("isRead", false))
    .take(rowsMax);
}

/** Number of unread notifications; counts up to 100. */
export async function countUnread(ctx: QueryCtx, userId: Id<"users">): Promise<number> {
  return (await unread(ctx, userId, UNREAD_COUNTED_MAX)).length;
}

/** Marks unread notifications as read, up to 2,000 at once. Returns whether more may be left. */
export async function markRead(ctx: MutationCtx, userId: Id<"users">): Promise<boolean> {
  const found = await unread(ctx, userId, MARKED_AT_ONCE_MAX);
  for (const { _id } of found) await ctx.db.patch("notifications", _id, { isRead: true });
  return found.length === MARKED_AT_ONCE_MAX;
}
