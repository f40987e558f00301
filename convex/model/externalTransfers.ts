/**
 * Transfers to US banks, in two steps: stored at step 1, executed by step 2 with a one-time code.
 *
 * Step 2 carries only the id and the code, so nothing can be changed in between; the stored transfer
 * belongs to the session that made it and lapses after five minutes. Not here: codes (model/otp).
 */
import type { ObjectType } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import type { CodeRefusal, externalTransferFields, Receipt } from "../shared/answers";
import { appError } from "../shared/errors";
import { spendableCents } from "../shared/ledger";
import { MS, PENDING_TRANSFERS_PER_PERSON_MAX, PENDING_TRANSFER_LIFE_MS } from "../shared/limits";
import { formatUsd } from "../shared/money";
import { isBlank, shapeText } from "../shared/plainText";
import { AMOUNT_RULES } from "../shared/rules/amount";
import { EXTERNAL_TRANSFER_SHAPE_RULES } from "../shared/rules/externalTransfer";
import { isWaiting } from "../shared/waits";
import type { Caller } from "./access";
import { getOwn } from "./accounts";
import { findById } from "./byId";
import { judge } from "./judge";
import { countOwnChange } from "./limits";
import { notify } from "./notify";
import { verifyCode } from "./otp";
import { findOutcome, outcomeOfKey, recordOutcome, replaceOutcome, requestOf } from "./requests";
import { execute, getReceipt } from "./transferExecution";
import { passGate } from "./transferGate";

type Ctx = MutationCtx & Caller;

const SWEEP_ROWS_MAX = 200;

type ExternalArgs = ObjectType<typeof externalTransferFields>;

/**
 * Step 1. Stores the transfer; moves nothing. Beyond five waiting ones, the oldest lapses. Called again with the
 * same key, it returns the same transfer if that was executed (then with its receipt) or can be confirmed in this
 * session; one waiting in another session lapses.
 * @throws AppError INVALID_TEXT (no request key), REQUEST_KEY_REUSED, the shape rules' codes,
 *   SOURCE_ACCOUNT_NOT_FOUND, ACTIVITY_ALERT, TRANSFER_BLOCKED, ACCOUNT_LOCKED, INVALID_AMOUNT,
 *   INSUFFICIENT_FUNDS, RATE_LIMITED
 */
export async function startExternal(
  ctx: Ctx,
  args: ExternalArgs,
): Promise<{ pendingId: Id<"pendingTransfers">; expiresAt: number; receipt?: Receipt }> {
  const nowMs = Date.now();
  const { requestKey, ...rest } = args;
  const draft = {
    ...rest,
    toBank: shapeText(args.toBank),
    routingNumber: shapeText(args.routingNumber),
    accountNumber: shapeText(args.accountNumber),
    accountName: shapeText(args.accountName),
    reference: shapeText(args.reference),
  };
  const request = requestOf(ctx.user._id, "externalStart", requestKey, draft);
  const earlier = await findOutcome(ctx, request);
  const started = earlier === null ? null : await findPending(ctx, earlier);
  if (started !== null && isOfUse(ctx, started, nowMs)) {
    const { _id: pendingId, expiresAt, transferId } = started;
    if (transferId === undefined) return { pendingId, expiresAt };
    return { pendingId, expiresAt, receipt: await getReceipt(ctx, transferId) };
  }
  judge(EXTERNAL_TRANSFER_SHAPE_RULES, draft, undefined);
  await refuseUnaffordable(ctx, draft, nowMs);
  await countOwnChange(ctx, ctx.user._id);

  // After this point the step must succeed.
  // It is waiting in another session: a key is good for one transfer, whichever session confirms it.
  if (started !== null) await lapse(ctx, started, nowMs);
  await lapseOldest(ctx, nowMs);
  const expiresAt = nowMs + PENDING_TRANSFER_LIFE_MS;
  const pendingId = await ctx.db.insert("pendingTransfers", {
    ...draft,
    userId: ctx.user._id,
    authSession: ctx.session.sessionId,
    requestKey,
    createdAt: nowMs,
    expiresAt,
  });
  const remember = earlier === null ? recordOutcome : replaceOutcome;
  await remember(ctx, request, pendingId, nowMs);
  return { pendingId, expiresAt };
}

/**
 * Step 2. Confirming an executed transfer again returns the same receipt, in any session. Everything is
 * judged again before the code is checked, so a refusal never spends a code.
 * @returns the receipt, or the refusal of a wrong code (which must be counted, so it is not thrown)
 * @throws AppError OTP_EMPTY, NOT_FOUND (not there, another person's, or waiting in another session),
 *   STEP_EXPIRED, then as step 1 from SOURCE_ACCOUNT_NOT_FOUND to INSUFFICIENT_FUNDS
 */
