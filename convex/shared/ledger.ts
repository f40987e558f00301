/**
 * Double entry as arithmetic: balanced postings, reversal, signs, month totals. Pure.
 *
 * Not here: reading and writing (model/ledger).
 */
import { minCents, sumCents, type Cents } from "./money";
import type { Category, TransactionType } from "./validators";

/** Largest balance an account may reach: far below the range of 64 bits, so no sum overflows. */
export const BALANCE_MAX_CENTS = 1_000_000_000_000_000n;

/** One leg of a journal; positive raises the balance of its account. */
type Posting = { readonly amountCents: Cents };

/** Two or more legs, none of them zero, that sum to zero. */
export function isBalanced(postings: readonly Posting[]): boolean {
  return (
    postings.length >= 2 &&
    postings.every((posting) => posting.amountCents !== 0n) &&
    sumCents(postings.map((posting) => posting.amountCents)) === 0n
  );
}

/** The same legs with opposite signs: posted together with the originals they leave nothing. */
export function reversed<P extends Posting>(postings: readonly P[]): P[] {
  return postings.map((posting) => ({ ...posting, amountCents: -posting.amountCents }));
}

/** Spec section 9 "Money rules": a credit adds, a debit subtracts. */
export function signedCents(type: TransactionType, amountCents: Cents): Cents {
  return type === "credit" ? amountCents : -amountCents;
}

/** The type of the row that shows a posting. */
export function typeOf(amountCents: Cents): TransactionType {
  return amountCents < 0n ? "debit" : "credit";
}

/** The two figures of an account. Staff may set the available amount above the balance. */
export type Funds = { readonly availableCents: Cents; readonly balanceCents: Cents };

/**
 * The most a debit may use: never more than is available, never below a zero balance (spec sections 5 and
 * 7 "Transfer").
 */
export function spendableCents({ availableCents, balanceCents }: Funds): Cents {
  return minCents(availableCents, balanceCents);
}

/** Rows of one type and category in a month. */
export type CategoryTotal = {
  type: TransactionType;
  category: Category;
  totalCents: Cents;
  count: number;
};

/** Totals with a change added; entries without rows disappear. */
export function addToTotals(
  totals: readonly CategoryTotal[],
  change: CategoryTotal,
): CategoryTotal[] {
  const isSame = (entry: CategoryTotal): boolean =>
    entry.type === change.type && entry.category === change.category;
  const old = totals.find(isSame);
  const merged = {
    ...change,
    totalCents: (old?.totalCents ?? 0n) + change.totalCents,
    count: (old?.count ?? 0) + change.count,
  };
  const others = totals.filter((entry) => !isSame(entry));
  return merged.count === 0 && merged.totalCents === 0n ? others : [...others, merged];
}

/** Sum and number of the entries of one type. */
export function totalOfType(
  totals: readonly CategoryTotal[],
  type: TransactionType,
): { totalCents: Cents; count: number } {
  const own = totals.filter((entry) => entry.type === type);
  return {
    totalCents: sumCents(own.map((entry) => entry.totalCents)),
    count: own.reduce((sum, entry) => sum + entry.count, 0),
  };
}
