/**
 * Rules of a mobile deposit: spec section 5 "Mobile deposit". The spec has no sentence for a missing
 * field or a cheque over the limit; ours are in the catalogue.
 *
 * Not here: what an image must be (model/depositImages).
 */
import { z } from "zod";
import { MOBILE_DEPOSIT_MAX_CENTS } from "../limits";
import { parseAmount, type AmountDraft } from "../money";
import { ACCOUNT_TYPES } from "../validators";
import { isAmount } from "./amount";
import { refuseFirst, type Rule } from "./rule";

export type MobileDepositDraft = {
  readonly toAccount: string;
  readonly amountCents: AmountDraft;
  readonly hasFrontImage: boolean;
  readonly hasBackImage: boolean;
};

export const MOBILE_DEPOSIT_RULES: readonly Rule<MobileDepositDraft, unknown>[] = [
  {
    code: "DEPOSIT_INCOMPLETE",
    refuses: (draft) =>
      draft.toAccount === "" ||
      draft.amountCents === "empty" ||
      !draft.hasFrontImage ||
      !draft.hasBackImage,
  },
  { code: "INVALID_AMOUNT", refuses: (draft) => !isAmount(draft.amountCents) },
  {
    code: "DEPOSIT_LIMIT",
    refuses: (draft) =>
      typeof draft.amountCents === "bigint" && draft.amountCents > MOBILE_DEPOSIT_MAX_CENTS,
  },
];

/** What the form knows before the images are uploaded. */
export const mobileDepositForm = (facts: { hasFrontImage: boolean; hasBackImage: boolean }) =>
  z
    .object({ toAccount: z.string(), amount: z.string() })
    .transform(({ amount, toAccount }) => ({
      toAccount,
      ...facts,
      amountCents: parseAmount(amount),
    }))
    .superRefine(refuseFirst(MOBILE_DEPOSIT_RULES, facts))
    .transform((draft) => mobileDepositCommand.parse(draft));

/** The mutation's arguments, without the images and the request key. */
export const mobileDepositCommand = z.object({
  toAccount: z.enum(ACCOUNT_TYPES),
  amountCents: z.bigint(),
});
