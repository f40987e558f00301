/**
 * The institution's list of one-time codes.
 *
 * A code is stored as an HMAC (to find it) and sealed (for the admin list); both keys are outside the
 * database. Not here: checking a code and counting wrong ones (model/otp).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { OTP_CODES_INITIAL, OTP_CODES_MAX, OTP_DIGITS } from "../shared/limits";
import { isOtpCode } from "../shared/rules/otpCode";
import { hmacHex, randomBelow, seal, unseal } from "./crypto";
import { otpEncryptionKey, otpHmacKey } from "./env";
import { policySetAt, policyValue } from "./policies";

const macOf = (code: string): string => hmacHex(otpHmacKey(), `otp:${code}`);

/** The stored code that matches, or null. */
export async function findCode(ctx: QueryCtx, code: string): Promise<Doc<"otpCodes"> | null> {
  const mac = macOf(code);
  return await ctx.db
    .query("otpCodes")
    .withIndex("by_mac", (q) => q.eq("mac", mac))
    .unique();
}

/** What an audit entry may show of a code. */
export const maskedCode = (code: string): string => `****${code.slice(-2)}`;

/**
 * Adds a code to the list.
 * @throws AppError INVALID_OTP_FORMAT, OTP_CODE_EXISTS, OTP_CODE_LIMIT
 */
export async function addCode(ctx: MutationCtx, code: string, addedBy: string): Promise<void> {
  if (!isOtpCode(code)) throw appError("INVALID_OTP_FORMAT");
  if ((await findCode(ctx, code)) !== null) throw appError("OTP_CODE_EXISTS");
  if ((await listCodes(ctx)).length >= OTP_CODES_MAX) throw appError("OTP_CODE_LIMIT");
  await ctx.db.insert("otpCodes", {
    mac: macOf(code),
    enc: await seal(otpEncryptionKey(), code),
    addedBy,
    addedAt: Date.now(),
  });
}

/** Every code in the list, as stored. */
export async function listCodes(ctx: QueryCtx): Promise<Doc<"otpCodes">[]> {
  return await ctx.db.query("otpCodes").take(OTP_CODES_MAX);
}

/** A stored code in the clear. Exported for the audited admin list only. */
export const revealCode = (row: Doc<"otpCodes">): Promise<string> =>
  unseal(otpEncryptionKey(), row.enc);

/** One code from the list in the clear, for somebody who has none yet; null when the list is empty. */
export async function anyCode(ctx: QueryCtx): Promise<string | null> {
  const [code] = await listCodes(ctx);
  return code === undefined ? null : await revealCode(code);
}

/** True when every code in the list was stored with today's keys. */
export async function areCodesReadable(ctx: QueryCtx): Promise<boolean> {
  try {
    for (const row of await listCodes(ctx)) {
      if (macOf(await revealCode(row)) !== row.mac) return false;
    }
    return true;
  } catch {
    // Sealed with another key.
    return false;
  }
}

/** True when anybody has used a code since the list was cleared, and from `sinceMs` on. */
export async function isEverUsed(
  ctx: QueryCtx,
  codeId: Id<"otpCodes">,
  sinceMs = 0,
): Promise<boolean> {
  const use = await ctx.db
    .query("otpUses")
    .withIndex("by_codeId", (q) => q.eq("codeId", codeId).gte("_creationTime", sinceMs))
    .first();
  return use !== null;
}

/**
 * Removes a code from the list and returns it in the clear; null when it is not there. A `remover` must be
 * able to sign in again with one of the others, so that whoever removes codes can still add some.
 * @throws AppError OTP_CODE_LAST, OTP_CODES_USED_UP
 */
export async function removeCode(
  ctx: MutationCtx,
  codeId: Id<"otpCodes">,
  remover?: Id<"users">,
): Promise<string | null> {
  const row = await ctx.db.get("otpCodes", codeId);
  if (row === null) return null;
  const others = (await listCodes(ctx)).filter(({ _id }) => _id !== codeId);
  if (others.length === 0) throw appError("OTP_CODE_LAST");
  if (remover !== undefined && (await codesLeft(ctx, remover, others)) === 0) {
    throw appError("OTP_CODES_USED_UP");
  }
  await ctx.db.delete("otpCodes", codeId);
  return await revealCode(row);
}

// --- Codes that are left, where each works once per member -----------------------------------------

/**
 * Since when (ms) a use spends a code for good; null by the specification, where it does so only for its
 * session. Uses before the policy do not count: otherwise it would shut out whoever has used all codes by
 * then, administrators first.
 */
