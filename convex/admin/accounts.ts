/** Account edits by administrators (spec section 5 "Account edit"). */
import { v } from "convex/values";
import { adminMutation } from "../functions";
import { editAccount } from "../model/accountEdits";

/** Sets numbers and balances; a difference in balance is posted as an adjustment. */
export const update = adminMutation({
  args: {
    accountId: v.string(),
    accountNumber: v.string(),
    routingNumber: v.string(),
    balanceCents: v.int64(),
    availableCents: v.int64(),
    /** What the form started from; a difference means somebody else was faster. */
    expected: v.optional(
      v.object({
        balanceCents: v.int64(),
        availableCents: v.int64(),
        accountNumber: v.string(),
        routingNumber: v.string(),
      }),
    ),
    reason: v.optional(v.string()),
  },
  returns: v.null(),
  handler: (ctx, args) => editAccount(ctx, args),
});
