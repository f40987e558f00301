import { ArrowLeft, Camera, CreditCard, FileText, Gift, ReceiptText, Zap } from "lucide-react";
import clsx from "clsx";
import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { QuickTile } from "../../components/bank/QuickTile";
import { Card } from "../../components/ui/Card";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PanelSkeleton } from "../../components/ui/Skeleton";
import { TextLink } from "../../components/ui/TextLink";
import { useStepsCut } from "../../hooks/useStepsCut";
import { QUICK_ACTIONS, QUICK_ACTIONS_ID, type QuickActionKey } from "./actions";

const ICONS: Record<QuickActionKey, ReactNode> = {
  billpay: <ReceiptText />,
  deposit: <Camera />,
  cards: <CreditCard />,
  statements: <FileText />,
  zelle: <Zap />,
  rewards: <Gift />,
};

interface QuickActionsProps {
  /** The open panel; null shows the grid. */
  readonly open: QuickActionKey | null;
  readonly onOpen: (key: QuickActionKey) => void;
  /** Contents of the panels, made by the route. */
  readonly panels: Readonly<Record<QuickActionKey, ReactNode>>;
}

const tileId = (key: QuickActionKey): string => `${QUICK_ACTIONS_ID}-tile-${key}`;

/** Six tiles; the chosen one opens in place, with a way back (spec section 2). */
export function QuickActions({ open, onOpen, panels }: QuickActionsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const lastOpen = useRef<QuickActionKey | null>(null);
  useEffect(() => {
    if (open !== null) {
      heading.current?.focus({ preventScroll: true });
    } else if (lastOpen.current !== null) {
      // Where the page scrolls is up to the address, which may name another section.
      document.getElementById(tileId(lastOpen.current))?.focus({ preventScroll: true });
    }
    lastOpen.current = open;
  }, [open]);
  const action = QUICK_ACTIONS.find((known) => known.key === open);

  return (
    <Card id={QUICK_ACTIONS_ID} aria-label="Quick Actions">
      {action === undefined ? (
        <>
          <h2 tabIndex={-1} className="text-card-title mb-4">
            Quick Actions
          </h2>
          <TileGrid>
            {QUICK_ACTIONS.map((tile) => (
              <QuickTile
                key={tile.key}
                id={tileId(tile.key)}
                label={tile.label}
                hint={tile.hint}
                icon={ICONS[tile.key]}
                onClick={() => onOpen(tile.key)}
              />
            ))}
          </TileGrid>
        </>
      ) : (
        <div id={`${QUICK_ACTIONS_ID}-${action.key}`} className="animate-fade">
          <TextLink
            to={`#${QUICK_ACTIONS_ID}`}
            className="no-print touch-room inline-flex min-h-6 items-center gap-1.5 text-sm"
          >
            <ArrowLeft aria-hidden className="size-4" />
            Back to Quick Actions
          </TextLink>
          <h2 ref={heading} tabIndex={-1} className="text-card-title mt-2 mb-4">
            {action.label}
          </h2>
          <ErrorBoundary key={action.key} name={action.label}>
            <Suspense fallback={<PanelSkeleton />}>{panels[action.key]}</Suspense>
          </ErrorBoundary>
        </div>
      )}
    </Card>
  );
}

function TileGrid({ children }: { children: ReactNode }) {
  const grid = useRef<HTMLDivElement>(null);
  const isCut = useStepsCut(grid, 1) > 0;
  return (
    <div
      ref={grid}
      className={clsx(
        "grid auto-rows-fr gap-2 sm:gap-2.5",
        !isCut &&
          "grid-cols-[repeat(3,minmax(min-content,1fr))] max-[24rem]:grid-cols-2 lg:grid-cols-2",
      )}
    >
      {children}
    </div>
  );
}
