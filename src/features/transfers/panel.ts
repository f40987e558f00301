import { spendableCents } from "#shared/ledger";
import { AMOUNT_MAX_CENTS } from "#shared/limits";
import type { Cents } from "#shared/money";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import type { Refusal } from "../../lib/errorText";

/** Props of each of the four ways to transfer. */
export interface TransferPanelProps {
  readonly accounts: readonly SelectableAccount[];
  /** The server refuses every transfer, before it looks at funds (spec section 6). */
  readonly isGateClosed: boolean;
}

/** Props of the form in each of them. */
export interface TransferFormProps<Command> extends TransferPanelProps {
  readonly isBusy: boolean;
  /** The server's refusal; cleared by the next edit. */
  readonly refusal: Refusal | null;
  /** Why money cannot move now. */
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** Resolves to whether it was done; if so, the form empties itself. */
  readonly onSubmit: (command: Command) => Promise<boolean>;
}

/**
 * The most a form lets through: the available funds, or any amount behind a closed gate, so that the gate is the reason
 * given.
 */
export function usableCents(
  source: SelectableAccount | undefined,
  { isGateClosed }: Pick<TransferPanelProps, "isGateClosed">,
): Cents {
  if (isGateClosed) return AMOUNT_MAX_CENTS;
  return source === undefined ? 0n : spendableCents(source);
}
