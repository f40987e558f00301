/** Statements of members, for administrators: older ones too, which members are told to ask for. */
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import { allPeriods, openForStaff } from "../model/statements";
import { vStatement } from "../shared/answers";
import { vAccountType } from "../shared/validators";

/** Every closed month since the person's first entry, newest first. */
export const periods = adminQuery({
  args: { userId: v.id("users") },
  returns: v.array(v.object({ period: v.string(), label: v.string() })),
  handler: (ctx, { userId }) => allPeriods(ctx, userId),
});

/**
 * One account's statement of a period (`YYYY-MM`). A mutation, because whoever opens one is audited.
 * @throws AppError USER_NOT_FOUND, STATEMENT_NOT_AVAILABLE, ACCOUNT_NOT_FOUND, STATEMENT_TOO_LONG
 */
export const open = adminMutation({
  args: { userId: v.id("users"), accountType: vAccountType, period: v.string() },
  returns: vStatement,
  handler: (ctx, { userId, accountType, period }) => openForStaff(ctx, userId, accountType, period),
});
