/**
 * Rules of an administrator's account edit: spec section 5 "Admin", "Account edit".
 *
 * Not here: posting the difference (model/accountEdits).
 */
import { ADMIN_ACCOUNT_NUMBER_DIGITS, ROUTING_NUMBER_DIGITS } from "../limits";
import { isBalance } from "./amount";
import type { DraftOf, Rule } from "./rule";
import { z } from "./zod";

/** Spec section 5: stripped to digits, limited to 10. */
export const shapeAccountNumber = (text: string): string =>
  text.replace(/[^0-9]/g, "").slice(0, ADMIN_ACCOUNT_NUMBER_DIGITS);
/** Spec section 5: digits only, at most 9. */
export const shapeRoutingNumber = (text: string): string =>
  text.replace(/[^0-9]/g, "").slice(0, ROUTING_NUMBER_DIGITS);

/** The mutation's arguments, without the account and what the form started from. */
export const accountEditCommand = z.object({
  accountNumber: z.string().transform(shapeAccountNumber),
  routingNumber: z.string().transform(shapeRoutingNumber),
  balanceCents: z.bigint(),
  availableCents: z.bigint(),
});
type AccountEditCommand = z.output<typeof accountEditCommand>;

/**
 * The facts are the account as it is now: what is unchanged is not judged, so that an account whose number has 8 digits
 * (spec section 9), or whose balance grew beyond the largest amount, can still be edited.
 */
type AccountEditRule = Rule<DraftOf<AccountEditCommand>, AccountEditCommand>;

const ADMIN_ACCOUNT_NUMBER = new RegExp(`^[1-9][0-9]{${ADMIN_ACCOUNT_NUMBER_DIGITS - 1}}$`);
const ROUTING_NUMBER = new RegExp(`^[0-9]{${ROUTING_NUMBER_DIGITS}}$`);

export const ACCOUNT_EDIT_RULES: readonly AccountEditRule[] = [
  {
    code: "INVALID_ADMIN_ACCOUNT_NUMBER",
    field: "accountNumber",
    refuses: (draft, facts) =>
      draft.accountNumber !== facts.accountNumber &&
      !ADMIN_ACCOUNT_NUMBER.test(draft.accountNumber),
  },
  {
    code: "INVALID_ADMIN_ROUTING_NUMBER",
    field: "routingNumber",
    refuses: (draft, facts) =>
      draft.routingNumber !== facts.routingNumber && !ROUTING_NUMBER.test(draft.routingNumber),
  },
  {
    code: "INVALID_AMOUNT",
    field: "balanceCents",
    refuses: (draft, facts) =>
      draft.balanceCents !== facts.balanceCents && !isBalance(draft.balanceCents),
  },
  {
    code: "INVALID_AMOUNT",
    field: "availableCents",
    refuses: (draft, facts) =>
      draft.availableCents !== facts.availableCents && !isBalance(draft.availableCents),
  },
];
