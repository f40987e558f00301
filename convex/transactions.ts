/** What happened on a member's accounts: lists, totals and charts. Reads only. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { memberQuery } from "./functions";
import * as activity from "./model/activity";
import { historyPage } from "./model/history";
import { vHistoryRow, vTxRow } from "./shared/answers";
import { vAccountType, vCategory, vTransactionStatus, vTransactionType } from "./shared/validators";

/** Spec section 2: the newest 20. */
export const recent = memberQuery({
  args: {},
  returns: v.array(vTxRow),
  handler: (ctx) => activity.recent(ctx, ctx.user._id),
});

/** Income and outgoing of a month (`YYYY-MM`): every row except failed ones. */
export const monthTotals = memberQuery({
  args: { month: v.string() },
  returns: v.object({
    incomeCents: v.int64(),
    incomeCount: v.number(),
    outgoingCents: v.int64(),
    outgoingCount: v.number(),
  }),
  handler: (ctx, { month }) => activity.monthTotals(ctx, ctx.user._id, month),
});

/** Sum and number of Pending rows. */
export const pendingTotals = memberQuery({
  args: {},
  returns: v.object({ totalCents: v.int64(), count: v.number() }),
  handler: (ctx) => activity.pendingTotals(ctx, ctx.user._id),
});

/** Per month (`YYYY-MM`, at most 13): income, outgoing and the balance at its end, all accounts. */
export const monthlySeries = memberQuery({
  args: { months: v.array(v.string()) },
  returns: v.array(
    v.object({
      month: v.string(),
      incomeCents: v.int64(),
      outgoingCents: v.int64(),
      endBalanceCents: v.int64(),
    }),
  ),
  handler: (ctx, { months }) => activity.monthlySeries(ctx, ctx.user._id, months),
});

/** Debits of a month (`YYYY-MM`) by category, largest first. */
export const spendingByCategory = memberQuery({
  args: { month: v.string() },
  returns: v.array(v.object({ category: vCategory, totalCents: v.int64(), count: v.number() })),
  handler: (ctx, { month }) => activity.spendingByCategory(ctx, ctx.user._id, month),
});

/** Every row that matches, newest first, over the whole history. Dates `YYYY-MM-DD`, inclusive. */
export const history = memberQuery({
  args: {
    accountType: v.optional(vAccountType),
    type: v.optional(vTransactionType),
    category: v.optional(vCategory),
    status: v.optional(vTransactionStatus),
    fromDate: v.optional(v.string()),
    toDate: v.optional(v.string()),
    minCents: v.optional(v.int64()),
    maxCents: v.optional(v.int64()),
    text: v.optional(v.string()),
    paginationOpts: paginationOptsValidator,
  },
  returns: paginationResultValidator(vHistoryRow),
  handler: (ctx, { paginationOpts, ...filters }) =>
    historyPage(ctx, ctx.user._id, filters, paginationOpts),
});
