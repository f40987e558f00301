/** Contact messages, for administrators. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import * as contactMessages from "../model/contactMessages";
import { contactMessageFields } from "../shared/answers";

/**
 * A page of messages, newest first; with `isHandled`, those that are handled, or open. With the beginning of a
 * `reference`, those that have it, whether handled or open.
 */
export const page = adminQuery({
  args: {
    isHandled: v.optional(v.boolean()),
    reference: v.optional(v.string()),
    paginationOpts: paginationOptsValidator,
  },
  returns: paginationResultValidator(
    v.object({ _id: v.id("contactMessages"), ...contactMessageFields }),
  ),
  handler: async (ctx, { paginationOpts, ...filter }) => {
    const found = await contactMessages.page(ctx, filter, paginationOpts);
    return {
      ...found,
      page: found.page.map(({ _creationTime, requestKey: _key, ...message }) => message),
    };
  },
});

/** Marks a message as handled, or open again; does nothing to one that is so already. @throws AppError NOT_FOUND */
export const setHandled = adminMutation({
  args: { messageId: v.id("contactMessages"), isHandled: v.boolean() },
  returns: v.null(),
  handler: async (ctx, { messageId, isHandled }) => {
    await contactMessages.setHandled(ctx, messageId, isHandled);
    return null;
  },
});
