/** Monthly statements. Not here: the files made of them (shared/statementExport). */
import { v } from "convex/values";
import { memberMutation, memberQuery } from "./functions";
import * as statements from "./model/statements";
import { vStatement } from "./shared/answers";
import { vAccountType } from "./shared/validators";

/** The periods on offer, newest first (policy `statementPeriods`). */
export const periods = memberQuery({
  args: {},
  returns: v.array(v.object({ period: v.string(), label: v.string() })),
  handler: (ctx) => statements.periods(ctx),
});

/** One account's statement of a period (`YYYY-MM`). */
export const get = memberQuery({
  args: { accountType: vAccountType, period: v.string() },
  returns: vStatement,
  handler: (ctx, { accountType, period }) => statements.statement(ctx, accountType, period),
});

/** Sends the statement's summary to the registered e-mail address (the outbox). */
export const request = memberMutation({
  args: { accountType: vAccountType, period: v.string() },
  returns: v.null(),
  handler: (ctx, { accountType, period }) => statements.request(ctx, accountType, period),
});
