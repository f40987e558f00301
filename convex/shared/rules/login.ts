/**
 * The credentials step of sign-in.
 *
 * Spec sections 2 "Login" and 8: one sentence for everything that fails, so that nothing tells
 * whether an e-mail has an account.
 */
import { z } from "zod";
import { refuseFirst, type Rule } from "./rule";

export type LoginDraft = { readonly email: string; readonly password: string };

export const LOGIN_RULES: readonly Rule<LoginDraft>[] = [
  {
    code: "INVALID_CREDENTIALS",
    refuses: (draft) => draft.email.trim() === "" || draft.password === "",
  },
];

export const loginForm = z
  .object({ email: z.string(), password: z.string() })
  .superRefine(refuseFirst(LOGIN_RULES, undefined))
  .transform(({ email, password }) => ({ email: email.trim(), password }));
