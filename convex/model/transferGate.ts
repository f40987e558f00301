/**
 * The gate in front of every transfer: reads the count, the protection and the restriction, and
 * raises the count in the mutation that moves the money.
 *
 * Spec section 6 "Transfer gating". Not here: the decision itself (shared/transferCount), resets
 * (model/transferCounts).
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import {
  decideGate,
  isCountOurs,
  leavesTheCreditUnion,
  readTransferCount,
  storedTransferCount,
} from "../shared/transferCount";
import type { TransferType } from "../shared/validators";
import { policyValue } from "./policies";
import { findActive, findUnlifted } from "./restrictions";

/** What a form must know about the gate, which refuses before amounts and funds are checked. */
type TransferUsage = {
  used: number;
  limit: number | null;
  /** Present while transfers out of the credit union are suspended; its end in ms may have passed. */
  restriction?: { expiresAt?: number };
};

/** "1 of 2 transfers used", and the restriction. The protected account has no limit. */
export async function usage(ctx: QueryCtx, user: Doc<"users">): Promise<TransferUsage> {
  const isProtected = user.isProtected === true;
  const limit = isProtected ? null : await policyValue(ctx, "transferCountLimit");
  const found = await findUnlifted(ctx, user._id);
  const end = found?.expiresAt === undefined ? {} : { expiresAt: found.expiresAt };
  return { used: readTransferCount(user), limit, ...(found === null ? {} : { restriction: end }) };
}

/**
 * Refuses a transfer that may not pass now.
 * @throws AppError ACTIVITY_ALERT, TRANSFER_BLOCKED, ACCOUNT_LOCKED (in this order of precedence)
 */
export async function passGate(
  ctx: QueryCtx,
  user: Doc<"users">,
  transferType: TransferType,
  nowMs: number,
): Promise<void> {
  const decision = decideGate(transferType, {
    count: readTransferCount(user),
    countLimit: await policyValue(ctx, "transferCountLimit"),
    isProtected: user.isProtected === true,
    isRestricted:
      leavesTheCreditUnion(transferType) && (await findActive(ctx, user._id, nowMs)) !== null,
  });
  if (decision !== "allow") throw appError(decision);
}

/** Counts one allowed transfer, under all three names. The protected account is not counted. */
export async function raiseCount(ctx: MutationCtx, user: Doc<"users">): Promise<void> {
  if (user.isProtected === true) return;
  const count = readTransferCount(user);
  await ctx.db.patch("users", user._id, {
    ...storedTransferCount(count + 1),
    ...(isCountOurs(user) ? {} : { transferCountBase: count }),
  });
}
