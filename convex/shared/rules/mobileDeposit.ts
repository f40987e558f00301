/**
 * Rules of a mobile deposit: spec section 5 "Mobile deposit". The spec has no sentence for a missing
 * field or a cheque over the limit; ours are in the catalogue.
 *
 * Not here: what an image must be (shared/imageFiles).
 */
import { MOBILE_DEPOSIT_MAX_CENTS } from "../limits";
import type { AmountDraft } from "../money";
import { isAmount } from "./amount";
import type { Rule } from "./rule";

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
