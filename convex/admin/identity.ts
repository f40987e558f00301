/** Names and e-mails of people, for administrators. */
import { v } from "convex/values";
import { adminMutation } from "../functions";
import { setIdentity } from "../model/identity";
import { setIdentityArgs } from "../shared/moneyChanges";

/**
 * Changes a person's name and e-mail: what they sign in with, and what others pay them by.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, STALE_EDIT, FILL_REQUIRED_FIELDS, INVALID_EMAIL,
 *   INVALID_TEXT, NOTHING_CHANGED, REASON_REQUIRED, PROTECTED_EMAIL, EMAIL_TAKEN, SECOND_ADMIN_FOR_IDENTITY (in this order of precedence)
 */
export const set = adminMutation({
  args: setIdentityArgs,
  returns: v.null(),
  handler: async (ctx, args) => {
    await setIdentity(ctx, args);
    return null;
  },
});
