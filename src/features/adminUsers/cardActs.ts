/** What staff can do with a member's card, and what they read while doing it. */
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { cardName } from "#shared/cardNames";
import type { CardStatus } from "#shared/validators";
import type { ButtonProps } from "../../components/ui/Button";

export type StaffCards = FunctionReturnType<typeof api.admin.cards.list>;
export type StaffCard = StaffCards["cards"][number];
export type CardAct = "lock" | "unlock" | "reportLost" | "replace";

interface ActWords {
  readonly label: string;
  readonly titleOf: (card: string) => string;
  readonly description: string;
  readonly variant: ButtonProps["variant"];
}

const TOLD = "The member is told by email.";

export const CARD_ACTS: Readonly<Record<CardAct, ActWords>> = {
  lock: {
    label: "Lock card",
    titleOf: (card) => `Lock ${card}`,
    description: `It cannot be used until it is unlocked, here or by the member. ${TOLD}`,
    variant: "danger",
  },
  unlock: {
    label: "Unlock card",
    titleOf: (card) => `Unlock ${card}`,
    description: `It can be used again at once. ${TOLD}`,
    variant: "primary",
  },
  reportLost: {
    label: "Report lost",
    titleOf: (card) => `Report ${card} lost`,
    description: `It is blocked at once and cannot be unlocked again. ${TOLD}`,
    variant: "danger",
  },
  replace: {
    label: "Issue new card",
    titleOf: (card) => `Replace ${card}`,
    description: `A card with a new number and expiry date takes its place at once; all else stays. ${TOLD}`,
    variant: "primary",
  },
};

/** What can be done now. Only an accepted person can get a card that works. */
export function actsOn({ status }: StaffCard, isAccepted: boolean): readonly CardAct[] {
  if (status === "Reported lost") return isAccepted ? ["replace"] : [];
  if (status === "Locked") return isAccepted ? ["unlock", "reportLost"] : ["reportLost"];
  return ["lock", "reportLost"];
}

/** The status that an act gives; a replacement gives none to the card that it is about. */
export const STATUS_AFTER: Readonly<Record<Exclude<CardAct, "replace">, CardStatus>> = {
  lock: "Locked",
  unlock: "Active",
  reportLost: "Reported lost",
};

/** "debit card ending 4411", inside a sentence. */
export const cardInSentence = (card: Pick<StaffCard, "kind" | "lastFour">): string =>
  cardName(card).toLowerCase();
