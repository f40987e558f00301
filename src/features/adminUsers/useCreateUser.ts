import { useAction } from "convex/react";
import { api } from "#api";
import type { CreateUserCommand } from "#shared/rules/createUser";
import { useCommand } from "../../hooks/useCommand";
import { UNKNOWN_CAUSE } from "../../lib/errorText";

/** Creates a user; returns the failure in words, or null. The admin stays signed in. */
export function useCreateUser(onCreated: (userId: string) => void) {
  const { run, isBusy } = useCommand(useAction(api.admin.users.create), {
    fallback: "CREATE_USER_FAILED",
  });
  const onCreate = async (command: CreateUserCommand): Promise<string | null> => {
    const outcome = await run(command);
    if (outcome.isOk) {
      onCreated(outcome.value.userId);
      return null;
    }
    return outcome.refusal.code === "CREATE_USER_FAILED" ? UNKNOWN_CAUSE : outcome.refusal.message;
  };
  return { onCreate, isBusy };
}
