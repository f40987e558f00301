/**
 * The text of an amount field while it is typed and when it is left.
 *
 * Not here: turning the text into cents (#shared/money).
 */

/** Keeps digits and one point with at most two decimals: "12.3456" becomes "12.34". */
export function shapeAmount(text: string): string {
  const [whole = "", ...decimals] = text.replace(/[^\d.]/g, "").split(".");
  if (decimals.length === 0) return whole;
  return `${whole}.${decimals.join("").slice(0, 2)}`;
}

/** "7" becomes "7.00", ".5" becomes "0.50"; an empty text stays empty. */
export function padAmount(text: string): string {
  const shaped = shapeAmount(text);
  if (!/\d/.test(shaped)) return "";
  const [whole = "", decimals = ""] = shaped.split(".");
  return `${whole.replace(/^0+(?=\d)/, "") || "0"}.${decimals.padEnd(2, "0")}`;
}
