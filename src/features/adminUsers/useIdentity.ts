import { useMutation } from "convex/react";
import { api } from "#api";
import { TEXTS } from "#shared/texts";
import { useActs, type Acts } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { orAsk } from "../../lib/secondAdmin";
import type { IdentityChange, IdentityDialogProps } from "./IdentityDialog";
import type { UserDetailData } from "./userDetailData";

/** Name and e-mail of one person; `done` says for some seconds that they are changed, or waiting. */
export function useIdentity({
  _id: userId,
  name,
  email,
}: UserDetailData): Omit<IdentityDialogProps, "isOpen" | "onClose"> & Acts {
  const ask = useMutation(api.admin.approvals.request);
  const change = orAsk(useMutation(api.admin.identity.set), (args) =>
    ask({ change: { kind: "identity.set", args } }),
  );
  const save = useCommand(change, { fallback: "SAVE_FAILED" });
  const { acts, tell } = useActs(save);
  return {
    ...acts,
    userId,
    current: { name, email },
    onSave: async (edit: IdentityChange) =>
      tell(await save.run({ userId, ...edit }), ({ isAsked }) =>
        isAsked ? TEXTS.approvalRequested : "The changes were saved.",
      ),
  };
}
