/** The public contact form (spec section 2 "Contact"); stored, shown to admins, limited. */
import { v } from "convex/values";
import { publicMutation } from "./functions";
import * as contactMessages from "./model/contactMessages";
import { vContactMethod, vContactSubject } from "./shared/validators";

/**
 * Stores a message and returns its reference number. With a `requestKey`, sending the same again returns the same number.
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_EMAIL, INVALID_TEXT, REQUEST_KEY_REUSED, RATE_LIMITED
 */
export const send = publicMutation({
  args: {
    name: v.string(),
    email: v.string(),
    phone: v.optional(v.string()),
    subject: vContactSubject,
    message: v.string(),
    preferredContact: vContactMethod,
    requestKey: v.optional(v.string()),
  },
  returns: v.object({ reference: v.string() }),
  handler: async (ctx, { requestKey, ...draft }) => ({
    reference: await contactMessages.receive(ctx, draft, requestKey),
  }),
});
