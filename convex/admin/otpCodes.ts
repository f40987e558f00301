/**
 * "Manage OTPs": the institution's list of one-time codes.
 *
 * Codes are shown in the clear to administrators only, and each time is audited. Not here: the acts themselves
 * (model/staffCodes).
 */
import { v, type Infer } from "convex/values";
import { internal } from "../_generated/api";
import { adminAction, adminMutation, adminQuery, internalMutation } from "../functions";
import { judgedAgain } from "../model/access";
import * as staffCodes from "../model/staffCodes";

const vCodes = v.array(
  v.object({
    _id: v.id("otpCodes"),
    code: v.string(),
    addedAt: v.number(),
    addedBy: v.string(),
  }),
);

/** Records that the list was opened, and returns it in the clear. */
export const openList = internalMutation({
  args: {},
  returns: vCodes,
  handler: async (ctx): Promise<Infer<typeof vCodes>> =>
    await staffCodes.openList(await judgedAgain(ctx)),
});

/**
 * The list in the clear. An action, because a backend stores what mutations return, to return it again
 * after a lost connection: the codes would be in the database in the clear.
 */
export const list = adminAction({
  args: {},
  returns: vCodes,
  handler: async (ctx): Promise<Infer<typeof vCodes>> =>
    await ctx.runMutation(internal.admin.otpCodes.openList, {}),
});

/**
 * What changes while the list is open: which codes were used since the uses were last cleared, and, where each
 * works once per member, how many the administrator has left, and how many everybody else has at least.
 */
export const summary = adminQuery({
  args: {},
  returns: v.object({
    usedIds: v.array(v.id("otpCodes")),
    left: v.union(v.null(), v.object({ own: v.number(), everybody: v.number() })),
  }),
  handler: (ctx) => staffCodes.summary(ctx),
});

/** Adds a code. @throws AppError INVALID_OTP_FORMAT, OTP_CODE_EXISTS, OTP_CODE_LIMIT */
export const add = adminMutation({
  args: { code: v.string() },
  returns: v.null(),
  handler: async (ctx, { code }) => {
    await staffCodes.add(ctx, code);
    return null;
  },
});

/**
 * Removes a code, which is refused from then on.
 * @throws AppError OTP_CODE_GONE, OTP_CODE_LAST, OTP_CODES_USED_UP
 */
export const remove = adminMutation({
  args: { codeId: v.id("otpCodes") },
  returns: v.null(),
  handler: async (ctx, { codeId }) => {
    await staffCodes.remove(ctx, codeId);
    return null;
  },
});

/**
 * Makes every code usable again in every session. Returns how many uses were forgotten at once; a
 * long list is finished in the background.
 */
export const clearUsed = adminMutation({
  args: {},
  returns: v.object({ count: v.number() }),
  handler: async (ctx) => {
    const { count, rest } = await staffCodes.clearUsed(ctx);
    if (rest !== null) await ctx.scheduler.runAfter(0, internal.admin.otpCodes.clearRest, rest);
    return { count };
  },
});

/** Continues forgetting uses, in batches, as long as whoever started it may act; the end is audited. */
export const clearRest = internalMutation({
  args: staffCodes.vClearing,
  returns: v.null(),
  handler: async (ctx, clearing) => {
    const rest = await staffCodes.clearRest(ctx, clearing);
    if (rest !== null) await ctx.scheduler.runAfter(0, internal.admin.otpCodes.clearRest, rest);
    return null;
  },
});
