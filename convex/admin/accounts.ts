/** Account edits by administrators (spec section 5 "Account edit"). */
import { v } from "convex/values";
import { adminMutation } from "../functions";
import { editAccount } from "../model/accountEdits";
import { accountUpdateArgs } from "../shared/moneyChanges";

/** Sets numbers and balances; a difference in balance is posted as an adjustment. */
export const update = adminMutation({
  args: accountUpdateArgs,
  returns: v.null(),
  handler: (ctx, args) => editAccount(ctx, args),
});
