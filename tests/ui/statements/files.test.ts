import { describe, expect, test } from "vitest";
import { statementPdf } from "../../../src/features/statements/statementPdf";
import { fileNameOf } from "../../../src/features/statements/useStatementFiles";
import { toWinAnsi } from "../../../src/features/statements/winAnsi";
import type { Statement } from "../../../convex/shared/answers";
import { usedPercent } from "../../../src/features/cards/CreditUsage";

function statementOf(rowCount: number): Statement {
  return {
    period: "2025-03",
    label: "March 2025",
    accountType: "Checking",
    accountNumber: "3481029931",
    routingNumber: "021000021",
    holderName: "Maya Torres",
    openingCents: 100_000n,
    closingCents: 100_000n + BigInt(rowCount) * 100n,
    creditsCents: BigInt(rowCount) * 100n,
    debitsCents: 0n,
    rows: Array.from({ length: rowCount }, (_, index) => ({
      id: `row-${index}`,
      date: Date.parse("2025-03-10T15:00:00Z"),
      description: `Deposit ${index} to Łódź`,
      category: "Deposit" as const,
      type: "credit" as const,
      amountCents: 100n,
      balanceAfterCents: 100_000n + BigInt(index + 1) * 100n,
    })),
  };
}

describe("the PDF statement", () => {
  test("has one page for an empty month and more for a long one", () => {
    expect(statementPdf(statementOf(0)).getNumberOfPages()).toBe(1);
    expect(statementPdf(statementOf(120)).getNumberOfPages()).toBeGreaterThan(2);
  });

  test("is a PDF", () => {
    expect(statementPdf(statementOf(3)).output().slice(0, 5)).toBe("%PDF-");
  });
});

test("letters that the PDF's fonts lack become ones they have", () => {
  expect(toWinAnsi("Łódź – “Ünlü” ş 漢")).toBe('Lódz - "Ünlü" s ?');
});

test("file names say account and period", () => {
  expect(fileNameOf({ accountType: "Savings", period: "2024-03" }, "ofx")).toBe(
    "statement-savings-2024-03.ofx",
  );
});

test("card usage is the share of the limit that is gone", () => {
  expect(usedPercent(500_000n, 350_000n)).toBe(30);
  expect(usedPercent(0n, 0n)).toBe(0);
});
