/**
 * What every form requires of an amount (spec sections 5 and 9: above 0, at most what is available).
 *
 * Not here: whether a missing amount counts as a missing field; each table says so itself.
 */
import { AMOUNT_MAX_CENTS, AMOUNT_MIN_CENTS } from "../limits";
import type { AmountDraft, Cents } from "../money";

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

/** True when an amount is more than the funds; a draft without an amount exceeds nothing. */
export function exceedsFunds(amount: AmountDraft, facts: FundsFacts): boolean {
  return typeof amount === "bigint" && amount > facts.availableCents;
}
