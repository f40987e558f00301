/**
 * Rules of a transfer between own accounts: spec section 5 "Internal transfer", in its order.
 *
 * Not here: whether a transfer may pass at all (shared/transferCount).
 */
import { SHORT_TEXT_LENGTH_MAX } from "../limits";
import { parseAmount } from "../money";
import { shapeText } from "../plainText";
import { ACCOUNT_TYPES } from "../validators";
import { AMOUNT_RULES, type FundsFacts } from "./amount";
import { refuseFirst, type DraftOf, type Rule } from "./rule";
import { plainTextRule } from "./text";
import { z } from "./zod";

/** The mutation's arguments, without its request key. */
const internalTransferCommand = z.object({
  fromAccount: z.enum(ACCOUNT_TYPES),
  toAccount: z.enum(ACCOUNT_TYPES),
  amountCents: z.bigint(),
  reference: z.string().transform(shapeText),
});
export type InternalTransferCommand = z.output<typeof internalTransferCommand>;
type InternalTransferDraft = DraftOf<InternalTransferCommand>;

/** Checked before the gate: is it a transfer at all? */
export const INTERNAL_TRANSFER_SHAPE_RULES: readonly Rule<InternalTransferDraft, unknown>[] = [
  {
    code: "FILL_ALL_FIELDS",
    refuses: (draft) =>
      draft.fromAccount === "" ||
      draft.toAccount === "" ||
      draft.amountCents === "empty" ||
      draft.reference === "",
  },
  { code: "SAME_ACCOUNT", refuses: (draft) => draft.fromAccount === draft.toAccount },
  plainTextRule("reference", SHORT_TEXT_LENGTH_MAX),
];

export const INTERNAL_TRANSFER_RULES: readonly Rule<InternalTransferDraft, FundsFacts>[] = [
  ...INTERNAL_TRANSFER_SHAPE_RULES,
  ...AMOUNT_RULES,
];

/** The form: field texts in, command out, one issue at most. */
export const internalTransferForm = (facts: FundsFacts) =>
  internalTransferCommand
    .omit({ amountCents: true })
    .extend({ fromAccount: z.string(), toAccount: z.string(), amount: z.string() })
    .transform(({ amount, ...rest }) => ({ ...rest, amountCents: parseAmount(amount) }))
    .superRefine(refuseFirst(INTERNAL_TRANSFER_RULES, facts))
    .transform((draft) => internalTransferCommand.parse(draft));
