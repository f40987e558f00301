import { spendableCents } from "#shared/ledger";
import { AMOUNT_MAX_CENTS } from "#shared/limits";
import type { Cents } from "#shared/money";
import type { SelectableAccount } from "../../components/bank/AccountSelect";

/** What each of the four ways to transfer gets. */
export interface TransferPanelProps {
  readonly accounts: readonly SelectableAccount[];
  /** The server refuses every transfer, before it looks at funds (spec section 6). */
  readonly isGateClosed: boolean;
}

/** What a form lets through: the funds; behind a closed gate anything, so that the gate is what is named. */
export function usableCents(
  source: SelectableAccount | undefined,
  { isGateClosed }: Pick<TransferPanelProps, "isGateClosed">,
): Cents {
  if (isGateClosed) return AMOUNT_MAX_CENTS;
  return source === undefined ? 0n : spendableCents(source);
}
