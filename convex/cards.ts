/** A member's two cards. */
import { v } from "convex/values";
import { memberMutation, memberQuery } from "./functions";
import { changeStatus, listOwnCards, refuseCardAction } from "./model/cards";
import { vCard } from "./shared/answers";
import { vCardAction } from "./shared/validators";

/** The caller's cards, debit first. */
export const listMine = memberQuery({
  args: {},
  returns: v.array(vCard),
  handler: (ctx) => listOwnCards(ctx, ctx.user),
});

/** @throws AppError NOT_FOUND (not there, or not yours), CARD_CHANGE_REFUSED (reported lost) */
export const lock = memberMutation({
  args: { cardId: v.string() },
  returns: v.null(),
  handler: (ctx, { cardId }) => changeStatus(ctx, cardId, "Locked"),
});

/** @throws AppError as `lock`, and RATE_LIMITED */
export const unlock = memberMutation({
  args: { cardId: v.string() },
  returns: v.null(),
  handler: (ctx, { cardId }) => changeStatus(ctx, cardId, "Active"),
});

/**
 * Final: a card reported lost cannot be unlocked. Reporting it again changes nothing.
 * @throws AppError NOT_FOUND
 */
export const reportLost = memberMutation({
  args: { cardId: v.string() },
  returns: v.null(),
  handler: (ctx, { cardId }) => changeStatus(ctx, cardId, "Reported lost"),
});

/** Spec section 8: always answers that the service is unavailable. */
export const verifyCode = memberMutation({
  args: { cardId: v.string(), action: vCardAction, code: v.string() },
  returns: v.object({ ok: v.literal(false), message: v.string() }),
  handler: (ctx, { cardId }) => refuseCardAction(ctx, cardId),
});
