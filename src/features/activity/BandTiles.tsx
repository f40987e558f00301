import { formatCount, plural } from "#shared/counts";
import { formatUsd } from "#shared/money";
import clsx from "clsx";
import { useRef, type ReactNode } from "react";
import { Skeleton } from "../../components/ui/Skeleton";
import { StatTile } from "../../components/ui/StatTile";
import { useStepsCut } from "../../hooks/useStepsCut";

interface Figures {
  readonly cents: bigint;
  readonly count: number;
}

interface BandTilesProps {
  readonly pending: Figures | undefined;
  readonly income: Figures | undefined;
  readonly outgoing: Figures | undefined;
  readonly incomeChart?: ReactNode;
  readonly outgoingChart?: ReactNode;
}

interface TileProps {
  readonly label: string;
  readonly figures: Figures | undefined;
  /** The count in words. */
  readonly note: (count: number) => string;
  readonly isSmall: boolean;
  readonly className: string;
  readonly children?: ReactNode;
}

function Tile({ label, figures, note, isSmall, className, children }: TileProps) {
  if (figures === undefined) {
    return (
      <StatTile
        label={label}
        value={<Skeleton className="h-lh w-20 bg-band-line! bg-clip-content py-1.5" />}
        note={<Skeleton className="h-lh w-24 max-w-full bg-band-line! bg-clip-content py-1" />}
        className={className}
      >
        {children}
      </StatTile>
    );
  }
  return (
    <StatTile
      label={label}
      value={formatUsd(figures.cents)}
      note={note(figures.count)}
      isSmall={isSmall}
      className={className}
    >
      {children}
    </StatTile>
  );
}

/** Characters that fit in a row of 360 px: all three amounts together, and any one of them. */
const ROW_LENGTH_MAX = 29;
const PHONE_LENGTH_MAX = 13;
/** Characters of one full-size amount that fit in a third of the band: $999,999.99. */
const AMOUNT_LENGTH_MAX = 11;

/** Three across, or two below a row of the first one: below 360 px or on all phones. */
const LAYOUTS = {
  across: {
    grid: "grid-cols-[auto_auto_auto] max-[22.5rem]:grid-cols-2 md:grid-cols-3",
    pending: "max-[22.5rem]:own-row",
    income: "max-[22.5rem]:pl-0",
  },
  acrossButOnPhones: {
    grid: "grid-cols-2 md:grid-cols-3",
    pending: "max-md:own-row",
    income: "max-md:pl-0",
  },
} as const;

/** What cuts nothing off with enlarged text: two below the first one, then one below the other. */
const NARROWER = [
  { grid: "grid-cols-2", pending: "own-row", income: "pl-0!" },
  {
    grid: "grid-cols-1 *:last:pl-0 [&_p]:wrap-anywhere [&_p]:whitespace-normal",
    pending: "own-row",
    income: "own-row pl-0!",
  },
] as const;

/**
 * Pending, income and outgoing of the month: three across, even on phones unless the amounts are too long there, or the
 * text is enlarged. Below 360 px never: with the text spacing of WCAG 1.4.12 even short amounts would be cut off. Spec
 * section 2 fixes the labels "deposits" and "payments".
 */
export function BandTiles(props: BandTilesProps) {
  const amounts = [props.pending, props.income, props.outgoing].map((figures) =>
    figures === undefined ? "" : formatUsd(figures.cents),
  );
  const longest = Math.max(...amounts.map((amount) => amount.length));
  const isLong = amounts.join("").length > ROW_LENGTH_MAX || longest > PHONE_LENGTH_MAX;
  const isSmall = longest > AMOUNT_LENGTH_MAX;
  const grid = useRef<HTMLDivElement>(null);
  const steps = useStepsCut(grid, NARROWER.length);
  const layout = NARROWER[steps - 1] ?? LAYOUTS[isLong ? "acrossButOnPhones" : "across"];
  return (
    <div
      ref={grid}
      className={clsx(
        "grid grid-rows-[repeat(4,auto)] divide-x divide-band-line border-t border-band-line pt-4 md:border-t-0 md:pt-0",
        layout.grid,
      )}
    >
      <Tile
        isSmall={isSmall}
        className={clsx("pr-2.5 md:pr-6", layout.pending)}
        label="Pending"
        figures={props.pending}
        note={(count) => plural(count, "transaction")}
      />
      <Tile
        isSmall={isSmall}
        className={clsx("px-2.5 md:px-6", layout.income)}
        label="Monthly Income"
        figures={props.income}
        note={(count) => `${formatCount(count)} deposits`}
      >
        {props.incomeChart}
      </Tile>
      <Tile
        isSmall={isSmall}
        className="pl-2.5 md:pl-6"
        label="Monthly Outgoing"
        figures={props.outgoing}
        note={(count) => `${formatCount(count)} payments`}
      >
        {props.outgoingChart}
      </Tile>
    </div>
  );
}
