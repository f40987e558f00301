/**
 * The text of an amount field while it is typed and when it is left.
 *
 * Not here: turning the text into cents (#shared/money).
 */

/** Digits or groups of three, then perhaps a point and decimals; a dollar sign before them. */
const AMOUNT = /^\s*\$?\s*(\d*|\d{1,3}(?:,\d{3})+)(\.\d*)?\s*$/;

/**
 * What an amount field takes of a text: "$1,234.567" becomes "1234.56". Null for anything else ("-5",
 * "1e3", "1,50"), which a field refuses as a whole: leaving characters out would make another amount.
 */
export function shapeAmount(text: string): string | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const [, whole = "", decimals = ""] = match;
  return whole.replaceAll(",", "") + decimals.slice(0, 3);
}

/** "7" becomes "7.00", ".5" becomes "0.50"; an empty text stays empty. */
export function padAmount(text: string): string {
  const shaped = shapeAmount(text) ?? "";
  if (!/\d/.test(shaped)) return "";
  const [whole = "", decimals = ""] = shaped.split(".");
  return `${whole.replace(/^0+(?=\d)/, "") || "0"}.${decimals.padEnd(2, "0")}`;
}
