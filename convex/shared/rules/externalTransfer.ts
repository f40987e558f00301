/**
 * Rules of a transfer to a US bank: spec section 5 "External transfer" (8 to 17 digits; the rest as
 * for internal). The bank is one from the list; spec silent on the routing number: nine digits.
 *
 * Not here: the confirmation code (model/externalTransfers).
 */
import { findBank } from "../banks";
import {
  EXTERNAL_ACCOUNT_NUMBER_DIGITS_MAX,
  EXTERNAL_ACCOUNT_NUMBER_DIGITS_MIN,
  NAME_LENGTH_MAX,
  ROUTING_NUMBER_DIGITS,
  SHORT_TEXT_LENGTH_MAX,
} from "../limits";
import { parseAmount } from "../money";
import { shapeText } from "../plainText";
import { ACCOUNT_TYPES } from "../validators";
import { AMOUNT_RULES, type FundsFacts } from "./amount";
import { refuseFirst, type DraftOf, type Rule } from "./rule";
import { plainTextRule } from "./text";
import { z } from "./zod";

/** The mutation's arguments, without its request key. */
const externalTransferCommand = z.object({
  fromAccount: z.enum(ACCOUNT_TYPES),
  toBank: z.string().transform(shapeText),
  routingNumber: z.string().transform(shapeText),
  accountNumber: z.string().transform(shapeText),
  accountName: z.string().transform(shapeText),
  amountCents: z.bigint(),
  reference: z.string().transform(shapeText),
});
export type ExternalTransferCommand = z.output<typeof externalTransferCommand>;
type ExternalTransferDraft = DraftOf<ExternalTransferCommand>;

/** True for digits only, within the length. Refuses other scripts' digits too. */
function isDigits(text: string, lengthMin: number, lengthMax: number): boolean {
  return text.length >= lengthMin && text.length <= lengthMax && /^[0-9]+$/.test(text);
}

/** Checked before the gate: is it a transfer at all? */
export const EXTERNAL_TRANSFER_SHAPE_RULES: readonly Rule<ExternalTransferDraft, unknown>[] = [
  {
    code: "FILL_ALL_FIELDS",
    refuses: (draft) =>
      draft.fromAccount === "" ||
      draft.toBank === "" ||
      draft.routingNumber === "" ||
      draft.accountNumber === "" ||
      draft.accountName === "" ||
      draft.amountCents === "empty" ||
      draft.reference === "",
  },
  {
    code: "INVALID_EXTERNAL_ACCOUNT_NUMBER",
    refuses: (draft) =>
      !isDigits(
        draft.accountNumber,
        EXTERNAL_ACCOUNT_NUMBER_DIGITS_MIN,
        EXTERNAL_ACCOUNT_NUMBER_DIGITS_MAX,
      ),
  },
  {
    code: "INVALID_ROUTING_NUMBER",
    refuses: (draft) =>
      !isDigits(draft.routingNumber, ROUTING_NUMBER_DIGITS, ROUTING_NUMBER_DIGITS),
  },
  { code: "INVALID_BANK", refuses: (draft) => findBank(draft.toBank) === undefined },
  plainTextRule("accountName", NAME_LENGTH_MAX),
  plainTextRule("reference", SHORT_TEXT_LENGTH_MAX),
];

export const EXTERNAL_TRANSFER_RULES: readonly Rule<ExternalTransferDraft, FundsFacts>[] = [
  ...EXTERNAL_TRANSFER_SHAPE_RULES,
  ...AMOUNT_RULES,
];

/** The form of step 1: field texts in, command out, one issue at most. */
export const externalTransferForm = (facts: FundsFacts) =>
  externalTransferCommand
    .omit({ amountCents: true })
    .extend({ fromAccount: z.string(), amount: z.string() })
    .transform(({ amount, ...rest }) => ({ ...rest, amountCents: parseAmount(amount) }))
    .superRefine(refuseFirst(EXTERNAL_TRANSFER_RULES, facts))
    .transform((draft) => externalTransferCommand.parse(draft));
