import type { StatementRow } from "#shared/answers";

/** What a statement says about an entry, on the page, on paper and in the PDF: "Transfer to Savings (Holiday)". */
export function entryText({ description, reference }: StatementRow): string {
  return reference === undefined ? description : `${description} (${reference})`;
}
