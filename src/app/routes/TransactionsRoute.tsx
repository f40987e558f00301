import { useLocation } from "react-router-dom";
import { PageContainer } from "../../components/layout/PageContainer";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PageHeading } from "../../components/ui/PageHeading";
import { TextLink } from "../../components/ui/TextLink";
import { Insights } from "../../features/charts/Insights";
import { History } from "../../features/history/History";

const CHARTS_ID = "charts";

/** The member's whole history with search and filters; the charts are beside it, or below it on phones. */
export function TransactionsRoute() {
  const { search } = useLocation();
  return (
    <PageContainer className="py-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <PageHeading title="Transactions" />
        <TextLink
          to={{ search, hash: CHARTS_ID }}
          className="touch-room py-1.5 xl:hidden print:hidden"
        >
          Balance and spending charts
        </TextLink>
      </div>
      <div className="mt-5 grid grid-cols-1 items-start gap-4 md:gap-5 xl:grid-cols-[minmax(0,1fr)_23rem]">
        <ErrorBoundary name="Transactions">
          <History />
        </ErrorBoundary>
        <div id={CHARTS_ID} className="scroll-mt-24">
          <ErrorBoundary name="Charts">
            <Insights />
          </ErrorBoundary>
        </div>
      </div>
    </PageContainer>
  );
}
