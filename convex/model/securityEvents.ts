/**
 * What a member sees on their security page: sign-ins, password changes, changes by staff.
 * Appended, never edited.
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { SECURITY_EVENTS_SHOWN_MAX } from "../shared/limits";
import { linkAfter, linkProblem } from "./chains";
import { addressKeys } from "./limits";

/** Kinds of events. */
type SecurityEventKind =
  "signIn" | "locked" | "sessionRevoked" | "passwordChanged" | "contactChanged" | "staffChange";

/** Appends one event to a person's page. */
export async function record(
  ctx: MutationCtx,
  userId: Id<"users">,
  kind: SecurityEventKind,
  text: string,
): Promise<void> {
  const [from] = await addressKeys(ctx);
  const newestOfChain = await ctx.db
    .query("securityEvents")
    .withIndex("by_userId_and_seq", (q) => q.eq("userId", userId))
    .order("desc")
    .first();
  const fields = {
    userId,
    kind,
    text,
    at: Date.now(),
    ...(from === undefined ? {} : { addressKey: from }),
  };
  await ctx.db.insert("securityEvents", { ...fields, ...linkAfter(newestOfChain, fields) });
}

/** What is wrong with an event's place in its person's chain. */
export async function checkEvent(ctx: QueryCtx, event: Doc<"securityEvents">): Promise<string[]> {
  const problem = await linkProblem(event, (seq) =>
    ctx.db
      .query("securityEvents")
      .withIndex("by_userId_and_seq", (q) => q.eq("userId", event.userId).eq("seq", seq))
      .take(2),
  );
  return problem === null ? [] : [`security event ${event._id} ${problem}`];
}

/** A person's newest events. By their order, not the clock, which may have been set back. */
export async function newest(ctx: QueryCtx, userId: Id<"users">) {
  return await ctx.db
    .query("securityEvents")
    .withIndex("by_userId_and_seq", (q) => q.eq("userId", userId))
    .order("desc")
    .take(SECURITY_EVENTS_SHOWN_MAX);
}
