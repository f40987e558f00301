/** The e-mail outbox, for administrators. Reads only. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { adminQuery } from "../functions";
import * as outbox from "../model/outbox";
import { vOutboxStatus } from "../shared/validators";

/** A page of e-mails, newest first. */
export const page = adminQuery({
  args: { paginationOpts: paginationOptsValidator },
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
    }),
  ),
  handler: async (ctx, { paginationOpts }) => {
    const found = await outbox.page(ctx, paginationOpts);
    const page = found.page.map(
      ({ _id, to, subject, body, status, attempts, createdAt, sentAt, lastError }) => ({
        _id,
        to,
        subject,
        body,
        status,
        attempts,
        createdAt,
        sentAt,
        lastError,
      }),
    );
    return { ...found, page };
  },
});
