import { useAction } from "convex/react";
import { api } from "#api";
import type { ErrorCode } from "#shared/errors";
import type { CreateUserCommand } from "#shared/rules/createUser";
import { useCommand } from "../../hooks/useCommand";
import { UNKNOWN_CAUSE } from "../../lib/errorText";

/** A person who does not exist yet has no page on which a second administrator could be asked. */
const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  SECOND_ADMIN_REQUIRED: "Create the user with balances of 0, then edit the accounts",
  SECOND_ADMIN_FOR_ROLE: 'Create the user with the role "User", then choose "Make administrator"',
};

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
    const { code, message } = outcome.refusal;
    const nextStep = NEXT_STEPS[code];
    if (nextStep !== undefined) return `${message}. ${nextStep}`;
    return code === "CREATE_USER_FAILED" ? UNKNOWN_CAUSE : message;
  };
  return { onCreate, isBusy };
}
