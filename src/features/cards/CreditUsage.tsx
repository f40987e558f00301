import { formatUsd } from "#shared/money";

const FULL_PERCENT = 100n;

/** Spec section 9: credit usage is the share of the limit that is no longer available. */
function usedPercent(limitCents: bigint, availableCents: bigint): number {
  return limitCents <= 0n ? 0 : Number(((limitCents - availableCents) * FULL_PERCENT) / limitCents);
}

interface CreditUsageProps {
  readonly limitCents: bigint;
  readonly availableCents: bigint;
}

/** "30% of $5,000.00 used", as a bar and in words. */
export function CreditUsage({ limitCents, availableCents }: CreditUsageProps) {
  const percent = usedPercent(limitCents, availableCents);
  const sentence = `${percent}% of ${formatUsd(limitCents)} used`;
  return (
    <div>
      <div
        role="meter"
        aria-label="Credit usage"
        aria-valuemin={0}
        aria-valuemax={Number(FULL_PERCENT)}
        aria-valuenow={percent}
        aria-valuetext={sentence}
        className="h-2 overflow-hidden rounded-pill bg-brand-soft"
      >
        <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
          <rect width={percent} height={1} className="fill-brand" />
        </svg>
      </div>
      <p className="mt-1.5 text-sm text-muted">{sentence}</p>
    </div>
  );
}
