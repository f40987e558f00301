/**
 * Restrictions: suspend a member's external and international transfers (ACCOUNT_LOCKED).
 *
 * At most one counts per person: the newest that is neither lifted nor expired. Staff set and lift them, audited, and
 * the person is told. Not here: what a restriction refuses (model/transferGate).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { INSTITUTION } from "../shared/institution";
import { messageOf } from "./messages";
import { recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { getUser } from "./users";

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

/**
 * Suspends a member's external and international transfers, in place of any earlier restriction.
 * `expiresAt` is in ms since epoch; without it, until lifted.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, INVALID_DATE
 */
export async function suspend(
  ctx: StaffCtx,
  { userId, expiresAt, ...given }: { userId: Id<"users">; reason: string; expiresAt?: number },
): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseOneself(ctx, person._id);
  const reason = messageOf(given.reason);
  // Dates end in the year 275760: beyond that, and for what is not a number, the time is NaN.
  const isInFuture = expiresAt === undefined || new Date(expiresAt).getTime() > Date.now();
  if (!isInFuture) throw appError("INVALID_DATE");
  const earlier = await set(ctx, userId, { reason, setBy: ctx.user.email, expiresAt });
  await recordAct(ctx, person, {
    ...toldOf("Staff suspended external and international transfers.", {
      title: "External transfers suspended",
      body: "Please contact our support team.",
    }),
    action: "restriction.set",
    before: earlier === null ? null : termsOf(earlier),
    after: { reason, expiresAt },
    reason,
  });
}

/**
 * Lifts the restriction in force; never the caller's own, since nobody judges their own.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, NO_RESTRICTION
 */
export async function resume(ctx: StaffCtx, userId: Id<"users">): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseOneself(ctx, person._id);
  const lifted = await lift(ctx, userId, ctx.user.email);
  if (lifted === null) throw appError("NO_RESTRICTION");
  await recordAct(ctx, person, {
    ...toldOf("Staff lifted the suspension of external and international transfers.", {
      title: "External transfers resumed",
      body: "You can send external and international transfers again.",
    }),
    action: "restriction.lift",
    before: termsOf(lifted),
    after: null,
  });
}

const termsOf = ({ reason, expiresAt }: Doc<"restrictions">) => ({ reason, expiresAt });

/** On the security page, in the bell and by e-mail. */
const toldOf = (did: string, { title, body }: { title: string; body: string }) => ({
  event: did,
  notice: { kind: "security", title, body },
  mail: { subject: title, text: `${did} ${body} You can call us: ${INSTITUTION.supportPhone}.` },
});

/** Lifts the restriction in force, if any. Returns it as it was. */
async function lift(
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

/** Sets a restriction in place of any earlier one, and tells nobody. Returns the earlier one. */
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
