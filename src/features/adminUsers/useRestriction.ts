import { useMutation } from "convex/react";
import { api } from "#api";
import { momentOf, tomorrowOf } from "#shared/dates";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { useNow } from "../../hooks/useNow";
import type { RestrictionCardProps } from "./RestrictionCard";
import type { UserDetailData } from "./userDetailData";

/** Sets and lifts one member's restriction. */
export function useRestriction({ _id: userId, restriction }: UserDetailData): RestrictionCardProps {
  const set = useCommand(useMutation(api.admin.restrictions.set), { fallback: "SAVE_FAILED" });
  const lift = useCommand(useMutation(api.admin.restrictions.lift), { fallback: "SAVE_FAILED" });
  const { acts, tell } = useActs(set, lift);
  const nowMs = useNow();
  // The server's answer does not change as time passes.
  const isOver = restriction?.expiresAt !== undefined && restriction.expiresAt <= nowMs;
  return {
    ...acts,
    userId,
    restriction: isOver ? null : restriction,
    tomorrowIso: tomorrowOf(nowMs),
    onSet: async (reason, expiryDate) => {
      const expiry = expiryDate === "" ? {} : { expiresAt: momentOf(expiryDate) };
      return tell(await set.run({ userId, reason, ...expiry }), "The restriction is in force.");
    },
    onLift: async () => tell(await lift.run({ userId }), "The restriction was lifted."),
  };
}
