import { dateOf } from "#shared/dates";
import type { Cents } from "#shared/money";
import { formatUsd } from "#shared/money";
import type { ReactNode } from "react";
import { formatIsoDate, formatTime, dayHeading } from "../../lib/format";
import { TxRow, type TxRowData } from "./TxRow";

/** What the list shows of a transaction besides the row itself. */
export interface ListedTransaction extends TxRowData {
  _id: string;
  accountType: string;
  reference?: string | undefined;
  scheduledDate?: string | undefined;
  balanceAfterCents?: Cents | undefined;
}

interface TransactionDaysProps<Row> {
  transactions: readonly Row[];
  nowMs: number;
  /** Adds the account to the second line. */
  hasAccount?: boolean;
  /** What can be done with a row: a small button. */
  actionOf?: (row: Row) => ReactNode;
}

interface Day<Row> {
  iso: string;
  rows: Row[];
}

/** Groups consecutive rows of one calendar day, in the order given. */
function groupByDay<Row extends ListedTransaction>(transactions: readonly Row[]): Day<Row>[] {
  const days: Day<Row>[] = [];
  for (const row of transactions) {
    const iso = dateOf(row.date);
    const last = days.at(-1);
    if (last?.iso === iso) last.rows.push(row);
    else days.push({ iso, rows: [row] });
  }
  return days;
}

function metaOf(row: ListedTransaction, hasAccount: boolean): string {
  const parts: string[] = [row.category];
  if (hasAccount) parts.push(row.accountType);
  parts.push(formatTime(row.date));
  // The date is kept once the payment is made or fails, but it is no longer due.
  if (row.scheduledDate !== undefined && row.status === "Pending") {
    parts.push(`due\u00a0${formatIsoDate(row.scheduledDate)}`);
  }
  if (row.balanceAfterCents !== undefined) {
    parts.push(`balance ${formatUsd(row.balanceAfterCents)}`);
  }
  // In quotes: somebody else may have written it, and it must not pass for the credit union's words.
  if (row.reference !== undefined) parts.push(`"${row.reference}"`);
  return parts.join(", ");
}

/** Transactions under a heading per day: "Today", "Yesterday", "Tuesday, November 17". */
export function TransactionDays<Row extends ListedTransaction>({
  transactions,
  nowMs,
  hasAccount = false,
  actionOf,
}: TransactionDaysProps<Row>) {
  return groupByDay(transactions).map((day) => {
    const heading = dayHeading(day.rows[0]?.date ?? nowMs, nowMs);
    return (
      <div key={day.iso} className="mt-4 first:mt-0">
        <h3 className="font-sans text-sm font-normal text-muted">{heading}</h3>
        <ul aria-label={heading} className="mt-1">
          {day.rows.map((row) => (
            <li key={row._id} className="animate-fade">
              <TxRow tx={row} meta={metaOf(row, hasAccount)} action={actionOf?.(row)} />
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
