import { formatUsd, type Cents } from "#shared/money";
import type { TransactionType } from "#shared/validators";
import clsx from "clsx";

/** "+$245.00" in green for a credit, "-$64.18" in red for a debit (spec section 2). */
export function SignedAmount({
  type,
  amountCents,
  className,
}: {
  type: TransactionType;
  /** Always positive; the type says the direction. */
  amountCents: Cents;
  className?: string;
}) {
  const isCredit = type === "credit";
  return (
    <span
      className={clsx(
        "num font-semibold whitespace-nowrap",
        isCredit ? "text-credit" : "text-debit",
        className,
      )}
    >
      {isCredit ? "+" : "-"}
      {formatUsd(amountCents)}
    </span>
  );
}
