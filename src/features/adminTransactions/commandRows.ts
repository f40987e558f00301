/** Rows of the grid as the server takes them, and the grid's defaults for now. */
import { pickValue } from "#shared/csvCells";
import type { CsvDefaults, RowTexts } from "#shared/csv";
import { dateOf, momentOf, timeOf } from "#shared/dates";
import { parseCents, type Cents } from "#shared/money";
import {
  ACCOUNT_TYPES,
  CATEGORIES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type AccountType,
  type Category,
  type TransactionStatus,
  type TransactionType,
} from "#shared/validators";
import type { GridState } from "./gridRows";

interface CommandRow {
  readonly accountType: AccountType;
  readonly type: TransactionType;
  readonly amountCents: Cents;
  readonly description: string;
  readonly category: Category;
  /** Time in ms since the epoch; date and time were read as the credit union's wall clock. */
  readonly date: number;
  readonly status: TransactionStatus;
}

/** Today and now on the credit union's wall clock. */
export function gridDefaults(): CsvDefaults {
  const nowMs = Date.now();
  return { date: dateOf(nowMs), time: timeOf(nowMs) };
}

/** All rows of a grid without problems; throws on a row that has one. */
export function toCommandRows(state: GridState): CommandRow[] {
  return state.rows.map(({ row }) => toCommandRow(row.texts));
}

function toCommandRow(texts: RowTexts): CommandRow {
  return {
    accountType: required(pickValue(ACCOUNT_TYPES, texts.account)),
    type: required(pickValue(TRANSACTION_TYPES, texts.type)),
    amountCents: required(parseCents(texts.amount)),
    description: texts.description.trim(),
    category: required(pickValue(CATEGORIES, texts.category)),
    date: momentOf(texts.date, texts.time),
    status: required(pickValue(TRANSACTION_STATUSES, texts.status)),
  };
}

function required<T>(value: T | null): T {
  if (value === null) throw new Error("A row with problems was to be added");
  return value;
}
