import { useAction } from "convex/react";
import { api } from "#api";
import { messageFor, type ErrorCode } from "#shared/errors";
import type { CreateUserCommand } from "#shared/rules/createUser";
import { useKeyedCommand } from "../../hooks/useKeyedCommand";
import { useRequestKey } from "../../hooks/useRequestKey";
import { UNKNOWN_CAUSE, type Refusal } from "../../lib/errorText";
import { NEW_USER_DRAFT_KEY } from "./createUserForm";

const FALLBACK = "CREATE_USER_FAILED";
const NOT_ANSWERED =
  "There was no answer, so the user may not have been created. Create them again: nobody is created twice.";

/** A person who does not exist yet has no page on which a second administrator could be asked. */
const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  SECOND_ADMIN_REQUIRED: "Create the user with balances of 0, then edit the accounts",
  SECOND_ADMIN_FOR_ROLE: 'Create the user with the role "User", then choose "Make administrator"',
};

/** Keys by everything but the password, of which nothing may be kept. */
function useNewUserKeys() {
  const { keyFor, settle } = useRequestKey<Omit<CreateUserCommand, "password">>(NEW_USER_DRAFT_KEY);
  return {
    keyFor: ({ password: _never, ...record }: CreateUserCommand) => keyFor(record),
    settle: ({ password: _never, ...record }: CreateUserCommand) => settle(record),
  };
}

function failureText({ code, message }: Refusal): string {
  if (code === "CONNECTION_LOST") return NOT_ANSWERED;
  return messageFor(FALLBACK, { cause: causeOf(code, message) });
}

function causeOf(code: ErrorCode, message: string): string {
  if (code === FALLBACK) return UNKNOWN_CAUSE;
  // Keys go by the rest of the form.
  if (code === "REQUEST_KEY_REUSED") return "they were created before, with another password";
  const nextStep = NEXT_STEPS[code];
  return nextStep === undefined ? message : `${message}. ${nextStep}`;
}

/** Creates a user; returns the failure in words, or null. The admin stays signed in. */
export function useCreateUser(onCreated: (userId: string) => void) {
  const send = useAction(api.admin.users.create);
  const { run, isBusy } = useKeyedCommand(send, useNewUserKeys(), FALLBACK);
  const onCreate = async (command: CreateUserCommand): Promise<string | null> => {
    const outcome = await run(command);
    if (!outcome.isOk) return failureText(outcome.refusal);
    onCreated(outcome.value.userId);
    return null;
  };
  return { onCreate, isBusy };
}
