/** The e-mail outbox, for administrators. Sending again is audited. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import * as outbox from "../model/outbox";
import { vOutboxStatus } from "../shared/validators";

/** A page of e-mails, newest first; with `status`, those of that status, the ones tried last first. */
export const page = adminQuery({
  args: { status: v.optional(vOutboxStatus), paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(
    v.object({
      _id: v.id("outbox"),
      to: v.string(),
      subject: v.string(),
      body: v.string(),
      status: vOutboxStatus,
      attempts: v.number(),
      createdAt: v.number(),
      sentAt: v.optional(v.number()),
      lastError: v.optional(v.string()),
      /** It failed, and the person has another address by now. */
      isToFormerAddress: v.boolean(),
    }),
  ),
  handler: async (ctx, { status: wanted, paginationOpts }) => {
    const found = await outbox.page(ctx, wanted, paginationOpts);
    const views = found.page.map(async (mail) => {
      const { _id, to, subject, body, status, attempts, createdAt, sentAt, lastError } = mail;
      const isToFormerAddress = await outbox.isToFormerAddress(ctx, mail);
      const text = { _id, to, subject, body, createdAt };
      return { ...text, status, attempts, sentAt, lastError, isToFormerAddress };
    });
    return { ...found, page: await Promise.all(views) };
  },
});

/**
 * Tries a failed e-mail again, from the first attempt. Does nothing to one that has not failed.
 * @throws AppError NOT_FOUND
 */
export const sendAgain = adminMutation({
  args: { mailId: v.id("outbox") },
  returns: v.null(),
  handler: async (ctx, { mailId }) => {
    await outbox.sendAgain(ctx, mailId);
    return null;
  },
});
