import { useAction } from "convex/react";
import { api } from "#api";
import { useKeyedCommand } from "../../hooks/useKeyedCommand";
import type { PasswordChange } from "../../hooks/usePasswordForm";
import { useSecretRequestKey } from "../../hooks/useRequestKey";

/**
 * Changes the password, once for the same two until there is an answer: after a lost one the current password may no
 * longer be right.
 */
export function usePasswordChange() {
  const keys = useSecretRequestKey<PasswordChange>();
  const send = useAction(api.profile.changePassword);
  const { run, ...command } = useKeyedCommand(send, keys, "SAVE_FAILED");
  return { ...command, change: async (passwords: PasswordChange) => (await run(passwords)).isOk };
}
