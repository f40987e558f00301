import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { StatementPaper } from "../../../src/features/statements/StatementPaper";
import type { Statement } from "../../../convex/shared/answers";
import { renderFeature } from "../../support/renderFeature";

const STATEMENT: Statement = {
  period: "2025-03",
  label: "March 2025",
  accountType: "Checking",
  accountNumber: "3481029931",
  routingNumber: "021000021",
  holderName: "Maya Torres",
  openingCents: 10_000n,
  closingCents: 9_500n,
  creditsCents: 0n,
  debitsCents: 500n,
  rows: [
    {
      id: "row-1",
      date: Date.parse("2025-03-10T15:00:00Z"),
      description: "Transfer to Savings",
      category: "Transfer",
      type: "debit",
      amountCents: 500n,
      balanceAfterCents: 9_500n,
      reference: "Holiday",
    },
  ],
};

test("entries carry their references on the page and on paper, as in the PDF", () => {
  renderFeature(<StatementPaper statement={STATEMENT} ref={null} />);
  expect(screen.getAllByText("Transfer to Savings (Holiday)")).not.toHaveLength(0);
});
