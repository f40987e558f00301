/** A member's own accounts. Not here: edits (admin/accounts), balances (model/ledger). */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, memberQuery } from "./functions";
import { listOwn, replaceMaskedNumbers } from "./model/accounts";
import { vAccount } from "./shared/answers";

/** The caller's accounts, Checking first. */
export const listMine = memberQuery({
  args: {},
  returns: v.array(vAccount),
  handler: (ctx) => listOwn(ctx, ctx.user),
});

/** Spec section 3: accounts without a number, or with a masked one, get one, a batch at a time. Job. */
export const replaceMasked = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    const hasMore = await replaceMaskedNumbers(ctx);
    if (hasMore) await ctx.scheduler.runAfter(0, internal.accounts.replaceMasked, {});
    return null;
  },
});
