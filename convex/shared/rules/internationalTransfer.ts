/**
 * Rules of an international transfer: spec section 5 "International transfer", in its order, with
 * its input shaping. Spec silent: country and currency are from the lists (checked after the account
 * number), letters and digits only in the SWIFT code, the optional IBAN at most 34 characters.
 */
import { isCountry } from "../countries";
import { isCurrency } from "../currencies";
import {
  INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX,
  INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MIN,
  NAME_LENGTH_MAX,
  SHORT_TEXT_LENGTH_MAX,
  SWIFT_LENGTH_MAX,
  SWIFT_LENGTH_MIN,
} from "../limits";
import { parseAmount } from "../money";
import { isPlainText, shapeText, withoutSpaces } from "../plainText";
import { ACCOUNT_TYPES } from "../validators";
import { AMOUNT_RULES, type FundsFacts } from "./amount";
import { refuseFirst, type DraftOf, type Rule } from "./rule";
import { plainTextRule } from "./text";
import { z } from "./zod";

/** Spec section 5 "Input shaping": upper case, no spaces. */
export const shapeSwift = (text: string): string => withoutSpaces(text).toUpperCase();
/** Spec section 5 "Input shaping": upper case. */
export const shapeIban = (text: string): string => withoutSpaces(text).toUpperCase();

/** The mutation's arguments, without its request key. */
const internationalTransferCommand = z.object({
  fromAccount: z.enum(ACCOUNT_TYPES),
  recipientName: z.string().transform(shapeText),
  bankName: z.string().transform(shapeText),
  swiftCode: z.string().transform(shapeSwift),
  accountNumber: z.string().transform(withoutSpaces),
  iban: z.string().transform(shapeIban).optional(),
  /** ISO 3166 alpha-2 code. */
  country: z.string(),
  /** ISO 4217 code. */
  currency: z.string(),
  amountCents: z.bigint(),
  reference: z.string().transform(shapeText),
});
export type InternationalTransferCommand = z.output<typeof internationalTransferCommand>;
type InternationalTransferDraft = DraftOf<InternationalTransferCommand>;

const IBAN_LENGTH_MAX = 34;

function isSwift(text: string): boolean {
  const hasLength = text.length >= SWIFT_LENGTH_MIN && text.length <= SWIFT_LENGTH_MAX;
  return hasLength && /^[A-Z0-9]+$/.test(text);
}

function isAccountNumber(text: string): boolean {
  const hasLength =
    text.length >= INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MIN &&
    text.length <= INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX;
  return hasLength && isPlainText(text, INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX);
}

/** Checked before the gate: is it a transfer at all? */
export const INTERNATIONAL_TRANSFER_SHAPE_RULES: readonly Rule<
  InternationalTransferDraft,
  unknown
>[] = [
  {
    code: "FILL_ALL_FIELDS",
    refuses: (draft) =>
      [
        draft.fromAccount,
        draft.recipientName,
        draft.bankName,
        draft.swiftCode,
        draft.accountNumber,
        draft.country,
        draft.currency,
        draft.reference,
      ].includes("") || draft.amountCents === "empty",
  },
  { code: "INVALID_SWIFT", refuses: (draft) => !isSwift(draft.swiftCode) },
  {
    code: "INVALID_INTERNATIONAL_ACCOUNT_NUMBER",
    refuses: (draft) => !isAccountNumber(draft.accountNumber),
  },
  { code: "INVALID_COUNTRY", refuses: (draft) => !isCountry(draft.country) },
  { code: "INVALID_CURRENCY", refuses: (draft) => !isCurrency(draft.currency) },
  plainTextRule("recipientName", NAME_LENGTH_MAX),
  plainTextRule("bankName", NAME_LENGTH_MAX),
  plainTextRule("iban", IBAN_LENGTH_MAX),
  plainTextRule("reference", SHORT_TEXT_LENGTH_MAX),
];

export const INTERNATIONAL_TRANSFER_RULES: readonly Rule<InternationalTransferDraft, FundsFacts>[] =
  [...INTERNATIONAL_TRANSFER_SHAPE_RULES, ...AMOUNT_RULES];

/** The form of the details step: field texts in, command out, one issue at most. */
export const internationalTransferForm = (facts: FundsFacts) =>
  internationalTransferCommand
    .omit({ amountCents: true })
    .extend({ fromAccount: z.string(), amount: z.string() })
    .transform(({ amount, iban, ...rest }) => ({
      ...rest,
      iban: iban === "" ? undefined : iban,
      amountCents: parseAmount(amount),
    }))
    .superRefine(refuseFirst(INTERNATIONAL_TRANSFER_RULES, facts))
    .transform((draft) => internationalTransferCommand.parse(draft));
