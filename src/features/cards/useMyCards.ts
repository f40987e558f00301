import { api } from "#api";
import { useMutation, useQuery } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { useCommand } from "../../hooks/useCommand";

export type Card = FunctionReturnType<typeof api.cards.listMine>[number];
export type CardChange = "lock" | "unlock" | "reportLost";

/** The member's cards, live, and what can be done with them. */
export function useMyCards() {
  const cards = useQuery(api.cards.listMine, {});
  const lock = useMutation(api.cards.lock);
  const unlock = useMutation(api.cards.unlock);
  const reportLost = useMutation(api.cards.reportLost);
  const command = useCommand(
    (card: Card, change: CardChange) => {
      const mutations = { lock, unlock, reportLost };
      return mutations[change]({ cardId: card._id });
    },
    { fallback: "CARD_SERVICE_UNAVAILABLE" },
  );
  return {
    cards,
    change: command.run,
    isBusy: (card: Card) => command.pending.some(([{ _id }]) => _id === card._id),
    refusalOf: ({ _id }: Card) =>
      command.refusedArgs?.[0]._id === _id ? command.refusal?.message : undefined,
  };
}
