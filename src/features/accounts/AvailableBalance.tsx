import { formatUsd } from "#shared/money";
import { BalanceFigure } from "../../components/bank/BalanceFigure";
import { useAnnouncedBalance } from "./useAnnouncedBalance";

interface AvailableBalanceProps {
  /** Undefined when there is no Checking account. */
  readonly availableCents: bigint | undefined;
  /** The member's accounts other than Checking. */
  readonly others: readonly { readonly type: string; readonly availableCents: bigint }[];
}

/** The most important number: Checking's available balance, with its decorative bar; then the others. */
export function AvailableBalance({ availableCents, others }: AvailableBalanceProps) {
  useAnnouncedBalance(availableCents);
  return (
    <div>
      <p className="text-[0.9375rem] text-on-band-muted">Available Balance</p>
      <p className="mt-1">
        <BalanceFigure cents={availableCents ?? 0n} />
      </p>
      {/* Spec section 2: a fixed 75 percent bar, decorative. */}
      <div aria-hidden className="mt-4 h-1.5 max-w-75 rounded-pill bg-band-line print:hidden">
        <div className="h-full w-3/4 rounded-pill bg-beacon" />
      </div>
      {others.map((account) => (
        <p key={account.type} className="mt-3 text-[0.9375rem] wrap-anywhere text-on-band-muted">
          {account.type}{" "}
          <span className="num font-semibold text-on-band">
            {formatUsd(account.availableCents)}
          </span>
        </p>
      ))}
    </div>
  );
}
