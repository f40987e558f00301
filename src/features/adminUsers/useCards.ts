import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { isAccepted } from "#shared/roles";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import type { CardsCardProps } from "./CardsCard";
import { cardInSentence, STATUS_AFTER } from "./cardActs";
import type { UserDetailData } from "./userDetailData";

/** One person's cards, live, and what staff can do with them. */
export function useCards(user: UserDetailData): CardsCardProps {
  const found = useQuery(api.admin.cards.list, { userId: user._id });
  const setStatus = useCommand(useMutation(api.admin.cards.setStatus), { fallback: "SAVE_FAILED" });
  const replace = useCommand(useMutation(api.admin.cards.replace), { fallback: "SAVE_FAILED" });
  const { acts, tell } = useActs(setStatus, replace);
  return {
    ...acts,
    cards: found?.cards ?? [],
    replaced: found?.replaced ?? [],
    isAccepted: isAccepted(user),
    onAct: async (card, act, reason) => {
      const name = cardInSentence(card);
      if (act === "replace") {
        const outcome = await replace.run({ cardId: card._id, reason });
        return tell(outcome, ({ lastFour }) => `The new ${card.kind} card ends in ${lastFour}.`);
      }
      const outcome = await setStatus.run({ cardId: card._id, status: STATUS_AFTER[act], reason });
      const what = { lock: "locked", unlock: "unlocked", reportLost: "reported lost" }[act];
      return tell(outcome, `The ${name} was ${what}.`);
    },
  };
}
