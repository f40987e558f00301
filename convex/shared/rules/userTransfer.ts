/**
 * Rules of a transfer to another person here: spec section 5 "Transfer to a product user", in its
 * order (the address pattern is checked last).
 *
 * Not here: looking the recipient up (model/recipients).
 */
import { canonicalEmail, isEmail } from "../email";
import { SHORT_TEXT_LENGTH_MAX } from "../limits";
import { parseAmount } from "../money";
import { shapeText } from "../plainText";
import { ACCOUNT_TYPES } from "../validators";
import { AMOUNT_RULES, type FundsFacts } from "./amount";
import { refuseFirst, type DraftOf, type Rule } from "./rule";
import { plainTextRule } from "./text";
import { z } from "./zod";

/** The mutation's arguments, without its request key. */
const userTransferCommand = z.object({
  fromAccount: z.enum(ACCOUNT_TYPES),
  recipientEmail: z.string().transform(canonicalEmail),
  amountCents: z.bigint(),
  reference: z.string().transform(shapeText),
});
export type UserTransferCommand = z.output<typeof userTransferCommand>;
type UserTransferDraft = DraftOf<UserTransferCommand>;

/** `isRecipientVerified`: the form shows its green line. The server looks the recipient up, last of all. */
type UserTransferFacts = FundsFacts & { readonly isRecipientVerified: boolean };

/** Checked before the gate: is it a transfer at all? */
export const USER_TRANSFER_SHAPE_RULES: readonly Rule<UserTransferDraft, unknown>[] = [
  {
    code: "FILL_ALL_FIELDS",
    refuses: (draft) =>
      draft.fromAccount === "" ||
      draft.recipientEmail === "" ||
      draft.amountCents === "empty" ||
      draft.reference === "",
  },
  plainTextRule("reference", SHORT_TEXT_LENGTH_MAX),
];

/** Checked after the gate. */
export const USER_TRANSFER_AMOUNT_RULES: readonly Rule<UserTransferDraft, FundsFacts>[] = [
  ...AMOUNT_RULES,
  { code: "INVALID_EMAIL", refuses: (draft) => !isEmail(draft.recipientEmail) },
];

/** The form's rules: it knows the recipient before the amount. */
export const USER_TRANSFER_RULES: readonly Rule<UserTransferDraft, UserTransferFacts>[] = [
  ...USER_TRANSFER_SHAPE_RULES,
  { code: "INVALID_RECIPIENT", refuses: (_draft, facts) => !facts.isRecipientVerified },
  ...USER_TRANSFER_AMOUNT_RULES,
];

/** The form: field texts in, command out, one issue at most. */
export const userTransferForm = (facts: UserTransferFacts) =>
  userTransferCommand
    .omit({ amountCents: true })
    .extend({ fromAccount: z.string(), amount: z.string() })
    .transform(({ amount, ...rest }) => ({ ...rest, amountCents: parseAmount(amount) }))
    .superRefine(refuseFirst(USER_TRANSFER_RULES, facts))
    .transform((draft) => userTransferCommand.parse(draft));
