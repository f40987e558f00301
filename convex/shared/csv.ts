/**
 * Turns the cells of a CSV file (or of the "Add Transactions" grid) into rows of plain text, as the
 * grid's controls hold it, and judges each cell.
 *
 * Spec section 5 "CSV upload": eight columns, the first line is a header, missing values get the
 * defaults debit, today, now, Completed. Not here: reading bytes and splitting lines (the feature
 * does that with papaparse), posting (model/adminPostings).
 */
import { CSV_COLUMNS, pickValue, plain, shapeCell, type CsvColumn } from "./csvCells";
import { AMOUNT_MAX_CENTS, SHORT_TEXT_LENGTH_MAX } from "./limits";
import { formatUsd, parseAmount, type AmountDraft } from "./money";
import { isBlank, isPlainText, withoutInvisible } from "./plainText";
import { isAmount } from "./rules/amount";
import { ACCOUNT_TYPES, CATEGORIES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from "./validators";

/** The column's name in messages, in the grid and in the template file. */
export const CSV_COLUMN_LABELS: Readonly<Record<CsvColumn, string>> = {
  account: "Account",
  type: "Type",
  amount: "Amount",
  description: "Description",
  category: "Category",
  date: "Date",
  time: "Time",
  status: "Status",
};

/** One row as text: select values, `date` as YYYY-MM-DD, `time` as HH:MM, `amount` as typed. */
export type RowTexts = Readonly<Record<CsvColumn, string>>;

/** What is wrong with one cell; `found` is the text as it was in the file or the field. */
interface CellProblem {
  readonly column: CsvColumn;
  readonly found: string;
  readonly expected: string;
}

/** A row of a file: its texts, and the cells whose text no control of the grid can hold. */
export interface CsvRow {
  readonly texts: RowTexts;
  readonly unreadable: Readonly<Partial<Record<CsvColumn, string>>>;
}

type CsvReading =
  | { readonly isOk: true; readonly rows: readonly CsvRow[] }
  | { readonly isOk: false; readonly problem: string };

/** Today and now in the credit union's time zone: the defaults for missing dates and times. */
export interface CsvDefaults {
  readonly date: string;
  readonly time: string;
}

/** The most bytes one file may have. */
const CSV_BYTES_MAX = 1_000_000;

/** Header names that mean a column, without spaces, case and punctuation. */
const HEADER_NAMES: ReadonlyMap<string, CsvColumn> = new Map([
  ["account", "account"],
  ["accounttype", "account"],
  ["type", "type"],
  ["transactiontype", "type"],
  ["amount", "amount"],
  ["description", "description"],
  ["category", "category"],
  ["date", "date"],
  ["time", "time"],
  ["status", "status"],
]);

const EXPECTED: Readonly<Record<CsvColumn, string>> = {
  account: `choose ${ACCOUNT_TYPES.join(" or ")}`,
  type: `choose ${TRANSACTION_TYPES.join(" or ")}`,
  amount: "enter a number above 0",
  description: "enter a description",
  category: `choose one of ${CATEGORIES.join(", ")}`,
  date: "enter a date such as 2026-11-20",
  time: "enter a time such as 14:30",
  status: `choose ${TRANSACTION_STATUSES.join(", ")}`,
};

/**
 * What one country reads one way and the next another: "1,250" is one and a quarter, or twelve hundred and fifty;
 * "05/11/2026" is in November, or in May.
 */
const AMBIGUOUS: Readonly<Partial<Record<CsvColumn, RegExp>>> = {
  amount: /^\D*\d{1,3},\d{3}$/,
  date: /^(0?[1-9]|1[0-2])[/-](?!\1[/-])(0?[1-9]|1[0-2])[/-]\d{4}$/,
};
/** What only the other country writes: such a cell shows how the whole column of a file is meant. */
const OTHER_COUNTRY: Readonly<Partial<Record<CsvColumn, RegExp>>> = {
  amount: /\d,\d{1,2}$/,
  date: /^(1[3-9]|2\d|3[01])[/-](0?[1-9]|1[0-2])[/-]\d{4}$/,
};
const AMOUNT_WITHOUT_COMMA = "enter the amount without a comma, such as 1250.00";
const ORDINARY_TEXT = `use at most ${SHORT_TEXT_LENGTH_MAX} ordinary characters`;

/** The longest text that a control gets: browsers take minutes to draw one letter with a hundred thousand marks. */
const CELL_LENGTH_MAX = 1_000;

const FOUND_LENGTH_MAX = 40;

/** "Row 3, Amount: enter a number above 0 (found "-12")". `rowNumber` counts from 1. */
export function cellProblemText(rowNumber: number, problem: CellProblem): string {
  const place = `Row ${rowNumber}, ${CSV_COLUMN_LABELS[problem.column]}`;
  const found = problem.found.trim();
  if (found === "") return `${place}: ${problem.expected}`;
  return `${place}: ${problem.expected} (found "${shorten(found)}")`;
}

/**
 * Maps the cells of a file to rows. The first line names the columns; names are matched without regard to
 * case, spaces and punctuation, and a file of exactly eight unknown names is read by position. Blank lines
 * must already be gone. With `separator` ";", which programs write where commas are decimal points and days come
 * before months, what could be read both ways is left for a person to decide; so it is in a column in which another
 * cell can be read only in that way.
 */
export function readCsvRows(
  lines: readonly (readonly string[])[],
  defaults: CsvDefaults,
  separator = ",",
): CsvReading {
  const [header, ...rest] = lines;
  if (header === undefined) return { isOk: false, problem: "the file is empty" };
  const columns = matchHeader(header);
  if (typeof columns === "string") return { isOk: false, problem: columns };
  if (rest.length === 0) return { isOk: false, problem: "there are no rows below the header" };
  const doubtful = doubtfulColumns(rest, columns, separator);
  const isAmbiguous = (cell: string, column: CsvColumn): boolean =>
    doubtful.has(column) && AMBIGUOUS[column]?.test(cell) === true;
  const rows: CsvRow[] = [];
  for (const [index, cells] of rest.entries()) {
    const isTooWide = cells.slice(columns.length).some((cell) => cell.trim() !== "");
    if (isTooWide) {
      return {
        isOk: false,
        problem: `row ${index + 1} has ${cells.length} values, expected ${columns.length}; put quotes around a value that contains the separator`,
      };
    }
    rows.push(readRow(cells, columns, defaults, isAmbiguous));
  }
  return { isOk: true, rows };
}

/** The problems of one row, in column order; empty when the row can be added. */
export function rowProblems(row: CsvRow): CellProblem[] {
  return CSV_COLUMNS.flatMap((column) => {
    const unreadable = row.unreadable[column];
    if (unreadable !== undefined) {
      return [{ column, found: unreadable, expected: expectationOf(column, unreadable) }];
    }
    const text = row.texts[column];
    const expected = refuseText(column, text);
    return expected === null ? [] : [{ column, found: text, expected }];
  });
}

/** The expectation of a text that no control holds. */
function expectationOf(column: CsvColumn, unreadable: string): string {
  if (unreadable.length > CELL_LENGTH_MAX) return ORDINARY_TEXT;
  return column === "amount" ? AMOUNT_WITHOUT_COMMA : EXPECTED[column];
}

/** The expectation a text fails, or null. */
function refuseText(column: CsvColumn, text: string): string | null {
  if (isBlank(text)) return EXPECTED[column];
  switch (column) {
    case "amount":
      return refuseAmount(parseAmount(text));
    case "description":
      return isPlainText(text.trim(), SHORT_TEXT_LENGTH_MAX) ? null : ORDINARY_TEXT;
    case "date":
    case "time":
    case "account":
    case "type":
    case "category":
    case "status":
      return shapeCell(column, text) === null ? EXPECTED[column] : null;
  }
}

function refuseAmount(amount: AmountDraft): string | null {
  if (isAmount(amount)) return null;
  const isTooLarge = typeof amount === "bigint" && amount > AMOUNT_MAX_CENTS;
  return isTooLarge ? `enter at most ${formatUsd(AMOUNT_MAX_CENTS)}` : EXPECTED.amount;
}

/** The columns whose cells may be meant as the other country writes them. */
function doubtfulColumns(
  lines: readonly (readonly string[])[],
  columns: readonly CsvColumn[],
  separator: string,
): ReadonlySet<CsvColumn> {
  const isShown = (column: CsvColumn, index: number): boolean =>
    lines.some((cells) => OTHER_COUNTRY[column]?.test(cellText(cells[index], column)) === true);
  return new Set(columns.filter((column, index) => separator === ";" || isShown(column, index)));
}

/** Only words have use for invisible characters; some programs write them around every date and amount. */
function cellText(cell = "", column: CsvColumn): string {
  return (column === "description" ? cell : withoutInvisible(cell)).trim();
}

function readRow(
  cells: readonly string[],
  columns: readonly CsvColumn[],
  defaults: CsvDefaults,
  isAmbiguous: (cell: string, column: CsvColumn) => boolean,
): CsvRow {
  const texts: Record<CsvColumn, string> = {
    account: "",
    type: "debit",
    amount: "",
    description: "",
    category: "",
    date: defaults.date,
    time: defaults.time,
    status: "Completed",
  };
  const unreadable: Partial<Record<CsvColumn, string>> = {};
  for (const [index, column] of columns.entries()) {
    const raw = cellText(cells[index], column);
    if (raw === "") continue;
    const shaped = isAmbiguous(raw, column) ? null : shapeCell(column, raw);
    const isHeld = shaped !== null && shaped.length <= CELL_LENGTH_MAX;
    texts[column] = isHeld ? shaped : "";
    if (!isHeld) unreadable[column] = raw;
  }
  return { texts, unreadable };
}

/** The columns in the file's order, or the sentence that says why not. */
function matchHeader(header: readonly string[]): CsvColumn[] | string {
  const cells = dropTrailingBlanks(header);
  const named = cells.map((cell) => HEADER_NAMES.get(plain(cell)));
  if (pickValue(ACCOUNT_TYPES, cells[0] ?? "") && pickValue(TRANSACTION_TYPES, cells[1] ?? "")) {
    return `the first line must name the columns: ${expectedHeader()}`;
  }
  const isByPosition =
    cells.length === CSV_COLUMNS.length &&
    named.every((column, index) => column === undefined || column === CSV_COLUMNS[index]);
  if (isByPosition) return [...CSV_COLUMNS];
  for (const [index, column] of named.entries()) {
    if (column === undefined) {
      return `header, column ${index + 1}: found "${shorten(cells[index] ?? "")}", expected one of ${expectedHeader()}`;
    }
    if (named.indexOf(column) !== index) {
      return `header, column ${index + 1}: "${CSV_COLUMN_LABELS[column]}" stands there twice`;
    }
  }
  const found = named.filter((column) => column !== undefined);
  const missing = (["account", "amount", "description", "category"] as const).filter(
    (column) => !found.includes(column),
  );
  if (missing.length > 0) {
    const names = missing.map((column) => CSV_COLUMN_LABELS[column]).join(", ");
    return `the header is missing ${names}; expected ${expectedHeader()}`;
  }
  return found;
}

/** The sentence for a file above the cap, or null. Checked before a file is read and again after. */
export function csvSizeProblem(sizeBytes: number): string | null {
  if (sizeBytes <= CSV_BYTES_MAX) return null;
  const megabytes = (sizeBytes / 1_000_000).toLocaleString("en-US", { maximumFractionDigits: 1 });
  return `the file has ${megabytes} MB, at most ${CSV_BYTES_MAX / 1_000_000} MB can be read`;
}

/** How many cells of a line are column names; this tells the right separator from a wrong one. */
export function countHeaderNames(line: readonly string[]): number {
  return line.filter((cell) => HEADER_NAMES.has(plain(cell))).length;
}

function expectedHeader(): string {
  return CSV_COLUMNS.map((column) => CSV_COLUMN_LABELS[column]).join(", ");
}

function dropTrailingBlanks(cells: readonly string[]): string[] {
  const kept = [...cells];
  while (kept.length > 0 && kept.at(-1)?.trim() === "") kept.pop();
  return kept;
}

function shorten(text: string): string {
  const oneLine = text.replace(/\s+/g, " ").trim();
  return oneLine.length > FOUND_LENGTH_MAX ? `${oneLine.slice(0, FOUND_LENGTH_MAX)}...` : oneLine;
}
