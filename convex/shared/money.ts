/**
 * Money as whole cents: the only place where text becomes money and money becomes text.
 *
 * Pure string and bigint arithmetic, so no cent is ever rounded. Not here: limits (shared/limits)
 * and which amounts a form accepts (shared/rules).
 */

import { isBlank, withoutInvisible } from "./plainText";

/** An amount in US cents. */
export type Cents = bigint;

/** What a form holds before its rules judge it: cents, nothing typed, or not an amount. */
export type AmountDraft = Cents | "empty" | "invalid";

/** Longer texts are not amounts; keeps a pasted novel from being parsed. */
const AMOUNT_TEXT_LENGTH_MAX = 24;
const PLAIN_AMOUNT = /^(\d*)(?:\.(\d{0,2}))?$/;
const GROUPED_AMOUNT = /^\d{1,3}(?:,\d{3})+(?:\.\d{0,2})?$/;

/**
 * Dollars as text ("12", "12.3", "1,234.50", "$5") to cents; null for any other text. Exact: a
 * third decimal, a sign or an exponent is refused, never rounded. Invisible characters, which come along
 * when an amount is copied, are no part of it.
 */
export function parseCents(text: string): Cents | null {
  const trimmed = withoutInvisible(text)
    .trim()
    .replace(/^\$\s*/, "");
  if (trimmed.length > AMOUNT_TEXT_LENGTH_MAX) return null;
  const match = PLAIN_AMOUNT.exec(
    GROUPED_AMOUNT.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed,
  );
  const dollars = match?.[1] ?? "";
  const cents = match?.[2] ?? "";
  if (match === null || dollars + cents === "") return null;
  return BigInt(dollars === "" ? "0" : dollars) * 100n + BigInt(cents.padEnd(2, "0"));
}

/** What was typed into an amount field, so that "nothing" and "nonsense" stay two refusals. */
export function parseAmount(text: string): AmountDraft {
  if (isBlank(text)) return "empty";
  return parseCents(text) ?? "invalid";
}

/** Spec section 9 "Currency formatting": en-US, two decimals, as in "$1,234.50" and "-$45.00". */
export function formatUsd(cents: Cents): string {
  const sign = cents < 0n ? "-" : "";
  return `${sign}$${groupThousands(toDecimalText(magnitude(cents)))}`;
}

/** Like `formatUsd`, with a plus sign for amounts above zero: "+$12.50". */
export function formatSignedUsd(cents: Cents): string {
  return cents > 0n ? `+${formatUsd(cents)}` : formatUsd(cents);
}

/** Plain decimal text for files and form fields: "1234.50", "-0.05". */
export function toDecimalText(cents: Cents): string {
  const digits = magnitude(cents).toString().padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The sum of amounts; zero if there are none. */
export function sumCents(amounts: Iterable<Cents>): Cents {
  let total = 0n;
  for (const amountCents of amounts) total += amountCents;
  return total;
}

/** Amount without its sign. */
export function magnitude(amountCents: Cents): Cents {
  return amountCents < 0n ? -amountCents : amountCents;
}

/** The smaller of two amounts. */
export function minCents(one: Cents, other: Cents): Cents {
  return one < other ? one : other;
}

function groupThousands(decimalText: string): string {
  return decimalText.replace(/\B(?=(\d{3})+\.)/g, ",");
}
