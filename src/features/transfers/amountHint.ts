import { formatUsd, parseAmount } from "#shared/money";

interface Source {
  readonly type: string;
  readonly availableCents: bigint;
}

/** "Leaves $11,980.55 available in Checking", or what is there when the amount is too much. */
export function amountHint(source: Source | undefined, amountText: string): string | undefined {
  const amountCents = parseAmount(amountText);
  if (source === undefined || typeof amountCents !== "bigint" || amountCents <= 0n) {
    return undefined;
  }
  const leftCents = source.availableCents - amountCents;
  return leftCents < 0n
    ? `Only ${formatUsd(source.availableCents)} available in ${source.type}`
    : `Leaves ${formatUsd(leftCents)} available in ${source.type}`;
}

/** "$500.00" for a usable amount, else undefined; for button labels and summaries. */
export function amountLabel(amountText: string): string | undefined {
  const amountCents = parseAmount(amountText);
  return typeof amountCents === "bigint" && amountCents > 0n ? formatUsd(amountCents) : undefined;
}
