/**
 * CSV text that a spreadsheet opens without running anything in it.
 *
 * Pure. Not here: reading CSV (shared/csv), which columns a file has (shared/statementExport; the
 * audit log's are the client's).
 */

/** Lets Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
const LINE_END = "\r\n";
/**
 * Where a formula may start: in a cell, and behind what else some spreadsheets take for the end of one, whatever the
 * quotes say; there, a quote may come first. Some read the full-width forms as the plain ones.
 */
const FORMULA_STARTS =
  /^(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])|([;\t\r\n]"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",;\r\n']/;

/** A plain amount: the one kind of cell that may start with a minus sign. */
const AMOUNT = /^-?\d+\.\d{2}$/;

/** Security: what starts like a formula gets an apostrophe, so that it stays text. */
function cell(text: string): string {
  const safe = AMOUNT.test(text) ? text : text.replace(FORMULA_STARTS, "$1'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of cells, ended as RFC 4180 says. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + lines.map((cells) => cells.map(cell).join(",") + LINE_END).join("");
}
