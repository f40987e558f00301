import { api } from "#api";
import { decideGate } from "#shared/transferCount";
import type { TransferType } from "#shared/validators";
import { useQuery } from "convex/react";
import { useNow } from "../../hooks/useNow";

export interface TransferUsage {
  readonly used: number;
  /** Null for the protected account, which has none. */
  readonly limit: number | null;
  /** Transfers out of the credit union are suspended. */
  readonly isRestricted: boolean;
}

/** How many transfers are used up and whether some are suspended, live; null until the answer arrives. */
export function useTransferUsage(): TransferUsage | null {
  const usage = useQuery(api.transfers.usage, {});
  const nowMs = useNow();
  if (usage === undefined) return null;
  const { used, limit, restriction } = usage;
  const isRestricted = restriction !== undefined && (restriction.expiresAt ?? Infinity) > nowMs;
  return { used: limit === null ? used : Math.min(used, limit), limit, isRestricted };
}

/** Spec section 6: every further transfer of this type will be refused, whatever its amount. */
export function isGateClosed(usage: TransferUsage | null, transferType: TransferType): boolean {
  if (usage === null) return false;
  const { used, limit, isRestricted } = usage;
  const isProtected = limit === null;
  const facts = { count: used, countLimit: limit ?? Infinity, isProtected, isRestricted };
  return decideGate(transferType, facts) !== "allow";
}
