import { api } from "#api";
import { formatUsd } from "#shared/money";
import { usePaginatedQuery } from "convex/react";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { Badge } from "../../components/ui/Badge";
import { LoadMore } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useOfflineReason } from "../../hooks/useConnection";
import { formatDateTime } from "../../lib/format";
import { MobileDepositForm } from "./MobileDepositForm";
import { useMobileDeposit } from "./useMobileDeposit";

const DEPOSITS_SHOWN = 5;

/** The member's own deposits and where each stands, live. */
function Deposits() {
  const deposits = usePaginatedQuery(
    api.mobileDeposits.mine,
    {},
    { initialNumItems: DEPOSITS_SHOWN },
  );
  if (deposits.status === "LoadingFirstPage") return <SkeletonRows count={2} />;
  if (deposits.results.length === 0) {
    return <p className="text-sm text-muted">No deposits yet. Deposited checks show here.</p>;
  }
  return (
    <>
      <ul id="own-deposits">
        {deposits.results.map((deposit) => (
          <li
            key={deposit._id}
            className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line py-3 first:border-t-0 first:pt-0"
          >
            <div className="min-w-0 grow basis-32">
              <p className="font-semibold">Check to {deposit.toAccount}</p>
              <p className="text-sm text-muted">{formatDateTime(deposit.createdAt)}</p>
              {deposit.reason !== undefined && (
                <p className="text-sm wrap-anywhere text-neg">{deposit.reason}</p>
              )}
            </div>
            <div className="ml-auto grid justify-items-end gap-1">
              <span className="num font-semibold">{formatUsd(deposit.amountCents)}</span>
              <Badge tone={deposit.status === "Completed" ? "pos" : undefined}>
                {deposit.status}
              </Badge>
            </div>
          </li>
        ))}
      </ul>
      <LoadMore
        status={deposits.status}
        onLoadMore={() => deposits.loadMore(DEPOSITS_SHOWN)}
        listId="own-deposits"
      />
    </>
  );
}

/** Mobile Deposit: the form, and the outcome of earlier checks. */
export function MobileDepositPanel({
  accounts,
}: {
  readonly accounts: readonly SelectableAccount[];
}) {
  const offlineReason = useOfflineReason("offlineMoney");
  const deposit = useMobileDeposit();
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div>
        <MobileDepositForm
          accounts={accounts}
          isBusy={deposit.isBusy}
          shares={deposit.shares}
          message={deposit.message}
          refusedSide={deposit.refusedSide}
          disabledReason={offlineReason}
          onEdit={deposit.clear}
          outcome={<StatusBanner>{deposit.status}</StatusBanner>}
          onSubmit={deposit.send}
        />
      </div>
      <section aria-labelledby="own-deposits-title">
        <h3 id="own-deposits-title" className="text-sub-title mb-3">
          Your deposits
        </h3>
        <Deposits />
      </section>
    </div>
  );
}
