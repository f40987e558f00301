/**
 * Rules of a bill payment: spec section 5 "Bill pay", in its order.
 *
 * Not here: settling it on its date (model/billSettlement).
 */
import { isDate } from "../dates";
import { INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX, SHORT_TEXT_LENGTH_MAX } from "../limits";
import { parseAmount } from "../money";
import { shapeText } from "../plainText";
import { ACCOUNT_TYPES, BILL_PROVIDERS } from "../validators";
import { AMOUNT_RULES, type FundsFacts } from "./amount";
import { refuseFirst, type DraftOf, type Rule } from "./rule";
import { plainTextRule } from "./text";
import { z } from "./zod";

/** The mutation's arguments, without its request key. */
const billPaymentCommand = z.object({
  fromAccount: z.enum(ACCOUNT_TYPES),
  provider: z.enum(BILL_PROVIDERS),
  accountNumber: z.string().transform(shapeText),
  amountCents: z.bigint(),
  /** `YYYY-MM-DD` in the credit union's time zone. */
  scheduleDate: z.string(),
  memo: z.string().transform(shapeText).optional(),
});
export type BillPaymentCommand = z.output<typeof billPaymentCommand>;
type BillPaymentDraft = DraftOf<BillPaymentCommand>;

type BillPaymentFacts = FundsFacts & {
  /** `YYYY-MM-DD`, the earliest date allowed. */
  readonly tomorrow: string;
};

export const BILL_PAYMENT_SHAPE_RULES: readonly Rule<BillPaymentDraft, unknown>[] = [
  {
    code: "FILL_REQUIRED_FIELDS",
    refuses: (draft) =>
      [draft.fromAccount, draft.provider, draft.accountNumber, draft.scheduleDate].includes("") ||
      draft.amountCents === "empty",
  },
  plainTextRule("accountNumber", INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX),
  plainTextRule("memo", SHORT_TEXT_LENGTH_MAX),
];

/** Checked once the account is known. */
export const BILL_PAYMENT_AMOUNT_RULES: readonly Rule<BillPaymentDraft, BillPaymentFacts>[] = [
  ...AMOUNT_RULES,
  { code: "INVALID_DATE", refuses: (draft) => !isDate(draft.scheduleDate) },
  {
    code: "PAYMENT_DATE_TOO_EARLY",
    refuses: (draft, facts) => draft.scheduleDate < facts.tomorrow,
  },
];

export const BILL_PAYMENT_RULES: readonly Rule<BillPaymentDraft, BillPaymentFacts>[] = [
  ...BILL_PAYMENT_SHAPE_RULES,
  ...BILL_PAYMENT_AMOUNT_RULES,
];

/** The form: field texts in, command out, one issue at most. */
export const billPaymentForm = (facts: BillPaymentFacts) =>
  billPaymentCommand
    .omit({ amountCents: true })
    .extend({ fromAccount: z.string(), provider: z.string(), amount: z.string() })
    .transform(({ amount, memo, ...rest }) => ({
      ...rest,
      memo: memo === "" ? undefined : memo,
      amountCents: parseAmount(amount),
    }))
    .superRefine(refuseFirst(BILL_PAYMENT_RULES, facts))
    .transform((draft) => billPaymentCommand.parse(draft));
