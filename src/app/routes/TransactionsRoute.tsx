import { PageContainer } from "../../components/layout/PageContainer";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PageHeading } from "../../components/ui/PageHeading";
import { Insights } from "../../features/charts/Insights";
import { History } from "../../features/history/History";

/** The member's whole history with search, filters and charts. */
export function TransactionsRoute() {
  return (
    <PageContainer className="py-8">
      <PageHeading title="Transactions" />
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4 md:gap-5">
        <ErrorBoundary name="Charts">
          <Insights />
        </ErrorBoundary>
        <ErrorBoundary name="Transactions">
          <History />
        </ErrorBoundary>
      </div>
    </PageContainer>
  );
}
