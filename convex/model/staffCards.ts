/**
 * Members' cards in the hands of staff, for a caller whose phone and wallet are gone: locked, reported lost, replaced.
 *
 * Not here: what members do with them (model/cards).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { cardName } from "../shared/cardNames";
import { appError } from "../shared/errors";
import { displayName } from "../shared/names";
import { isAccepted } from "../shared/roles";
import type { CardStatus } from "../shared/validators";
import type { Caller } from "./access";
import { findById } from "./byId";
import { canBecome, cardsOf, newNumber } from "./cards";
import { messageOf } from "./messages";
import { IF_NOT_REQUESTED, recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { getUser } from "./users";

const REPLACED_SHOWN_MAX = 5;

/** What a person is told of a change: its title, and what was done, to be read after "Our staff". */
const SAID = {
  Active: { title: "Card unlocked", act: (card: string) => `unlocked ${card}` },
  Locked: { title: "Card locked", act: (card: string) => `locked ${card}` },
  "Reported lost": { title: "Card reported lost", act: (card: string) => `reported ${card} lost` },
} as const satisfies Record<CardStatus, { title: string; act: (card: string) => string }>;

/** What an administrator asks for. */
type Asked = { readonly cardId: string; readonly reason: string };

/** The cards that a person has, and the newest of those that were replaced. */
export async function listForStaff(ctx: QueryCtx, userId: Id<"users">) {
  const person = await getUser(ctx, userId);
  const holderName = displayName(person);
  const replaced = await ctx.db
    .query("cards")
    .withIndex("by_userId_and_replacedAt", (q) => q.eq("userId", userId).gt("replacedAt", 0))
    .order("desc")
    .take(REPLACED_SHOWN_MAX);
  return {
    cards: (await cardsOf(ctx, userId)).map(
      ({ _id, kind, lastFour, expiry, status, statusChangedAt }) => ({
        ...{ _id, kind, lastFour, expiry, status, holderName },
        ...(statusChangedAt === undefined ? {} : { statusChangedAt }),
      }),
    ),
    replaced: replaced.map(({ _id, kind, lastFour, replacedAt = 0 }) => ({
      ...{ _id, kind, lastFour, replacedAt },
    })),
  };
}

/**
 * Locks, unlocks or reports a member's card. Asking for the status that it already has changes nothing.
 * @throws AppError NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, CARD_CHANGE_REFUSED (reported
 *   lost), CARD_FOR_MEMBERS_ONLY (unlocking only; in this order of precedence)
 */
export async function setStatus(
  ctx: StaffCtx,
  { cardId, status, reason: reasonText }: Asked & { readonly status: CardStatus },
): Promise<void> {
  const { card, person, reason } = await judged(ctx, cardId, reasonText);
  if (!canBecome(card, status)) return;
  if (status === "Active" && !isAccepted(person)) throw appError("CARD_FOR_MEMBERS_ONLY");
  await ctx.db.patch("cards", card._id, { status, statusChangedAt: Date.now() });
  const name = cardName(card);
  const { title, act } = SAID[status];
  await recordAct(ctx, person, {
    ...toldOf(title, act(`your ${name.toLowerCase()}`)),
    action: "card.setStatus",
    targetLabel: `${name} of ${person.email}`,
    before: { status: card.status },
    after: { status },
    reason,
  });
}

/**
 * Issues a card in place of one that was reported lost: of the same kind, with its limit, available credit and points,
 * a new number and a new expiry. Returns the last four digits.
 * @throws AppError NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, CARD_NOT_REPLACEABLE,
 *   CARD_FOR_MEMBERS_ONLY (in this order of precedence)
 */
export async function replace(
  ctx: StaffCtx,
  { cardId, reason: reasonText }: Asked,
): Promise<string> {
  const { card, person, reason } = await judged(ctx, cardId, reasonText);
  const isLost = card.status === "Reported lost" && card.replacedAt === undefined;
  if (!isLost) throw appError("CARD_NOT_REPLACEABLE");
  if (!isAccepted(person)) throw appError("CARD_FOR_MEMBERS_ONLY");
  const nowMs = Date.now();
  const { _id, _creationTime, statusChangedAt: _since, ...kept } = card;
  const issued = { ...kept, ...(await otherNumber(ctx, card, nowMs)), status: "Active" as const };
  await ctx.db.patch("cards", _id, { replacedAt: nowMs });
  await ctx.db.insert("cards", issued);
  const { lastFour, expiry } = issued;
  const oldName = cardName(card);
  const done = `replaced your ${oldName.toLowerCase()} with one ending ${lastFour}`;
  await recordAct(ctx, person, {
    ...toldOf("New card issued", done),
    action: "card.replace",
    targetLabel: `${oldName} of ${person.email}`,
    before: { lastFour: card.lastFour, expiry: card.expiry },
    after: { lastFour, expiry },
    reason,
  });
  return lastFour;
}

/** A card of somebody else, its holder, and the reason. */
async function judged(ctx: QueryCtx & Caller, cardId: string, reasonText: string) {
  const card = await findById(ctx, "cards", cardId);
  if (card === null) throw appError("NOT_FOUND");
  const person = await getUser(ctx, card.userId);
  refuseOneself(ctx, person._id);
  return { card, person, reason: messageOf(reasonText) };
}

/** A number that ends otherwise than those of the cards that the person has, the lost one included. */
async function otherNumber(ctx: QueryCtx, { userId }: Doc<"cards">, nowMs: number) {
  const taken = (await cardsOf(ctx, userId)).map(({ lastFour }) => lastFour);
  for (;;) {
    const number = newNumber(nowMs);
    if (!taken.includes(number.lastFour)) return number;
  }
}

/** On the security page, in the bell and by e-mail: the caller may have been somebody else. */
const toldOf = (title: string, done: string) => ({
  event: `Staff ${done}.`,
  notice: { kind: "card", title, body: `Our staff ${done}.` },
  mail: { subject: title, text: `Our staff ${done}. ${IF_NOT_REQUESTED}` },
});
