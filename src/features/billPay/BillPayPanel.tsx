import { api } from "#api";
import type { BillPaymentCommand } from "#shared/rules/billPayment";
import { TEXTS } from "#shared/texts";
import { useMutation, usePaginatedQuery, useQuery } from "convex/react";
import clsx from "clsx";
import { useRef, useState } from "react";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { FormAlert } from "../../components/ui/FormAlert";
import { LoadMore } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useCommand } from "../../hooks/useCommand";
import { useOfflineReason } from "../../hooks/useConnection";
import { useKeyedCommand } from "../../hooks/useKeyedCommand";
import { useNow } from "../../hooks/useNow";
import { useRequestKey } from "../../hooks/useRequestKey";
import { BILL_PAY_DRAFT_KEY, BillPayForm } from "./BillPayForm";
import { PaymentHistory, UpcomingBills, type ListedBill } from "./BillLists";
import { earliestPaymentDate } from "./earliestDate";

const HISTORY_ROWS = 5;

/** Bill Pay: the form, and the member's own upcoming bills and history, live. */
export function BillPayPanel({ accounts }: { readonly accounts: readonly SelectableAccount[] }) {
  const nowMs = useNow();
  const offlineReason = useOfflineReason("offlineMoney");
  const keys = useRequestKey<BillPaymentCommand>(BILL_PAY_DRAFT_KEY);
  const send = useMutation(api.billPayments.schedule);
  const schedule = useKeyedCommand(send, keys, "PAYMENT_FAILED");
  const cancel = useCommand(useMutation(api.billPayments.cancel), { fallback: "SAVE_FAILED" });
  const upcoming = useQuery(api.billPayments.upcoming, {});
  const history = usePaginatedQuery(
    api.billPayments.history,
    {},
    { initialNumItems: HISTORY_ROWS },
  );
  const [status, setStatus] = useState<string | null>(null);
  const [canceled, setCanceled] = useState<string | null>(null);
  const upcomingHeading = useRef<HTMLHeadingElement>(null);

  const onSubmit = async (command: BillPaymentCommand): Promise<boolean> => {
    setStatus(null);
    setCanceled(null);
    cancel.clear();
    const { isOk } = await schedule.run(command);
    if (!isOk) return false;
    setStatus(TEXTS.paymentScheduled);
    return true;
  };
  const onCancel = async (bill: ListedBill) => {
    setStatus(null);
    setCanceled(null);
    const answer = await cancel.run({ billPaymentId: bill._id });
    if (answer.isOk) setCanceled("Payment canceled.");
    else if (answer.refusal.code !== "PAYMENT_NOT_CANCELABLE") return;
    // The row goes, or went before, and with it the button that had the focus.
    upcomingHeading.current?.focus({ preventScroll: true });
  };

  const hasLists = upcoming !== undefined && history.status !== "LoadingFirstPage";
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
      <div>
        <BillPayForm
          accounts={accounts}
          earliestDate={earliestPaymentDate(nowMs)}
          isBusy={schedule.isBusy}
          refusal={schedule.refusal}
          disabledReason={offlineReason}
          onEdit={() => {
            schedule.clear();
            setStatus(null);
          }}
          outcome={<StatusBanner>{status}</StatusBanner>}
          onSubmit={onSubmit}
        />
      </div>
      {/* Reserves space for both lists before they load, one after the other: nothing visible moves. */}
      <div className={clsx("grid content-start gap-8", !hasLists && "min-h-dvh")}>
        <section aria-labelledby="upcoming-bills">
          <h3
            ref={upcomingHeading}
            id="upcoming-bills"
            tabIndex={-1}
            className="text-sub-title mb-3"
          >
            Upcoming Bills
          </h3>
          {/* In sight also when the payment is far down. */}
          <div className="sticky top-2 z-10 not-short:top-18">
            <FormAlert>{cancel.refusal?.message}</FormAlert>
            <StatusBanner className="mb-3">{canceled}</StatusBanner>
          </div>
          {upcoming === undefined ? (
            <SkeletonRows count={2} />
          ) : (
            <UpcomingBills
              bills={upcoming}
              busyIds={cancel.pending.map(([{ billPaymentId }]) => billPaymentId)}
              isDisabled={offlineReason !== undefined}
              onCancel={(bill) => void onCancel(bill)}
            />
          )}
        </section>
        {hasLists && (
          <section aria-labelledby="payment-history-title">
            <h3 id="payment-history-title" className="text-sub-title mb-3">
              Payment History
            </h3>
            <PaymentHistory bills={history.results} />
            <LoadMore
              status={history.status}
              onLoadMore={() => history.loadMore(HISTORY_ROWS)}
              listId="payment-history"
            />
          </section>
        )}
      </div>
    </div>
  );
}
