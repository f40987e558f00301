import { api } from "#api";
import { useQuery } from "convex/react";

export interface TransferUsage {
  readonly used: number;
  readonly limit: number;
}

/** How many transfers are used up, live; null for a member without a limit, and before the answer. */
export function useTransferUsage(): TransferUsage | null {
  const usage = useQuery(api.transfers.usage, {});
  if (usage === undefined || usage.limit === null) return null;
  return { used: Math.min(usage.used, usage.limit), limit: usage.limit };
}

/** Spec section 6: every further transfer will be refused, whatever its amount. */
export function isGateClosed(usage: TransferUsage | null): boolean {
  return usage !== null && usage.used >= usage.limit;
}
