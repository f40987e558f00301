/**
 * "Manage OTPs": the institution's list of one-time codes.
 *
 * Codes are shown in the clear to administrators only, and each time is audited.
 */
import { v, type Infer } from "convex/values";
import { internal } from "../_generated/api";
import type { MutationCtx } from "../_generated/server";
import { adminAction, adminMutation, adminQuery, internalMutation } from "../functions";
import { refuseExpired, requireAdmin } from "../model/access";
import * as audit from "../model/audit";
import { newestMadeAt } from "../model/newest";
import * as otpCodes from "../model/otpCodes";
import { isActingAdmin } from "../model/standing";
import { getUser } from "../model/users";
import { appError } from "../shared/errors";

const LIST_LABEL = "one-time codes";

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
  handler: async (ctx): Promise<Infer<typeof vCodes>> => {
    const { user } = await refuseExpired(ctx, await requireAdmin(ctx), Date.now());
    const rows = await otpCodes.listCodes(ctx);
    await audit.append(ctx, {
      actor: user,
      action: "otp.list",
      targetLabel: LIST_LABEL,
      after: { count: rows.length },
    });
    return await Promise.all(
      rows.map(async (row) => ({
        _id: row._id,
        code: await otpCodes.revealCode(row),
        addedAt: row.addedAt,
        addedBy: row.addedBy,
      })),
    );
  },
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
  handler: async (ctx) => {
    const rows = await otpCodes.listCodes(ctx);
    const isUsed = await Promise.all(rows.map((row) => otpCodes.isEverUsed(ctx, row._id)));
    const own = await otpCodes.codesLeft(ctx, ctx.user._id);
    const everybody = await otpCodes.codesLeftForEverybody(ctx);
    return {
      usedIds: rows.filter((_row, index) => isUsed[index]).map(({ _id }) => _id),
      left: own === null || everybody === null ? null : { own, everybody },
    };
  },
});

/** Adds a code. @throws AppError INVALID_OTP_FORMAT, OTP_CODE_EXISTS, OTP_CODE_LIMIT */
export const add = adminMutation({
  args: { code: v.string() },
  returns: v.null(),
  handler: async (ctx, { code }) => {
    await otpCodes.addCode(ctx, code, ctx.user.email);
    await audit.append(ctx, {
      actor: ctx.user,
      action: "otp.add",
      targetLabel: LIST_LABEL,
      after: { code: otpCodes.maskedCode(code) },
    });
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
    const code = await otpCodes.removeCode(ctx, codeId, ctx.user._id);
    if (code === null) throw appError("OTP_CODE_GONE");
    await audit.append(ctx, {
      actor: ctx.user,
      action: "otp.remove",
      targetLabel: LIST_LABEL,
      before: { code: otpCodes.maskedCode(code) },
    });
    return null;
  },
});

/** A clearing that goes on; `count`: uses forgotten so far. */
const vClearing = v.object({ actorId: v.id("users"), untilMs: v.number(), count: v.number() });

/** Forgets a batch of uses, and schedules the next one if there may be more. */
async function clearBatch(
  ctx: MutationCtx,
  clearing: Infer<typeof vClearing>,
): Promise<{ count: number; isFinished: boolean }> {
  const cleared = await otpCodes.clearUses(ctx, clearing.untilMs);
  const count = clearing.count + cleared.count;
  if (cleared.hasMore) {
    await ctx.scheduler.runAfter(0, internal.admin.otpCodes.clearRest, { ...clearing, count });
  }
  return { count, isFinished: !cleared.hasMore };
}

/**
 * Makes every code usable again in every session. Returns how many uses were forgotten at once; a
 * long list is finished in the background.
 */
export const clearUsed = adminMutation({
  args: {},
  returns: v.object({ count: v.number() }),
  handler: async (ctx) => {
    const untilMs = await newestMadeAt(ctx, "otpUses");
    const after = await clearBatch(ctx, { actorId: ctx.user._id, untilMs, count: 0 });
    await audit.append(ctx, {
      actor: ctx.user,
      action: "otp.clearUsed",
      targetLabel: LIST_LABEL,
      after,
    });
    return { count: after.count };
  },
});

/** Continues forgetting uses, in batches, as long as whoever started it may act; the end is audited. */
export const clearRest = internalMutation({
  args: vClearing,
  returns: v.null(),
  handler: async (ctx, clearing) => {
    const actor = await getUser(ctx, clearing.actorId);
    const mayAct = isActingAdmin(actor);
    const { count, isFinished } = mayAct
      ? await clearBatch(ctx, clearing)
      : { count: clearing.count, isFinished: false };
    if (mayAct && !isFinished) return null;
    await audit.append(ctx, {
      actor,
      action: "otp.clearUsedEnded",
      targetLabel: LIST_LABEL,
      after: { count, isFinished },
    });
    return null;
  },
});
