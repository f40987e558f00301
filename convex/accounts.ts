/** A member's own accounts. Not here: edits (admin/accounts), balances (model/ledger). */
import { v } from "convex/values";
import { internalMutation, memberQuery } from "./functions";
import { listOwn, replaceMaskedNumbers } from "./model/accounts";
import { vAccount } from "./shared/answers";

/** Own accounts, Checking first. */
export const listMine = memberQuery({
  args: {},
  returns: v.array(vAccount),
  handler: (ctx) => listOwn(ctx, ctx.user),
});

/** Spec section 3: accounts without a number, or with a masked one, get one. Daily job. */
export const replaceMasked = internalMutation({
  args: {},
  returns: v.number(),
  handler: (ctx) => replaceMaskedNumbers(ctx),
});
