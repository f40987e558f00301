/**
 * What every form requires of an amount (spec sections 5 and 9: above 0, at most what is available).
 *
 * Not here: whether a missing amount counts as a missing field; each table says so itself.
 */
import { AMOUNT_MAX_CENTS, AMOUNT_MIN_CENTS } from "../limits";
import type { AmountDraft, Cents } from "../money";
import type { Rule } from "./rule";

/** Funds of the source account, in cents; the most a transfer or payment may use. */
export type FundsFacts = { readonly availableCents: Cents };

/** True for whole cents from 0.01 up to the upper bound of every amount. */
export function isAmount(amount: AmountDraft): amount is Cents {
  return typeof amount === "bigint" && amount >= AMOUNT_MIN_CENTS && amount <= AMOUNT_MAX_CENTS;
}

/** True for what a balance may be set to: whole cents from zero up to the upper bound of every amount. */
export function isBalance(amount: AmountDraft): boolean {
  return typeof amount === "bigint" && amount >= 0n && amount <= AMOUNT_MAX_CENTS;
}

/** What leaves an account; judged once the account is known, of a transfer after the gate. */
export const AMOUNT_RULES: readonly Rule<{ readonly amountCents: AmountDraft }, FundsFacts>[] = [
  { code: "INVALID_AMOUNT", refuses: ({ amountCents }) => !isAmount(amountCents) },
  {
    code: "INSUFFICIENT_FUNDS",
    refuses: ({ amountCents }, { availableCents }) =>
      typeof amountCents === "bigint" && amountCents > availableCents,
  },
];