async function spentSince(ctx: QueryCtx): Promise<number | null> {
  if ((await policyValue(ctx, "otpReuse")) === "oncePerSession") return null;
  return await policySetAt(ctx, "otpReuse");
}

async function hasUsed(
  ctx: QueryCtx,
  userId: Id<"users">,
  codeId: Id<"otpCodes">,
  sinceMs: number,
): Promise<boolean> {
  const use = await ctx.db
    .query("otpUses")
    .withIndex("by_userId_and_codeId", (q) =>
      q.eq("userId", userId).eq("codeId", codeId).gte("_creationTime", sinceMs),
    )
    .first();
  return use !== null;
}

/** True when a person has spent a code for good. */
export async function isSpent(
  ctx: QueryCtx,
  userId: Id<"users">,
  codeId: Id<"otpCodes">,
): Promise<boolean> {
  const sinceMs = await spentSince(ctx);
  return sinceMs !== null && (await hasUsed(ctx, userId, codeId, sinceMs));
}

/**
 * How many of these codes (by default all) a person can still sign in with; null where none is ever
 * spent for good.
 */
export async function codesLeft(
  ctx: QueryCtx,
  userId: Id<"users">,
  codes?: readonly Doc<"otpCodes">[],
): Promise<number | null> {
  const sinceMs = await spentSince(ctx);
  if (sinceMs === null) return null;
  const looked = codes ?? (await listCodes(ctx));
  const areUsed = await Promise.all(looked.map(({ _id }) => hasUsed(ctx, userId, _id, sinceMs)));
  return areUsed.filter((isUsed) => !isUsed).length;
}

/**
 * Codes that everybody can sign in with, since nobody has spent them: the least that each person has left.
 * An exact count would mean looking at every person. Null where none is ever spent for good.
 */
export async function codesLeftForEverybody(ctx: QueryCtx): Promise<number | null> {
  const sinceMs = await spentSince(ctx);
  if (sinceMs === null) return null;
  const codes = await listCodes(ctx);
  const areUsed = await Promise.all(codes.map(({ _id }) => isEverUsed(ctx, _id, sinceMs)));
  return areUsed.filter((isUsed) => !isUsed).length;
}

// --- Uses -------------------------------------------------------------------------------------------

const USES_CLEARED_AT_ONCE_MAX = 1_000;

/**
 * Forgets uses recorded up to `untilMs`, so that every code works again in every session. Bounded:
 * call again while it returns that more remain.
 */
export async function clearUses(
  ctx: MutationCtx,
  untilMs: number,
): Promise<{ count: number; hasMore: boolean }> {
  const uses = await ctx.db
    .query("otpUses")
    .withIndex("by_creation_time", (q) => q.lte("_creationTime", untilMs))
    .take(USES_CLEARED_AT_ONCE_MAX);
  for (const use of uses) await ctx.db.delete("otpUses", use._id);
  return { count: uses.length, hasMore: uses.length === USES_CLEARED_AT_ONCE_MAX };
}

/**
 * Adds a random code, replacing the oldest one when the list is full. Returns it, and the one it replaced,
 * in the clear.
 */
export async function addRandomCode(
  ctx: MutationCtx,
  addedBy: string,
): Promise<{ code: string; removed: string | null }> {
  const codes = await listCodes(ctx);
  const [oldest] = codes;
  const isFull = oldest !== undefined && codes.length >= OTP_CODES_MAX;
  const removed = isFull ? await removeCode(ctx, oldest._id) : null;
  const code = await randomCode(ctx);
  await addCode(ctx, code, addedBy);
  return { code, removed };
}

/** Adds the random codes of a deployment that has none. */
export async function addInitialCodes(ctx: MutationCtx): Promise<void> {
  for (let count = 0; count < OTP_CODES_INITIAL; count++) {
    await addCode(ctx, await randomCode(ctx), "system");
  }
}

/** Replaces codes that today's keys cannot read, and returns a new one in the clear; null when they can. */
export async function renewCodes(ctx: MutationCtx): Promise<string | null> {
  if (await areCodesReadable(ctx)) return null;
  for (const { _id } of await listCodes(ctx)) await ctx.db.delete("otpCodes", _id);
  await addInitialCodes(ctx);
  return await anyCode(ctx);
}

/** A random code that is not yet in the list. */
async function randomCode(ctx: QueryCtx): Promise<string> {
  for (;;) {
    const code = String(randomBelow(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, "0");
    if ((await findCode(ctx, code)) === null) return code;
  }
}
