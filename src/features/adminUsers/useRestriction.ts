import { useMutation } from "convex/react";
import { api } from "#api";
import { momentOf, tomorrowOf } from "#shared/dates";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { useCommand } from "../../hooks/useCommand";
import { useNow } from "../../hooks/useNow";
import { useTimedText } from "../../hooks/useTimedText";
import type { RestrictionCardProps } from "./RestrictionCard";
import type { UserDetailData } from "./userDetailData";

/** Sets and lifts one member's restriction. */
export function useRestriction({ _id: userId, restriction }: UserDetailData): RestrictionCardProps {
  const set = useCommand(useMutation(api.admin.restrictions.set), { fallback: "SAVE_FAILED" });
  const lift = useCommand(useMutation(api.admin.restrictions.lift), { fallback: "SAVE_FAILED" });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const nowMs = useNow();
  // The server's answer does not change as time passes.
  const isOver = restriction?.expiresAt !== undefined && restriction.expiresAt <= nowMs;
  return {
    userId,
    restriction: isOver ? null : restriction,
    tomorrowIso: tomorrowOf(nowMs),
    onSet: async (reason, expiryDate) => {
      const expiry = expiryDate === "" ? {} : { expiresAt: momentOf(expiryDate) };
      const { isOk } = await set.run({ userId, reason, ...expiry });
      if (isOk) showDone("The restriction is in force.");
      return isOk;
    },
    onLift: async () => {
      const { isOk } = await lift.run({ userId });
      if (isOk) showDone("The restriction was lifted.");
      return isOk;
    },
    isBusy: set.isBusy || lift.isBusy,
    clearFailure: () => {
      set.clear();
      lift.clear();
    },
    failure: (set.refusal ?? lift.refusal)?.message ?? null,
    done,
  };
}
