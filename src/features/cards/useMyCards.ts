import { api } from "#api";
import { useMutation, useQuery } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { useState } from "react";
import { useCommand } from "../../hooks/useCommand";

export type Card = FunctionReturnType<typeof api.cards.listMine>[number];
export type CardChange = "lock" | "unlock" | "reportLost";

/** The member's cards, live, and what can be done to them. */
export function useMyCards() {
  const cards = useQuery(api.cards.listMine, {});
  const lock = useMutation(api.cards.lock);
  const unlock = useMutation(api.cards.unlock);
  const reportLost = useMutation(api.cards.reportLost);
  const [busyCardId, setBusyCardId] = useState<string | null>(null);
  const command = useCommand(
    ({ card, change }: { card: Card; change: CardChange }) => {
      const mutations = { lock, unlock, reportLost };
      return mutations[change]({ cardId: card._id });
    },
    { fallback: "CARD_SERVICE_UNAVAILABLE" },
  );
  const change = async (card: Card, wanted: CardChange): Promise<boolean> => {
    setBusyCardId(card._id);
    const answer = await command.run({ card, change: wanted });
    setBusyCardId(null);
    return answer.isOk;
  };
  return { cards, change, busyCardId, message: command.refusal?.message };
}
