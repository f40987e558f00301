import { spendableCents, type Funds } from "#shared/ledger";
import { formatUsd, parseAmount } from "#shared/money";

interface Source extends Funds {
  readonly type: string;
}

/** "Leaves $11,980.55 available in Checking", or what is available if the amount is too high. */
export function amountHint(source: Source | undefined, amountText: string): string | undefined {
  const amountCents = parseAmount(amountText);
  if (source === undefined || typeof amountCents !== "bigint" || amountCents <= 0n) {
    return undefined;
  }
  const { type, availableCents, balanceCents } = source;
  if (amountCents <= spendableCents(source)) {
    return `Leaves ${formatUsd(availableCents - amountCents)} available in ${type}`;
  }
  return balanceCents < availableCents
    ? `The balance of ${type} is only ${formatUsd(balanceCents)}`
    : `Only ${formatUsd(availableCents)} available in ${type}`;
}

/** "$500.00" for a usable amount, otherwise undefined; for button labels and summaries. */
export function amountLabel(amountText: string): string | undefined {
  const amountCents = parseAmount(amountText);
  return typeof amountCents === "bigint" && amountCents > 0n ? formatUsd(amountCents) : undefined;
}
