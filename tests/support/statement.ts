/** A month's statement with one entry, for tests of what is made of it. */
import type { Statement } from "#shared/answers";

export const STATEMENT_ROW: Statement["rows"][number] = {
  id: "row-1",
  date: Date.parse("2025-03-10T15:00:00Z"),
  description: '=HYPERLINK("http://x","A & B <c>")',
  category: "Food",
  type: "debit",
  amountCents: 500n,
  balanceAfterCents: 9_500n,
  reference: "a,b",
};

export const STATEMENT: Statement = {
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
  rows: [STATEMENT_ROW],
};
