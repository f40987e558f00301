/**
 * The two cards of an approved member (spec section 2 "Cards").
 *
 * Locking and reporting take effect; the quick actions' codes are refused, as specified.
 * Not here: what staff do with them (model/staffCards).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { randomDigits } from "../shared/accountNumbers";
import { cardName } from "../shared/cardNames";
import { monthOf } from "../shared/dates";
import { appError, messageFor } from "../shared/errors";
import {
  CREDIT_CARD_AVAILABLE_CENTS,
  CREDIT_CARD_LIMIT_CENTS,
  CREDIT_CARD_REWARDS_POINTS,
} from "../shared/limits";
import { displayName } from "../shared/names";
import { CARD_KINDS, type CardStatus } from "../shared/validators";
import type { Caller } from "./access";
import { newestOfAccount } from "./activity";
import { findOwn } from "./accounts";
import { findById } from "./byId";
import { randomUnit } from "./crypto";
import { countOwnChange } from "./limits";
import { notify } from "./notify";

const CARDS_MAX = 10;
const CARD_TRANSACTIONS_MAX = 3;
const VALID_YEARS = 4;

/** Issues the debit card on Checking and the credit card, unless the person has cards. */
export async function issuePair(
  ctx: MutationCtx,
  userId: Id<"users">,
  nowMs: number,
): Promise<void> {
  if ((await cardsOf(ctx, userId)).length > 0) return;
  await ctx.db.insert("cards", {
    userId,
    kind: "debit",
    ...newNumber(nowMs),
    status: "Active",
    linkedAccount: "Checking",
    design: "petrol",
  });
  await ctx.db.insert("cards", {
    userId,
    kind: "credit",
    ...newNumber(nowMs),
    status: "Active",
    limitCents: CREDIT_CARD_LIMIT_CENTS,
    availableCents: CREDIT_CARD_AVAILABLE_CENTS,
    rewardsPoints: CREDIT_CARD_REWARDS_POINTS,
    design: "ink",
  });
}

/** Number and expiry of a card issued now. Of its number, only the last four digits exist. */
export function newNumber(nowMs: number): Pick<Doc<"cards">, "lastFour" | "expiry"> {
  const [year = "", month = ""] = monthOf(nowMs).split("-");
  const expiryYear = String((Number(year) + VALID_YEARS) % 100).padStart(2, "0");
  return { lastFour: randomDigits(4, randomUnit), expiry: `${month}/${expiryYear}` };
}

/** The member's own cards, with the newest three rows of the linked account. */
export async function listOwnCards(ctx: QueryCtx, user: Doc<"users">) {
  const holderName = displayName(user);
  const cards = await cardsOf(ctx, user._id);
  return await Promise.all(
    cards.map(async ({ _id, lastFour, kind, expiry, status, design, ...card }) => ({
      _id,
      kind,
      maskedNumber: `•••• •••• •••• ${lastFour}`,
      expiry,
      status,
      design,
      holderName,
      linkedAccount: card.linkedAccount,
      limitCents: card.limitCents,
      availableCents: card.availableCents,
      rewardsPoints: card.rewardsPoints,
      lastTransactions: await linkedRows(ctx, user._id, card.linkedAccount),
    })),
  );
}

/**
 * Locks, unlocks or reports a card. Asking for the status it already has changes nothing.
 * @throws AppError NOT_FOUND (not there, or not yours), CARD_CHANGE_REFUSED (reported lost), RATE_LIMITED
 *   (unlocking only)
 */
export async function changeStatus(
  ctx: MutationCtx & Caller,
  cardId: string,
  status: CardStatus,
): Promise<null> {
  const card = await getOwnCard(ctx, cardId);
  if (!canBecome(card, status)) return null;
  if (status === "Active") await countOwnChange(ctx, ctx.user._id);
  await ctx.db.patch("cards", card._id, { status, statusChangedAt: Date.now() });
  const said = {
    Active: "was unlocked",
    Locked: "was locked",
    "Reported lost": "has been reported lost",
  };
  await notify(ctx, ctx.user._id, {
    kind: "card",
    title: `Card ${status.toLowerCase()}`,
    body: `${cardName(card)} ${said[status]}.`,
  });
  return null;
}

/**
 * False for the status that a card already has.
 * @throws AppError CARD_CHANGE_REFUSED (reported lost)
 */
export function canBecome(card: Doc<"cards">, status: CardStatus): boolean {
  if (card.status === status) return false;
  if (card.status === "Reported lost") throw appError("CARD_CHANGE_REFUSED");
  return true;
}

/**
 * Spec section 8: card code Verify always answers that the service is unavailable.
 * @throws AppError NOT_FOUND
 */
export async function refuseCardAction(
  ctx: QueryCtx & Caller,
  cardId: string,
): Promise<{ ok: false; message: string }> {
  await getOwnCard(ctx, cardId);
  return { ok: false, message: messageFor("CARD_SERVICE_UNAVAILABLE") };
}

/** The cards that a person has now, debit first, whichever was replaced. */
export async function cardsOf(ctx: QueryCtx, userId: Id<"users">): Promise<Doc<"cards">[]> {
  const cards = await ctx.db
    .query("cards")
    .withIndex("by_userId_and_replacedAt", (q) =>
      q.eq("userId", userId).eq("replacedAt", undefined),
    )
    .take(CARDS_MAX);
  return cards.sort((one, other) => CARD_KINDS.indexOf(one.kind) - CARD_KINDS.indexOf(other.kind));
}

async function getOwnCard(ctx: QueryCtx & Caller, cardId: string): Promise<Doc<"cards">> {
  const card = await findById(ctx, "cards", cardId);
  if (card === null || card.userId !== ctx.user._id) throw appError("NOT_FOUND");
  return card;
}

async function linkedRows(
  ctx: QueryCtx,
  userId: Id<"users">,
  linkedAccount: Doc<"cards">["linkedAccount"],
) {
  if (linkedAccount === undefined) return [];
  const account = await findOwn(ctx, userId, linkedAccount);
  return account === null ? [] : await newestOfAccount(ctx, account._id, CARD_TRANSACTIONS_MAX);
}
