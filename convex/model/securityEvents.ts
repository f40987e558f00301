/**
 * What a member sees on their security page: sign-ins, password changes, changes by staff.
 * Appended, never edited.
 */
import type { Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { SECURITY_EVENTS_SHOWN_MAX } from "../shared/limits";

/** Kinds of events; the client picks an icon by it. */
export type SecurityEventKind =
  | "signIn"
  | "wrongCode"
  | "locked"
  | "sessionRevoked"
  | "passwordChanged"
  | "contactChanged"
  | "staffChange"
  | "transferRefused";

/** Appends one event to a person's page. */
export async function record(
  ctx: MutationCtx,
  userId: Id<"users">,
  kind: SecurityEventKind,
  text: string,
): Promise<void> {
  await ctx.db.insert("securityEvents", { userId, kind, text, at: Date.now() });
}

/** A person's newest events. */
export async function newest(ctx: QueryCtx, userId: Id<"users">) {
  return await ctx.db
    .query("securityEvents")
    .withIndex("by_userId_and_at", (q) => q.eq("userId", userId))
    .order("desc")
    .take(SECURITY_EVENTS_SHOWN_MAX);
}
