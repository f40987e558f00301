import { formatUsd, parseAmount } from "#shared/money";
import { formText } from "../../../lib/formText";
import type { LoanTerms } from "./loan";

/** What the fields hold, as text. */
export interface LoanDraft {
  readonly amount: string;
  readonly ratePercent: string;
  readonly years: string;
}

type LoanField = keyof LoanDraft;
export type LoanProblems = Partial<Record<LoanField, string>>;

const LOAN_PRINCIPAL_MIN_CENTS = 10_000n;
const LOAN_PRINCIPAL_MAX_CENTS = 1_000_000_000n;
const LOAN_RATE_PERCENT_MAX = 36;
const LOAN_YEARS_MAX = 40;

/** What is in the form's fields. */
export function readDraft(form: FormData): LoanDraft {
  const text = (name: LoanField): string => formText(form, name);
  return {
    amount: text("amount"),
    ratePercent: text("ratePercent"),
    years: text("years"),
  };
}

const RATE = /^(\d{1,2})(?:\.(\d{0,3}))?$/;
const YEARS = /^\d{1,2}$/;

const PROBLEMS: Record<LoanField, string> = {
  amount: `Enter an amount from ${formatUsd(LOAN_PRINCIPAL_MIN_CENTS)} to ${formatUsd(LOAN_PRINCIPAL_MAX_CENTS)}`,
  ratePercent: `Enter a rate from 0 to ${LOAN_RATE_PERCENT_MAX}, with at most three decimals`,
  years: `Enter whole years from 1 to ${LOAN_YEARS_MAX}`,
};

/** "5.99" becomes 5990n thousandths of a percent; null if it is not a rate we calculate with. */
function parseRateMilliPercent(text: string): bigint | null {
  const match = RATE.exec(text.trim().replace(/\s*%$/, ""));
  if (!match) return null;
  const rate = BigInt(match[1] ?? "") * 1000n + BigInt((match[2] ?? "").padEnd(3, "0"));
  return rate <= BigInt(LOAN_RATE_PERCENT_MAX) * 1000n ? rate : null;
}

/** The terms as typed, or a sentence for each field that cannot be read. */
export function readLoan(draft: LoanDraft): { terms: LoanTerms } | { problems: LoanProblems } {
  const amount = parseAmount(draft.amount);
  const isAmount =
    typeof amount === "bigint" &&
    amount >= LOAN_PRINCIPAL_MIN_CENTS &&
    amount <= LOAN_PRINCIPAL_MAX_CENTS;
  const rateMilliPercent = parseRateMilliPercent(draft.ratePercent);
  const years = YEARS.test(draft.years.trim()) ? Number(draft.years) : 0;
  const isTerm = years >= 1 && years <= LOAN_YEARS_MAX;
  if (isAmount && rateMilliPercent !== null && isTerm) {
    return { terms: { principalCents: amount, rateMilliPercent, months: years * 12 } };
  }
  const problems: LoanProblems = {};
  if (!isAmount) problems.amount = PROBLEMS.amount;
  if (rateMilliPercent === null) problems.ratePercent = PROBLEMS.ratePercent;
  if (!isTerm) problems.years = PROBLEMS.years;
  return { problems };
}
