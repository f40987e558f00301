import { useMutation } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { IdentityChange, IdentityDialogProps } from "./IdentityDialog";
import type { UserDetailData } from "./userDetailData";

/** Name and e-mail of one person; `done` says for some seconds that they are changed, or waiting. */
export function useIdentity({ _id: userId, name, email }: UserDetailData): Omit<
  IdentityDialogProps,
  "isOpen" | "onClose"
> & {
  done: string | null;
} {
  const ask = useMutation(api.admin.approvals.request);
  const change = orAsk(useMutation(api.admin.identity.set), (args) =>
    ask({ change: { kind: "identity.set", args } }),
  );
  const { run, isBusy, refusal, clear } = useCommand(change, { fallback: "SAVE_FAILED" });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    userId,
    current: { name, email },
    onSave: async (edit: IdentityChange) => {
      const outcome = await run({ userId, ...edit });
      if (!outcome.isOk) return false;
      showDone(outcome.value.isAsked ? TEXTS.approvalRequested : "The changes were saved.");
      return true;
    },
    isBusy,
    failure: refusal?.message ?? null,
    clearFailure: clear,
    done,
  };
}
