/** The audit log, for administrators. Reads only; entries are appended by each action itself. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { adminQuery } from "../functions";
import * as audit from "../model/audit";

/** A page of entries, newest first. `before` and `after` are JSON texts. */
export const page = adminQuery({
  args: {
    personId: v.optional(v.id("users")),
    accountId: v.optional(v.id("accounts")),
    action: v.optional(v.string()),
    actorId: v.optional(v.id("users")),
    paginationOpts: paginationOptsValidator,
  },
  returns: paginationResultValidator(
    v.object({
      _id: v.id("auditLog"),
      at: v.number(),
      actorEmail: v.string(),
      action: v.string(),
      targetLabel: v.string(),
      before: v.optional(v.string()),
      after: v.optional(v.string()),
      reason: v.optional(v.string()),
      /** Who requested what the actor approved or refused. */
      requestedBy: v.optional(v.string()),
    }),
  ),
  handler: async (ctx, { paginationOpts, ...filter }) => {
    const found = await audit.page(ctx, filter, paginationOpts);
    const page = found.page.map(
      ({ _id, at, actorEmail, action, targetLabel, before, after, reason, requestedBy }) => ({
        _id,
        at,
        actorEmail,
        action,
        targetLabel,
        before,
        after,
        reason,
        requestedBy,
      }),
    );
    return { ...found, page };
  },
});
