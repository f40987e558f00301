/**
 * What an operator does where no administrator can help: a password, an administrator, a code.
 *
 * Internal functions only, for whoever holds the data folder or the deployment's key (`npm run operator`).
 * The ones to call are actions: a backend may store what a mutation returns, and no secret may be stored
 * in the clear. Not here: the acts themselves (model/operator).
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalAction, internalMutation, internalQuery } from "./functions";
import { NO_SENDER, randomPassword } from "./model/hashQueue";
import * as operator from "./model/operator";
import { listAdmins } from "./model/users";
import { displayName } from "./shared/names";

const PASSWORD_BYTES = 12;

/** The administrators, oldest first, and what keeps each from working. */
export const admins = internalQuery({
  args: {},
  returns: v.array(
    v.object({
      email: v.string(),
      name: v.string(),
      isDisabled: v.boolean(),
      mustChangePassword: v.boolean(),
    }),
  ),
  handler: async (ctx) =>
    (await listAdmins(ctx)).map((admin) => ({
      email: admin.email,
      name: displayName(admin),
      isDisabled: admin.disabledAt !== undefined,
      mustChangePassword: admin.mustChangePassword === true,
    })),
});

/** Writes what `resetPassword` has hashed. */
export const writePassword = internalMutation({
  args: {
    email: v.string(),
    reason: v.string(),
    isEnabling: v.boolean(),
    passwordHash: v.string(),
  },
  returns: v.null(),
  handler: async (ctx, args) => {
    await operator.resetPassword(ctx, args);
    return null;
  },
});

/**
 * Gives an administrator a random one-time password and returns it; see model/operator.
 * @throws AppError RATE_LIMITED (as `randomPassword`), REASON_REQUIRED, INVALID_TEXT, USER_NOT_FOUND,
 *   NOT_ADMIN, ADMINISTRATOR_DISABLED
 */
export const resetPassword = internalAction({
  args: { email: v.string(), reason: v.string(), isEnabling: v.optional(v.boolean()) },
  returns: v.object({ password: v.string() }),
  handler: async (ctx, { isEnabling = false, ...args }) => {
    const { password, passwordHash } = await randomPassword(PASSWORD_BYTES, NO_SENDER);
    await ctx.runMutation(internal.operator.writePassword, { ...args, isEnabling, passwordHash });
    return { password };
  },
});

/** Writes what `addAdmin` has hashed, and returns a one-time code. */
export const writeAdmin = internalMutation({
  args: { email: v.string(), name: v.string(), reason: v.string(), passwordHash: v.string() },
  returns: v.string(),
  handler: (ctx, args) => operator.addAdmin(ctx, args),
});

/**
 * Makes another administrator; returns their one-time password and a one-time code.
 * @throws AppError RATE_LIMITED (as `randomPassword`), REASON_REQUIRED, INVALID_TEXT,
 *   INVALID_EMAIL_FORMAT, USER_NOT_FOUND, EMAIL_TAKEN
 */
export const addAdmin = internalAction({
  args: { email: v.string(), reason: v.string(), name: v.optional(v.string()) },
  returns: v.object({ password: v.string(), code: v.string() }),
  handler: async (ctx, { name = "Administrator", ...args }) => {
    const { password, passwordHash } = await randomPassword(PASSWORD_BYTES, NO_SENDER);
    const admin = { ...args, name, passwordHash };
    const code: string = await ctx.runMutation(internal.operator.writeAdmin, admin);
    return { password, code };
  },
});

/** Writes what `addCode` returns. */
export const writeCode = internalMutation({
  args: { reason: v.string() },
  returns: v.string(),
  handler: (ctx, { reason }) => operator.addCode(ctx, reason),
});

/**
 * Adds a random one-time code that nobody has used, and returns it.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT
 */
export const addCode = internalAction({
  args: { reason: v.string() },
  returns: v.object({ code: v.string() }),
  handler: async (ctx, { reason }): Promise<{ code: string }> => ({
    code: await ctx.runMutation(internal.operator.writeCode, { reason }),
  }),
});
