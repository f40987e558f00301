/**
 * The transfer count and the gate in front of every transfer.
 *
 * Spec section 6 "Transfer gating" and section 3 (three historical names of the count). Not here:
 * reading and raising it in the database (model/transferGate).
 */
import type { TransferType } from "./validators";

/** The three names under which a count may be stored. */
type StoredTransferCount = {
  readonly transferCount?: number | undefined;
  readonly transfers?: number | undefined;
  readonly transfer_count?: number | undefined;
};

/** Spec section 3: the first non-zero of the three wins, otherwise 0. */
export function readTransferCount(stored: StoredTransferCount): number {
  return stored.transferCount || stored.transfers || stored.transfer_count || 0;
}

/** All three names at once, as every write sets them (spec section 4). */
export function storedTransferCount(count: number): Required<StoredTransferCount> {
  return { transferCount: count, transfers: count, transfer_count: count };
}

/** Whether a write of ours set the names: data from elsewhere sets only some of them. */
export function isCountOurs(stored: StoredTransferCount): boolean {
  const { transferCount, transfers, transfer_count: transferCountInSnakeCase } = stored;
  return transferCount === transfers && transfers === transferCountInSnakeCase;
}

/** Whether a transfer pays somebody at another bank. */
export function leavesTheCreditUnion(transferType: TransferType): boolean {
  return transferType === "external" || transferType === "international";
}

type GateFacts = {
  readonly count: number;
  readonly countLimit: number;
  readonly isProtected: boolean;
  readonly isRestricted: boolean;
};

type GateDecision = "allow" | "TRANSFER_BLOCKED" | "ACTIVITY_ALERT" | "ACCOUNT_LOCKED";

/**
 * Whether a transfer may pass: the protected account has no limit, but also no transfers out of the
 * credit union; everyone else is stopped by the count first, then by a restriction.
 */
export function decideGate(transferType: TransferType, facts: GateFacts): GateDecision {
  const isLeaving = leavesTheCreditUnion(transferType);
  if (facts.isProtected) return isLeaving ? "ACTIVITY_ALERT" : "allow";
  if (facts.count >= facts.countLimit) return "TRANSFER_BLOCKED";
  return isLeaving && facts.isRestricted ? "ACCOUNT_LOCKED" : "allow";
}
