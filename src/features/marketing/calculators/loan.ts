/**
 * Loan arithmetic of the calculator page: the level payment and the amortization table, in cents.
 *
 * All in integers, so that the table adds up to the cent. Not here: reading what was typed (loanInput) and drawing
 * (LoanResult, LoanChart, AmortizationTable).
 */

export interface LoanTerms {
  /** Above zero. */
  readonly principalCents: bigint;
  /** The yearly rate in thousandths of a percent: 5.99 % is 5990n. Zero is a loan without interest. */
  readonly rateMilliPercent: bigint;
  /** Number of monthly payments, at least 1. */
  readonly months: number;
}

export interface Installment {
  /** Counted from 1. */
  readonly month: number;
  readonly paymentCents: bigint;
  readonly interestCents: bigint;
  readonly principalCents: bigint;
  /** What is owed after this payment. */
  readonly balanceCents: bigint;
}

export interface LoanPlan {
  /** The level payment; the last one differs by what rounding left over. */
  readonly paymentCents: bigint;
  readonly totalInterestCents: bigint;
  readonly totalPaidCents: bigint;
  readonly installments: readonly Installment[];
}

/** Twelve months of a hundred percent in thousandths. */
const MONTHLY_RATE_DIVISOR = 12n * 100_000n;
/** Fixed point with 30 decimals: exact far beyond a cent for any term. */
const ONE = 10n ** 30n;

/** Division of non-negative numbers, halves rounded up. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** The annuity payment P·r / (1 − (1 + r)^−n), to the nearest cent. */
export function monthlyPaymentCents(terms: LoanTerms): bigint {
  const months = BigInt(terms.months);
  if (terms.rateMilliPercent === 0n) return divideRounded(terms.principalCents, months);
  const rate = (terms.rateMilliPercent * ONE) / MONTHLY_RATE_DIVISOR;
  let growth = ONE;
  for (let month = 0; month < terms.months; month += 1) growth = (growth * (ONE + rate)) / ONE;
  return divideRounded(terms.principalCents * rate * growth, ONE * (growth - ONE));
}

/**
 * Payment by payment until nothing is owed. The last payment settles what rounding left, so the
 * principal parts always sum to the loan.
 */
export function planLoan(terms: LoanTerms): LoanPlan {
  const paymentCents = monthlyPaymentCents(terms);
  const installments: Installment[] = [];
  let owedCents = terms.principalCents;
  for (let month = 1; month <= terms.months && owedCents > 0n; month += 1) {
    const interestCents = divideRounded(owedCents * terms.rateMilliPercent, MONTHLY_RATE_DIVISOR);
    const isLast = month === terms.months || owedCents + interestCents <= paymentCents;
    const principalCents = isLast ? owedCents : paymentCents - interestCents;
    owedCents -= principalCents;
    installments.push({
      month,
      paymentCents: principalCents + interestCents,
      interestCents,
      principalCents,
      balanceCents: owedCents,
    });
  }
  const totalInterestCents = installments.reduce((sum, row) => sum + row.interestCents, 0n);
  return {
    paymentCents,
    totalInterestCents,
    totalPaidCents: terms.principalCents + totalInterestCents,
    installments,
  };
}

/** The table by year: the parts of each year summed, with the balance at its end. */
export function byYear(installments: readonly Installment[]): Installment[] {
  const years: Installment[] = [];
  for (const row of installments) {
    const year = Math.ceil(row.month / 12);
    const sum = years[year - 1];
    years[year - 1] = {
      month: year,
      paymentCents: (sum?.paymentCents ?? 0n) + row.paymentCents,
      interestCents: (sum?.interestCents ?? 0n) + row.interestCents,
      principalCents: (sum?.principalCents ?? 0n) + row.principalCents,
      balanceCents: row.balanceCents,
    };
  }
  return years;
}
