/**
 * A new password: length by policy, never a common one.
 *
 * Spec section 5 "Signup" (minimum 6) and the policy `passwordMinLength`.
 */
import { isCommonPassword } from "../commonPasswords";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits";
import type { Rule } from "./rule";

/** What the draft cannot tell. `passwordMinLength` is the policy's value in force. */
export type PasswordFacts = { readonly passwordMinLength: number };

/** Facts for a client, which cannot read policies before sign-in; the server judges again. */
export const SPECIFIED_PASSWORD_FACTS: PasswordFacts = { passwordMinLength: PASSWORD_LENGTH_MIN };

/** Length as people count it: code points. */
const lengthOf = (password: string): number => [...password].length;

/** Refusals of a new password, for a draft that calls it `password`. */
export const PASSWORD_RULES: readonly Rule<{ password: string; email: string }, PasswordFacts>[] = [
  {
    code: "WEAK_PASSWORD",
    field: "password",
    refuses: (draft) => lengthOf(draft.password) < PASSWORD_LENGTH_MIN,
  },
  {
    code: "PASSWORD_TOO_SHORT",
    field: "password",
    refuses: (draft, facts) => lengthOf(draft.password) < facts.passwordMinLength,
  },
  {
    code: "PASSWORD_TOO_LONG",
    field: "password",
    refuses: (draft) => lengthOf(draft.password) > PASSWORD_LENGTH_MAX,
  },
  {
    code: "PASSWORD_TOO_COMMON",
    field: "password",
    refuses: (draft) => isCommonPassword(draft.password, draft.email),
  },
];
