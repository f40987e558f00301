/**
 * Writes an allowed transfer, and its receipt.
 *
 * Not here: whether it is allowed (model/transfers, model/externalTransfers).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import type { Receipt } from "../shared/answers";
import type { Cents } from "../shared/money";
import type { TransferType } from "../shared/validators";
import type { Caller } from "./access";
import { findById } from "./byId";
import { post } from "./ledger";
import type { Leg } from "./ledgerWrites";
import { recordOutcome, type Request } from "./requests";
import { raiseCount } from "./transferGate";

type Ctx = MutationCtx & Caller;

/** One allowed transfer, ready to be written. */
type Execution = {
  readonly transferType: TransferType;
  readonly source: Doc<"accounts">;
  readonly amountCents: Cents;
  readonly reference: string;
  readonly toLabel: string;
  /** The payload's own fields, kept with the receipt. */
  readonly details: Partial<Omit<Doc<"transfers">, "userId">>;
  readonly debitText: string;
  readonly counterparty: Leg;
};

/**
 * Writes one allowed transfer: receipt, journal with rows, count, and the outcome of its request
 * (null where something else remembers it).
 */
export async function execute(
  ctx: Ctx,
  request: Request | null,
  nowMs: number,
  transfer: Execution,
): Promise<Receipt> {
  const { transferType, source, amountCents, reference, toLabel } = transfer;
  const fields = {
    transferType,
    fromAccount: source.type,
    toLabel,
    amountCents,
    reference,
    createdAt: nowMs,
    availableCents: source.availableCents - amountCents,
  };
  const transferId = await ctx.db.insert("transfers", {
    userId: ctx.user._id,
    ...transfer.details,
    ...fields,
  });
  const { debitText } = transfer;
  const debit: Leg = {
    account: source,
    amountCents: -amountCents,
    row: { description: debitText, category: "Transfer", reference },
  };
  const journal = {
    kind: "transfer" as const,
    memo: debitText,
    actorId: ctx.user._id,
    transferId,
    effectiveAt: nowMs,
    legs: [debit, transfer.counterparty],
  };
  await post(ctx, [journal], nowMs);
  await raiseCount(ctx, ctx.user);
  if (request !== null) await recordOutcome(ctx, request, transferId, nowMs);
  return { transferId, ...fields };
}

/** The receipt for an id that the database itself handed out. */
export async function getReceipt(ctx: QueryCtx & Caller, transferId: string): Promise<Receipt> {
  const found = await receipt(ctx, ctx.user._id, transferId);
  if (found === null) throw new Error("A recorded transfer has no receipt");
  return found;
}

/** A person's own receipt, or null (not there, or not theirs). */
export async function receipt(
  ctx: QueryCtx,
  userId: Id<"users">,
  transferId: string,
): Promise<Receipt | null> {
  const transfer = await findById(ctx, "transfers", transferId);
  if (transfer === null || transfer.userId !== userId) return null;
  return {
    transferId: transfer._id,
    transferType: transfer.transferType,
    amountCents: transfer.amountCents,
    fromAccount: transfer.fromAccount,
    toLabel: transfer.toLabel,
    reference: transfer.reference,
    createdAt: transfer.createdAt,
    availableCents: transfer.availableCents,
  };
}
