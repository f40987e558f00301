/**
 * The two cards of an approved member (spec section 2 "Cards").
 *
 * Locking and reporting take effect; the quick actions' codes are refused, as specified.
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { randomDigits } from "../shared/accountNumbers";
import { monthOf } from "../shared/dates";
import { appError, messageFor } from "../shared/errors";
import {
  CREDIT_CARD_AVAILABLE_CENTS,
  CREDIT_CARD_LIMIT_CENTS,
  CREDIT_CARD_REWARDS_POINTS,
} from "../shared/limits";
import { displayName } from "../shared/names";
import type { CardStatus } from "../shared/validators";
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
  const [year = "", month = ""] = monthOf(nowMs).split("-");
  const expiry = `${month}/${String((Number(year) + VALID_YEARS) % 100).padStart(2, "0")}`;
  const lastFour = (): string => randomDigits(4, randomUnit);
  await ctx.db.insert("cards", {
    userId,
    kind: "debit",
    lastFour: lastFour(),
    expiry,
    status: "Active",
    linkedAccount: "Checking",
    design: "petrol",
  });
  await ctx.db.insert("cards", {
    userId,
    kind: "credit",
    lastFour: lastFour(),
    expiry,
    status: "Active",
    limitCents: CREDIT_CARD_LIMIT_CENTS,
    availableCents: CREDIT_CARD_AVAILABLE_CENTS,
    rewardsPoints: CREDIT_CARD_REWARDS_POINTS,
    design: "ink",
  });
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
  if (card.status === status) return null;
  if (card.status === "Reported lost") throw appError("CARD_CHANGE_REFUSED");
  if (status === "Active") await countOwnChange(ctx, ctx.user._id);
  await ctx.db.patch("cards", card._id, { status, statusChangedAt: Date.now() });
  const name = `${card.kind === "debit" ? "Debit" : "Credit"} card ending ${card.lastFour}`;
  const said = {
    Active: "was unlocked",
    Locked: "was locked",
    "Reported lost": "has been reported lost",
  };
  await notify(ctx, ctx.user._id, {
    kind: "card",
    title: `Card ${status.toLowerCase()}`,
    body: `${name} ${said[status]}.`,
  });
  return null;
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

async function cardsOf(ctx: QueryCtx, userId: Id<"users">): Promise<Doc<"cards">[]> {
  return await ctx.db
    .query("cards")
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .take(CARDS_MAX);
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
