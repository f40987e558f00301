/**
 * The text of one CSV cell as the control of its column holds it: select values, ISO dates, 24-hour
 * times, plain decimal amounts.
 *
 * Not here: rows, headers and what is wrong with a cell (shared/csv).
 */
import { ACCOUNT_TYPES, CATEGORIES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from "./validators";

/** Spec section 5: the columns in their order. */
export const CSV_COLUMNS = [
  "account",
  "type",
  "amount",
  "description",
  "category",
  "date",
  "time",
  "status",
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** The text as the column's control holds it, or null when it cannot hold such a text. */
export function shapeCell(column: CsvColumn, raw: string): string | null {
  switch (column) {
    case "account":
      return pickValue(ACCOUNT_TYPES, raw);
    case "type":
      return pickValue(TRANSACTION_TYPES, raw);
    case "category":
      return pickValue(CATEGORIES, raw);
    case "status":
      return pickValue(TRANSACTION_STATUSES, raw);
    case "date":
      return shapeDate(raw);
    case "time":
      return shapeTime(raw);
    case "amount":
      return shapeAmount(raw);
    case "description":
      return raw.replace(/\s+/g, " ");
  }
}

/** The value that a text means, without regard to case, spaces and punctuation; otherwise null. */
export function pickValue<T extends string>(values: readonly T[], raw: string): T | null {
  return values.find((value) => plain(value) === plain(raw)) ?? null;
}

/** "$1,234.50" becomes "1234.50"; anything else stays as written and is judged as it is. */
function shapeAmount(raw: string): string {
  const text = raw.replace(/^\+?\s*\$\s*/, "");
  return /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(text) ? text.replaceAll(",", "") : text;
}

/** Accepts 2026-11-20 and the US forms 11/20/2026 and 11-20-2026. */
function shapeDate(raw: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(raw);
  const us = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(raw);
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]].map(Number)
    : us
      ? [us[3], us[1], us[2]].map(Number)
      : [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  // A day that its month lacks is another month's; a year below 100 is taken as one of the 20th century.
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return isReal ? `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` : null;
}

/** Accepts 14:30, 14:30:59 and 2:30 PM. Seconds are dropped: the grid has none. */
function shapeTime(raw: string): string | null {
  const match = /^(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?m\.?)?$/i.exec(raw);
  if (match === null) return null;
  const written = Number(match[1]);
  const minute = Number(match[2]);
  const half = match[3]?.toLowerCase().charAt(0);
  if (half !== undefined && (written < 1 || written > 12)) return null;
  const hour = half === undefined ? written : (written % 12) + (half === "p" ? 12 : 0);
  return hour <= 23 && minute <= 59 ? `${pad(hour, 2)}:${pad(minute, 2)}` : null;
}

/** Letters and digits only, lower case: how names are compared. */
export function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
