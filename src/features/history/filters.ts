/**
 * The filters of the history page as the address keeps them and as the query takes them. An address can come from
 * anywhere, so every value is checked.
 */
import { isDate } from "#shared/dates";
import { MESSAGES } from "#shared/errors";
import { AMOUNT_MAX_CENTS, SHORT_TEXT_LENGTH_MAX } from "#shared/limits";
import { parseCents } from "#shared/money";
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

/** Names of the parameters in the address, and texts of the controls. */
const FILTER_NAMES = [
  "q",
  "account",
  "type",
  "category",
  "status",
  "from",
  "to",
  "min",
  "max",
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
/** Those that are typed and may therefore hold what is no such value. */
export type TypedName = Extract<FilterName, "from" | "to" | "min" | "max">;
export type FilterTexts = Readonly<Record<FilterName, string>>;

export interface HistoryFilters {
  readonly accountType?: AccountType;
  readonly type?: TransactionType;
  readonly category?: Category;
  readonly status?: TransactionStatus;
  readonly fromDate?: string;
  readonly toDate?: string;
  readonly minCents?: bigint;
  readonly maxCents?: bigint;
  readonly text?: string;
}

/** The texts of the controls; "" where the address says nothing. */
export function readFilters(params: URLSearchParams): FilterTexts {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, params.get(name) ?? ""])) as Record<
    FilterName,
    string
  >;
}

/** The address parameters for the given filters; empty ones are left out. */
export function writeFilters(texts: FilterTexts): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of FILTER_NAMES) if (texts[name] !== "") params.set(name, texts[name]);
  return params;
}

/** A year still being typed reads as one in the first centuries. */
const typedDate = (text: string): string | undefined =>
  isDate(text) && text >= "1900" ? text : undefined;

/** No row holds more than the upper bound, and an integer too large to send would break the page. */
function typedCents(text: string): bigint | undefined {
  const cents = parseCents(text);
  return cents === null || cents > AMOUNT_MAX_CENTS ? undefined : cents;
}

/** The sentence for a typed date or amount that filters nothing. */
export function problemOf(texts: FilterTexts, name: TypedName): string | null {
  const text = texts[name];
  if (text === "") return null;
  if (name === "from" || name === "to") return typedDate(text) ? null : MESSAGES.INVALID_DATE;
  return typedCents(text) === undefined ? MESSAGES.INVALID_AMOUNT : null;
}

/** The query's arguments; texts that are not valid values filter nothing. */
export function filtersOf(texts: FilterTexts): HistoryFilters {
  const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
    values.find((value) => value === text);
  const words = texts.q.trim();
  const entries = Object.entries({
    accountType: oneOf(ACCOUNT_TYPES, texts.account),
    type: oneOf(TRANSACTION_TYPES, texts.type),
    category: oneOf(CATEGORIES, texts.category),
    status: oneOf(TRANSACTION_STATUSES, texts.status),
    fromDate: typedDate(texts.from),
    toDate: typedDate(texts.to),
    minCents: typedCents(texts.min),
    maxCents: typedCents(texts.max),
    // The query refuses longer texts.
    text: words === "" || words.length > SHORT_TEXT_LENGTH_MAX ? undefined : words,
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Why no row can ever match, in a sentence; null if one could. */
export function contradictionOf(filters: HistoryFilters): string | null {
  const { fromDate = "", toDate = fromDate, minCents = 0n, maxCents = minCents } = filters;
  if (fromDate > toDate) return "The first date is after the last one.";
  if (minCents > maxCents) return "The minimum amount is above the maximum.";
  return null;
}

/** True when any filter narrows the list. */
export function hasFilters(texts: FilterTexts): boolean {
  return FILTER_NAMES.some((name) => texts[name] !== "");
}
