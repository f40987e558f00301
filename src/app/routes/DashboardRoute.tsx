import { useMemo, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import clsx from "clsx";
import { BandContours } from "../../components/layout/BandContours";
import { PageContainer } from "../../components/layout/PageContainer";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PageSpinner } from "../../components/ui/Spinner";
import { AvailableBalance } from "../../features/accounts/AvailableBalance";
import { CheckingCard } from "../../features/accounts/CheckingCard";
import { Greeting } from "../../features/accounts/Greeting";
import { checkingOf, useMyAccounts, type Account } from "../../features/accounts/useMyAccounts";
import { BandTiles } from "../../features/activity/BandTiles";
import { RecentTransactions } from "../../features/activity/RecentTransactions";
import { useBandFigures, useRecentTransactions } from "../../features/activity/useActivity";
import { MonthBars, MonthBarsRoom } from "../../features/charts/MonthBars";
import { RewardsPanel, ZellePanel } from "../../features/quickActions/ComingPanels";
import { QuickActions } from "../../features/quickActions/QuickActions";
import {
  hashOf,
  QUICK_ACTIONS_ID,
  quickActionOf,
  type QuickActionKey,
} from "../../features/quickActions/actions";
import { TransferSection } from "../../features/transfers/TransferSection";
import { useMediaQuery } from "../../hooks/useMediaQuery";
import { useNow } from "../../hooks/useNow";
import { useViewer } from "../../lib/convexViewer";
import { lazyPart } from "../../lib/lazyPart";
import { useFocusOfHash } from "../useFocusOfHash";

const BillPayPanel = lazyPart(() => import("../../features/billPay/BillPayPanel"), "BillPayPanel");
const MobileDepositPanel = lazyPart(
  () => import("../../features/mobileDeposit/MobileDepositPanel"),
  "MobileDepositPanel",
);
const CardsPanel = lazyPart(() => import("../../features/cards/CardsPanel"), "CardsPanel");
const StatementsPanel = lazyPart(
  () => import("../../features/statements/StatementsPanel"),
  "StatementsPanel",
);
const CardStatements = lazyPart(
  () => import("../../features/statements/CardStatements"),
  "CardStatements",
);

/** From here on the page has two columns: Tailwind's `lg`. */
const TWO_COLUMNS = "(width >= 64rem)";

/** The petrol band: greeting, the one number, and three quieter ones. */
function Band({ name, accounts }: { name: string | undefined; accounts: readonly Account[] }) {
  const { totals, pending, bars } = useBandFigures(useNow());
  const chart = (title: string, pick: "incomeCents" | "outgoingCents"): ReactNode =>
    bars === undefined ? (
      <MonthBarsRoom />
    ) : (
      <MonthBars
        title={title}
        months={bars.map((bar) => ({ label: bar.label, valueCents: bar[pick] }))}
      />
    );
  return (
    <div className="on-band relative isolate overflow-hidden bg-band pt-6 pb-18 text-on-band md:pt-8 print:pb-6">
      <BandContours view="steep" />
      <PageContainer>
        <Greeting name={name} />
        <div className="mt-6 grid grid-cols-1 items-end gap-x-10 gap-y-6 md:mt-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <AvailableBalance
            availableCents={checkingOf(accounts)?.availableCents}
            others={accounts.filter(({ type }) => type !== "Checking")}
          />
          <BandTiles
            pending={pending && { cents: pending.totalCents, count: pending.count }}
            income={totals && { cents: totals.incomeCents, count: totals.incomeCount }}
            outgoing={totals && { cents: totals.outgoingCents, count: totals.outgoingCount }}
            incomeChart={chart("Monthly Income", "incomeCents")}
            outgoingChart={chart("Monthly Outgoing", "outgoingCents")}
          />
        </div>
      </PageContainer>
    </div>
  );
}

/** Recent rows, their date headings updated every minute. */
function Recent({ onViewAll }: { readonly onViewAll: () => void }) {
  const transactions = useRecentTransactions();
  return <RecentTransactions transactions={transactions} nowMs={useNow()} onViewAll={onViewAll} />;
}

/** The member's home (spec section 2 "Customer dashboard"). */
export function DashboardRoute() {
  const viewer = useViewer();
  const accounts = useMyAccounts();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const open = quickActionOf(hash);
  // Once open, the quick actions take the full width, as everything does on narrow screens.
  const isBeside = useMediaQuery(TWO_COLUMNS) && open === null;
  const show = (key: QuickActionKey) => void navigate(hashOf(key));
  useFocusOfHash(accounts !== undefined);

  const panels = useMemo(() => {
    const own = accounts ?? [];
    return {
      billpay: <BillPayPanel accounts={own} />,
      deposit: <MobileDepositPanel accounts={own} />,
      cards: <CardsPanel statements={<CardStatements />} />,
      statements: <StatementsPanel accounts={own} />,
      zelle: <ZellePanel />,
      rewards: <RewardsPanel />,
    };
  }, [accounts]);

  if (accounts === undefined || !viewer) return <PageSpinner label="Loading your account" />;
  const quickActions = (
    <div
      key={QUICK_ACTIONS_ID}
      className={clsx(
        "relative min-w-0",
        open === null && "print:hidden",
        isBeside
          ? "lg:sticky lg:top-22 lg:col-start-2 lg:row-span-2 lg:row-start-2"
          : "lg:col-span-2",
      )}
    >
      <QuickActions open={open} onOpen={show} panels={panels} />
    </div>
  );
  return (
    <>
      <Band name={viewer.name} accounts={accounts} />
      <PageContainer className="-mt-12 print:mt-4">
        {/* In visual order, for keyboards and screen readers: only the quick actions have two places. Their key keeps
           what is typed in them. */}
        <div className="grid grid-cols-1 items-start gap-4 md:gap-5 lg:grid-cols-[minmax(0,1fr)_20.5rem] lg:grid-rows-[auto_auto_1fr] xl:grid-cols-[minmax(0,1fr)_22.5rem]">
          {!isBeside && quickActions}
          {accounts.length > 0 && (
            <div className={clsx("relative min-w-0 print:hidden", isBeside && "lg:row-span-2")}>
              <TransferSection accounts={accounts} />
            </div>
          )}
          <div
            className={clsx("relative lg:col-start-2", !isBeside && "lg:row-span-2 lg:row-start-2")}
          >
            <CheckingCard account={checkingOf(accounts)} />
          </div>
          {isBeside && quickActions}
          <div className="min-w-0 lg:col-start-1 lg:row-start-3">
            <ErrorBoundary name="Recent transactions">
              <Recent onViewAll={() => show("statements")} />
            </ErrorBoundary>
          </div>
        </div>
      </PageContainer>
    </>
  );
}
