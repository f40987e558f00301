/**
 * Statements and transactions as CSV text that a spreadsheet opens without running anything in it.
 *
 * Pure. Not here: PDF (the client draws it), OFX (shared/ofx), which rows belong to a statement
 * (model/statements).
 */
import type { Statement, TxRow } from "./answers";
import { dateOf, timeOf } from "./dates";
import { signedCents } from "./ledger";
import { toDecimalText } from "./money";

/** Lets Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
const LINE_END = "\r\n";
const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n']/;

/** A plain amount: the one kind of cell that may start with a minus sign. */
const AMOUNT = /^-?\d+\.\d{2}$/;

/** Security: a text that starts like a formula gets an apostrophe, so that it stays a text. */
function cell(text: string): string {
  const safe = FORMULA_START.test(text) && !AMOUNT.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csv(lines: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + lines.map((cells) => cells.map(cell).join(",") + LINE_END).join("");
}

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
  return csv([
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
  return csv([
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
