/** Restrictions of members: suspend external and international transfers. Audited. */
import { v } from "convex/values";
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { adminMutation } from "../functions";
import * as audit from "../model/audit";
import { messageOf } from "../model/messages";
import { mail, notify } from "../model/notify";
import * as restrictions from "../model/restrictions";
import * as securityEvents from "../model/securityEvents";
import { refuseOneself } from "../model/standing";
import { getUser } from "../model/users";
import { appError } from "../shared/errors";
import { INSTITUTION } from "../shared/institution";

/** On the security page, in the bell and by e-mail. */
async function tell(
  ctx: MutationCtx,
  person: Doc<"users">,
  { did, title, body }: { did: string; title: string; body: string },
): Promise<void> {
  await securityEvents.record(ctx, person._id, "staffChange", did);
  await notify(ctx, person._id, { kind: "security", title, body });
  await mail(ctx, person, {
    subject: title,
    text: `${did} ${body} You can call us: ${INSTITUTION.supportPhone}.`,
  });
}

/**
 * Suspends a member's external and international transfers, in place of any earlier restriction.
 * `expiresAt` is in ms since epoch; without it, until lifted.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, INVALID_DATE
 */
export const set = adminMutation({
  args: { userId: v.id("users"), reason: v.string(), expiresAt: v.optional(v.number()) },
  returns: v.null(),
  handler: async (ctx, { userId, reason: reasonText, expiresAt }) => {
    const person = await getUser(ctx, userId);
    refuseOneself(ctx.user, person);
    const reason = messageOf(reasonText);
    // Dates end in the year 275760: beyond that, and for what is not a number, the time is NaN.
    const isInFuture = expiresAt === undefined || new Date(expiresAt).getTime() > Date.now();
    if (!isInFuture) throw appError("INVALID_DATE");
    const setBy = ctx.user.email;
    const earlier = await restrictions.set(ctx, userId, { reason, setBy, expiresAt });
    await tell(ctx, person, {
      did: "Staff suspended external and international transfers.",
      title: "External transfers suspended",
      body: "Please contact our support team.",
    });
    await audit.append(ctx, {
      actor: ctx.user,
      action: "restriction.set",
      targetLabel: person.email,
      personId: userId,
      before: earlier === null ? null : { reason: earlier.reason, expiresAt: earlier.expiresAt },
      after: { reason, expiresAt },
      reason,
    });
    return null;
  },
});

/**
 * Lifts the restriction in force; never the caller's own, since nobody judges their own.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, NO_RESTRICTION
 */
export const lift = adminMutation({
  args: { userId: v.id("users") },
  returns: v.null(),
  handler: async (ctx, { userId }) => {
    const person = await getUser(ctx, userId);
    refuseOneself(ctx.user, person);
    const lifted = await restrictions.lift(ctx, userId, ctx.user.email);
    if (lifted === null) throw appError("NO_RESTRICTION");
    await tell(ctx, person, {
      did: "Staff lifted the suspension of external and international transfers.",
      title: "External transfers resumed",
      body: "You can send external and international transfers again.",
    });
    await audit.append(ctx, {
      actor: ctx.user,
      action: "restriction.lift",
      targetLabel: person.email,
      personId: userId,
      before: { reason: lifted.reason, expiresAt: lifted.expiresAt },
      after: null,
    });
    return null;
  },
});
