/**
 * What administrators do with the institution's one-time codes. Each act is audited, opening the list too.
 *
 * Not here: the list itself (model/otpCodes).
 */
import { v, type Infer } from "convex/values";
import type { Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import type { Caller } from "./access";
import * as audit from "./audit";
import { newestMadeAt } from "./newest";
import * as otpCodes from "./otpCodes";
import type { StaffCtx } from "./staffActs";
import { isActingAdmin } from "./standing";
import { getUser } from "./users";

type CodeAct = Pick<audit.AuditEntry, "action" | "before" | "after">;

const recordCodeAct = (
  ctx: MutationCtx,
  actor: audit.AuditEntry["actor"],
  act: CodeAct,
): Promise<void> => audit.append(ctx, { actor, targetLabel: "one-time codes", ...act });

/** The list in the clear. */
export async function openList(ctx: StaffCtx) {
  const rows = await otpCodes.listCodes(ctx);
  await recordCodeAct(ctx, ctx.user, { action: "otp.list", after: { count: rows.length } });
  return await Promise.all(
    rows.map(async (row) => ({
      _id: row._id,
      code: await otpCodes.revealCode(row),
      addedAt: row.addedAt,
      addedBy: row.addedBy,
    })),
  );
}

/** Which codes were used since the uses were last cleared and, where each works once, how many are left to whom. */
export async function summary(ctx: QueryCtx & Caller) {
  const rows = await otpCodes.listCodes(ctx);
  const isUsed = await Promise.all(rows.map((row) => otpCodes.isEverUsed(ctx, row._id)));
  const own = await otpCodes.codesLeft(ctx, ctx.user._id);
  const everybody = await otpCodes.codesLeftForEverybody(ctx);
  return {
    usedIds: rows.filter((_row, index) => isUsed[index]).map(({ _id }) => _id),
    left: own === null || everybody === null ? null : { own, everybody },
  };
}

/** Adds a code. @throws AppError INVALID_OTP_FORMAT, OTP_CODE_EXISTS, OTP_CODE_LIMIT */
export async function add(ctx: StaffCtx, code: string): Promise<void> {
  await otpCodes.addCode(ctx, code, ctx.user.email);
  const after = { code: otpCodes.maskedCode(code) };
  await recordCodeAct(ctx, ctx.user, { action: "otp.add", after });
}

/**
 * Removes a code, which is refused from then on.
 * @throws AppError OTP_CODE_GONE, OTP_CODE_LAST, OTP_CODES_USED_UP
 */
export async function remove(ctx: StaffCtx, codeId: Id<"otpCodes">): Promise<void> {
  const code = await otpCodes.removeCode(ctx, codeId, ctx.user._id);
  if (code === null) throw appError("OTP_CODE_GONE");
  const before = { code: otpCodes.maskedCode(code) };
  await recordCodeAct(ctx, ctx.user, { action: "otp.remove", before });
}

/** A clearing that goes on; `count`: uses forgotten so far. */
export const vClearing = v.object({
  actorId: v.id("users"),
  untilMs: v.number(),
  count: v.number(),
});
type Clearing = Infer<typeof vClearing>;

/** Forgets a batch of uses. */
async function clearBatch(ctx: MutationCtx, clearing: Clearing) {
  const { count, hasMore } = await otpCodes.clearUses(ctx, clearing.untilMs);
  return { count: clearing.count + count, isFinished: !hasMore };
}

/** Makes every code usable again in every session. Returns what `clearRest` has to go on with, too, or null. */
export async function clearUsed(ctx: StaffCtx): Promise<{ count: number; rest: Clearing | null }> {
  const untilMs = await newestMadeAt(ctx, "otpUses");
  const clearing = { actorId: ctx.user._id, untilMs, count: 0 };
  const after = await clearBatch(ctx, clearing);
  await recordCodeAct(ctx, ctx.user, { action: "otp.clearUsed", after });
  const { count, isFinished } = after;
  return { count, rest: isFinished ? null : { ...clearing, count } };
}

/**
 * Forgets more uses, as long as whoever started it may act. Returns what is left to go on with, or null: its end is
 * audited.
 */
export async function clearRest(ctx: MutationCtx, clearing: Clearing): Promise<Clearing | null> {
  const actor = await getUser(ctx, clearing.actorId);
  const mayAct = isActingAdmin(actor);
  const after = mayAct
    ? await clearBatch(ctx, clearing)
    : { count: clearing.count, isFinished: false };
  if (mayAct && !after.isFinished) return { ...clearing, count: after.count };
  await recordCodeAct(ctx, actor, { action: "otp.clearUsedEnded", after });
  return null;
}
