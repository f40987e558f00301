/**
 * Rules of a transaction row entered by an administrator: spec section 5 "Transaction rows".
 *
 * Not here: from file cells to rows (shared/csv), posting (model/adminPostings).
 */
import { INSTITUTION } from "../institution";
import { MS, SHORT_TEXT_LENGTH_MAX } from "../limits";
import type { AmountDraft } from "../money";
import { isPlainText } from "../plainText";
import { isAmount } from "./amount";
import type { Rule } from "./rule";

type TransactionRowDraft = {
  readonly description: string;
  readonly amountCents: AmountDraft;
  /** Moment of the row, ms since epoch; null when date or time is missing or not real. */
  readonly dateMs: number | null;
};

/** The years a row may fall in: from the credit union's founding to a year from now. */
const EARLIEST_MS = Date.UTC(INSTITUTION.foundedYear, 0, 1);
const AHEAD_MS = 366 * MS.DAY_MS;

export const TRANSACTION_ROW_RULES: readonly Rule<TransactionRowDraft, { nowMs: number }>[] = [
  {
    code: "FILL_ALL_FIELDS",
    refuses: (draft) =>
      draft.description === "" || draft.amountCents === "empty" || draft.dateMs === null,
  },
  { code: "INVALID_AMOUNT", refuses: (draft) => !isAmount(draft.amountCents) },
  {
    code: "INVALID_TEXT",
    refuses: (draft) => !isPlainText(draft.description, SHORT_TEXT_LENGTH_MAX),
  },
  {
    code: "INVALID_DATE",
    refuses: ({ dateMs }, { nowMs }) =>
      dateMs !== null &&
      (!Number.isSafeInteger(dateMs) || dateMs < EARLIEST_MS || dateMs > nowMs + AHEAD_MS),
  },
];
