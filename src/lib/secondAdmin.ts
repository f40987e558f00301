/** Changes that one administrator makes alone, or asks a second one to approve (policy `secondAdminApprovalAbove`). */
import { refusalOf } from "./errorText";

const NEEDS_SECOND = new Set([
  "SECOND_ADMIN_REQUIRED",
  "SECOND_ADMIN_FOR_ROLE",
  "SECOND_ADMIN_FOR_IDENTITY",
]);

/** The outcome: done, with its value, or waiting for a second administrator. */
type DoneOrAsked<Result> =
  { readonly isAsked: false; readonly value: Result } | { readonly isAsked: true };

/** `change`, or `ask` where the server wants a second administrator; other refusals pass through. */
export function orAsk<Args, Result>(
  change: (args: Args) => Promise<Result>,
  ask: (args: Args) => Promise<unknown>,
): (args: Args) => Promise<DoneOrAsked<Result>> {
  return async (args) => {
    try {
      return { isAsked: false, value: await change(args) };
    } catch (error) {
      if (!NEEDS_SECOND.has(refusalOf(error, "SAVE_FAILED").code)) throw error;
      await ask(args);
      return { isAsked: true };
    }
  };
}
