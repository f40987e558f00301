/** The public contact form (spec section 2 "Contact"); stored, shown to admins, limited. */
import { v } from "convex/values";
import { publicMutation } from "./functions";
import * as contactMessages from "./model/contactMessages";
import { vContactMethod, vContactSubject } from "./shared/validators";

/**
 * Stores a message and returns its reference number.
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_EMAIL, INVALID_TEXT, RATE_LIMITED
 */
export const send = publicMutation({
  args: {
    name: v.string(),
    email: v.string(),
    phone: v.optional(v.string()),
    subject: vContactSubject,
    message: v.string(),
    preferredContact: vContactMethod,
  },
  returns: v.object({ reference: v.string() }),
  handler: async (ctx, args) => ({ reference: await contactMessages.receive(ctx, args) }),
});
