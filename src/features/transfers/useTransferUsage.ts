import { api } from "#api";
import { leavesTheCreditUnion } from "#shared/transferCount";
import type { TransferType } from "#shared/validators";
import { useQuery } from "convex/react";

export interface TransferUsage {
  readonly used: number;
  /** Null for the protected account, which has none. */
  readonly limit: number | null;
}

/** How many transfers are used up, live; null before the answer. */
export function useTransferUsage(): TransferUsage | null {
  const usage = useQuery(api.transfers.usage, {});
  if (usage === undefined) return null;
  const { used, limit } = usage;
  return { used: limit === null ? used : Math.min(used, limit), limit };
}

/**
 * Spec section 6: every further transfer of this type will be refused, whatever its amount. A restriction is
 * known to the server only.
 */
export function isGateClosed(usage: TransferUsage | null, transferType: TransferType): boolean {
  if (usage === null) return false;
  return usage.limit === null ? leavesTheCreditUnion(transferType) : usage.used >= usage.limit;
}
