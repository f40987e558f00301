import { formatUsd } from "#shared/money";
import { useEffect, useRef } from "react";
import { announce, isEchoOfOwnAction } from "../../lib/announce";

/**
 * Announces a balance that changed by itself, but not the first one seen, nor after the member's own transfer, whose
 * receipt says it.
 */
export function useAnnouncedBalance(availableCents: bigint | undefined): void {
  const lastCents = useRef<bigint>(undefined);
  useEffect(() => {
    const isChange = lastCents.current !== undefined && availableCents !== undefined;
    if (isChange && lastCents.current !== availableCents && !isEchoOfOwnAction()) {
      announce(`Available balance is now ${formatUsd(availableCents)}`);
    }
    lastCents.current = availableCents;
  }, [availableCents]);
}
