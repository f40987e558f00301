import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  byYear,
  monthlyPaymentCents,
  planLoan,
} from "../../../src/features/marketing/calculators/loan";

const terms = fc.record({
  principalCents: fc.bigInt(10_000n, 1_000_000_000n),
  rateMilliPercent: fc.bigInt(0n, 36_000n),
  months: fc.integer({ min: 1, max: 480 }),
});

describe("loan arithmetic", () => {
  test.each([
    ["25,000 at 5.99 % over 5 years", 2_500_000n, 5_990n, 60, 48_320n],
    ["200,000 at 6 % over 30 years", 20_000_000n, 6_000n, 360, 119_910n],
    ["320,000 at 3.99 % over 30 years", 32_000_000n, 3_990n, 360, 152_588n],
    ["1,200 without interest over a year", 120_000n, 0n, 12, 10_000n],
    ["100 at 12 % in one payment", 10_000n, 12_000n, 1, 10_100n],
  ])("%s costs the textbook payment", (_, principalCents, rateMilliPercent, months, expected) => {
    expect(monthlyPaymentCents({ principalCents, rateMilliPercent, months })).toBe(expected);
  });

  test("the principal parts sum to the loan and the last payment leaves nothing owed", () => {
    fc.assert(
      fc.property(terms, (loan) => {
        const { installments } = planLoan(loan);
        const repaid = installments.reduce((sum, row) => sum + row.principalCents, 0n);
        expect(repaid).toBe(loan.principalCents);
        expect(installments.at(-1)?.balanceCents).toBe(0n);
        expect(installments.length).toBeLessThanOrEqual(loan.months);
      }),
    );
  });

  test("each row adds up, the debt never grows and interest never rises", () => {
    fc.assert(
      fc.property(terms, (loan) => {
        let owedCents = loan.principalCents;
        let interestCents: bigint | undefined;
        for (const row of planLoan(loan).installments) {
          expect(row.paymentCents).toBe(row.interestCents + row.principalCents);
          expect(row.balanceCents).toBe(owedCents - row.principalCents);
          expect(row.balanceCents).toBeLessThanOrEqual(owedCents);
          expect(row.interestCents).toBeLessThanOrEqual(interestCents ?? row.interestCents);
          owedCents = row.balanceCents;
          interestCents = row.interestCents;
        }
      }),
    );
  });

  test("totals and the table by year agree with the payments", () => {
    fc.assert(
      fc.property(terms, (loan) => {
        const plan = planLoan(loan);
        const paid = plan.installments.reduce((sum, row) => sum + row.paymentCents, 0n);
        expect(plan.totalPaidCents).toBe(paid);
        expect(plan.totalInterestCents).toBe(paid - loan.principalCents);
        const years = byYear(plan.installments);
        expect(years.reduce((sum, row) => sum + row.paymentCents, 0n)).toBe(paid);
        expect(years.length).toBe(Math.ceil(plan.installments.length / 12));
        expect(years.at(-1)?.balanceCents).toBe(0n);
      }),
    );
  });

  test("a higher rate never costs less", () => {
    fc.assert(
      fc.property(terms, (loan) => {
        const dearer = { ...loan, rateMilliPercent: loan.rateMilliPercent + 250n };
        expect(monthlyPaymentCents(dearer)).toBeGreaterThanOrEqual(monthlyPaymentCents(loan));
      }),
    );
  });
});
