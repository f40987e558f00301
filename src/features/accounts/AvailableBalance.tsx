import { BalanceFigure } from "../../components/bank/Money";
import { useAnnouncedBalance } from "./useAnnouncedBalance";

interface AvailableBalanceProps {
  /** Undefined when there is no Checking account. */
  readonly availableCents: bigint | undefined;
}

/** The one number that wins: available balance of Checking, with its decorative bar. */
export function AvailableBalance({ availableCents }: AvailableBalanceProps) {
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
    </div>
  );
}
