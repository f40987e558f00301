/**
 * Statements and transactions as CSV text.
 *
 * Pure. Not here: cells and lines (shared/csvText), PDF (the client draws it), OFX (shared/ofx), which
 * rows belong to a statement (model/statements).
 */
import type { Statement, TxRow } from "./answers";
import { csvText } from "./csvText";
import { dateOf, timeOf } from "./dates";
import { signedCents } from "./ledger";
import { toDecimalText } from "./money";

/** The amount with its direction: debits are negative. */
function signedText(row: { type: "credit" | "debit"; amountCents: bigint }): string {
  return toDecimalText(signedCents(row.type, row.amountCents));
}

/** A statement: opening balance, rows with running balance, closing balance. */
export function statementCsv(statement: Statement): string {
  const balanceLine = (label: string, cents: bigint) => [
    "",
    label,
    "",
    "",
    "",
    toDecimalText(cents),
  ];
  return csvText([
    ["Date", "Description", "Category", "Reference", "Amount", "Balance"],
    balanceLine("Opening balance", statement.openingCents),
    ...statement.rows.map((row) => [
      dateOf(row.date),
      row.description,
      row.category,
      row.reference ?? "",
      signedText(row),
      toDecimalText(row.balanceAfterCents),
    ]),
    balanceLine("Closing balance", statement.closingCents),
  ]);
}

/** Rows of the history, newest first as given. */
export function transactionsCsv(rows: readonly TxRow[]): string {
  return csvText([
    [
      "Date",
      "Time",
      "Account",
      "Description",
      "Category",
      "Reference",
      "Status",
      "Amount",
      "Balance",
    ],
    ...rows.map((row) => [
      dateOf(row.date),
      timeOf(row.date),
      row.accountType,
      row.description,
      row.category,
      row.reference ?? "",
      row.status,
      signedText(row),
      row.balanceAfterCents === undefined ? "" : toDecimalText(row.balanceAfterCents),
    ]),
  ]);
}