export async function confirmExternal(
  ctx: Ctx,
  pendingId: string,
  code: string,
): Promise<Receipt | CodeRefusal> {
  const nowMs = Date.now();
  if (isBlank(code)) throw appError("OTP_EMPTY");
  const pending = await getPending(ctx, pendingId);
  if (pending.transferId !== undefined) return await getReceipt(ctx, pending.transferId);
  if (pending.authSession !== ctx.session.sessionId) throw appError("NOT_FOUND");
  if (!isOpen(pending, nowMs)) throw appError("STEP_EXPIRED");
  // A key is good for the transfer it names now, even if the clock was set back since an earlier one lapsed.
  if ((await outcomeOfKey(ctx, pending)) !== pending._id) throw appError("STEP_EXPIRED");
  const source = await refuseUnaffordable(ctx, pending, nowMs);
  const verified = await verifyCode(ctx, ctx.user, ctx.session, code, "externalTransfer");
  if (!verified.ok) return verified;

  // After this point the transfer must succeed.
  const { toBank, routingNumber, accountNumber, accountName, amountCents, reference } = pending;
  const receipt = await execute(ctx, null, nowMs, {
    transferType: "external",
    source,
    amountCents,
    reference,
    toLabel: `${accountName}, ${toBank}`,
    details: { toBank, routingNumber, accountNumber, accountName },
    // Spec section 7: a description naming the bank and the account name.
    debitText: `Transfer to ${toBank} - ${accountName}`,
    counterparty: { internalAccount: "bankClearing", amountCents },
  });
  await ctx.db.patch("pendingTransfers", pending._id, { transferId: receipt.transferId });
  await notify(ctx, ctx.user._id, {
    kind: "transfer",
    title: "External transfer sent",
    body: `${formatUsd(amountCents)} sent to ${accountName} at ${toBank}.`,
  });
  return receipt;
}

/**
 * Removes a batch of transfers that lapsed more than a day ago. Returns whether there may be more. Executed ones
 * stay: their request key is good for one transfer, however late it is sent again.
 */
export async function sweepPending(ctx: MutationCtx, nowMs: number): Promise<boolean> {
  const lapsed = await ctx.db
    .query("pendingTransfers")
    .withIndex("by_transferId_and_expiresAt", (q) =>
      q.eq("transferId", undefined).lt("expiresAt", nowMs - MS.DAY_MS),
    )
    .take(SWEEP_ROWS_MAX);
  for (const pending of lapsed) await ctx.db.delete("pendingTransfers", pending._id);
  return lapsed.length === SWEEP_ROWS_MAX;
}

/** Checks ownership, gate, amount and funds, in this order. Returns the source account. */
async function refuseUnaffordable(
  ctx: Ctx,
  draft: Omit<ExternalArgs, "requestKey">,
  nowMs: number,
): Promise<Doc<"accounts">> {
  const { user } = ctx;
  const source = await getOwn(ctx, user._id, draft.fromAccount, "SOURCE_ACCOUNT_NOT_FOUND");
  await passGate(ctx, user, "external", nowMs);
  const facts = { availableCents: spendableCents(source) };
  judge(AMOUNT_RULES, draft, facts);
  return source;
}

/** Whether a stored transfer was executed, or can be confirmed in this session. */
const isOfUse = (ctx: Ctx, pending: Doc<"pendingTransfers">, nowMs: number): boolean =>
  pending.transferId !== undefined ||
  (isOpen(pending, nowMs) && pending.authSession === ctx.session.sessionId);

/** Whether a stored transfer's five minutes last. */
const isOpen = ({ expiresAt }: Doc<"pendingTransfers">, nowMs: number): boolean =>
  isWaiting(expiresAt, PENDING_TRANSFER_LIFE_MS, nowMs);

async function findPending(ctx: Ctx, pendingId: string): Promise<Doc<"pendingTransfers"> | null> {
  const pending = await findById(ctx, "pendingTransfers", pendingId);
  return pending?.userId === ctx.user._id ? pending : null;
}

async function getPending(ctx: Ctx, pendingId: string): Promise<Doc<"pendingTransfers">> {
  const pending = await findPending(ctx, pendingId);
  if (pending === null) throw appError("NOT_FOUND");
  return pending;
}

/** Makes room for one more waiting transfer. */
async function lapseOldest(ctx: Ctx, nowMs: number): Promise<void> {
  const newestFirst = await ctx.db
    .query("pendingTransfers")
    .withIndex("by_userId_and_createdAt", (q) =>
      q.eq("userId", ctx.user._id).gt("createdAt", nowMs - PENDING_TRANSFER_LIFE_MS),
    )
    .order("desc")
    .take(SWEEP_ROWS_MAX);
  const waiting = newestFirst.filter(
    (pending) => pending.transferId === undefined && isOpen(pending, nowMs),
  );
  for (const pending of waiting.slice(PENDING_TRANSFERS_PER_PERSON_MAX - 1)) {
    await lapse(ctx, pending, nowMs);
  }
}

async function lapse(ctx: Ctx, pending: Doc<"pendingTransfers">, nowMs: number): Promise<void> {
  if (pending.expiresAt <= nowMs) return;
  await ctx.db.patch("pendingTransfers", pending._id, { expiresAt: nowMs });
}
