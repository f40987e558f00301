import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { isAccepted } from "#shared/roles";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import type { CardsCardProps } from "./CardsCard";
import { cardInSentence, STATUS_AFTER } from "./cardActs";
import type { UserDetailData } from "./userDetailData";

/** One person's cards, live, and what staff can do with them. */
export function useCards(user: UserDetailData): CardsCardProps {
  const found = useQuery(api.admin.cards.list, { userId: user._id });
  const setStatus = useCommand(useMutation(api.admin.cards.setStatus), { fallback: "SAVE_FAILED" });
  const replace = useCommand(useMutation(api.admin.cards.replace), { fallback: "SAVE_FAILED" });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    cards: found?.cards ?? [],
    replaced: found?.replaced ?? [],
    isAccepted: isAccepted(user),
    onAct: async (card, act, reason) => {
      const name = cardInSentence(card);
      if (act === "replace") {
        const outcome = await replace.run({ cardId: card._id, reason });
        if (outcome.isOk) showDone(`The new ${card.kind} card ends in ${outcome.value.lastFour}.`);
        return outcome.isOk;
      }
      const { isOk } = await setStatus.run({ cardId: card._id, status: STATUS_AFTER[act], reason });
      const what = { lock: "locked", unlock: "unlocked", reportLost: "reported lost" }[act];
      if (isOk) showDone(`The ${name} was ${what}.`);
      return isOk;
    },
    isBusy: setStatus.isBusy || replace.isBusy,
    failure: (setStatus.refusal ?? replace.refusal)?.message ?? null,
    clearFailure: () => {
      setStatus.clear();
      replace.clear();
    },
    done,
  };
}
