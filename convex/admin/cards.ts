/** Members' cards, for staff: seen, locked, reported lost, replaced. Audited. */
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import * as staffCards from "../model/staffCards";
import { vReplacedCard, vStaffCard } from "../shared/answers";
import { vCardStatus } from "../shared/validators";

/**
 * One person's cards, debit first, and the newest of those that were replaced.
 * @throws AppError USER_NOT_FOUND
 */
export const list = adminQuery({
  args: { userId: v.id("users") },
  returns: v.object({ cards: v.array(vStaffCard), replaced: v.array(vReplacedCard) }),
  handler: (ctx, { userId }) => staffCards.listForStaff(ctx, userId),
});

/**
 * Locks, unlocks or reports a card; "Reported lost" is final. Asking for the status that it already has changes nothing.
 * @throws AppError NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, CARD_CHANGE_REFUSED (reported
 *   lost), CARD_FOR_MEMBERS_ONLY (unlocking only; in this order of precedence)
 */
export const setStatus = adminMutation({
  args: { cardId: v.string(), status: vCardStatus, reason: v.string() },
  returns: v.null(),
  handler: async (ctx, args) => {
    await staffCards.setStatus(ctx, args);
    return null;
  },
});

/**
 * Issues a card in place of one that was reported lost; returns the last four digits of its number.
 * @throws AppError NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, CARD_NOT_REPLACEABLE,
 *   CARD_FOR_MEMBERS_ONLY (in this order of precedence)
 */
export const replace = adminMutation({
  args: { cardId: v.string(), reason: v.string() },
  returns: v.object({ lastFour: v.string() }),
  handler: async (ctx, args) => ({ lastFour: await staffCards.replace(ctx, args) }),
});
