import { lastFour } from "#shared/accountNumbers";
import { formatUsd } from "#shared/money";
import type { BillProvider, BillStatus } from "#shared/validators";
import type { ReactNode } from "react";
import { Badge, type BadgeTone } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { formatIsoDate } from "../../lib/format";
import { PROVIDERS } from "./providers";

export interface ListedBill {
  readonly _id: string;
  readonly provider: BillProvider;
  readonly fromAccount: string;
  readonly accountNumber: string;
  readonly amountCents: bigint;
  readonly scheduleDate: string;
  readonly memo?: string | undefined;
  readonly status: BillStatus;
  readonly failureReason?: string | undefined;
}

const TONES: Record<BillStatus, BadgeTone> = {
  Scheduled: "brand",
  Completed: "pos",
  Failed: "neg",
  Canceled: "neutral",
};

function BillRow({ bill, children }: { readonly bill: ListedBill; readonly children?: ReactNode }) {
  const { label, icon } = PROVIDERS[bill.provider];
  return (
    <li className="@container grid gap-1 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex items-start gap-3">
        <span
          aria-hidden
          className="grid size-10 shrink-0 place-items-center rounded-pill bg-brand-soft text-brand-ink [&>svg]:size-4.5"
        >
          {icon}
        </span>
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4">
          {/* Enlarged, the amount goes below. */}
          <div className="col-span-full flex flex-wrap justify-between gap-x-4 font-semibold">
            <p id={`bill-${bill._id}`}>{label}</p>
            <span className="num ml-auto text-right wrap-anywhere">
              {formatUsd(bill.amountCents)}
            </span>
          </div>
          <div className="col-span-full min-w-0 text-sm wrap-anywhere text-muted @min-[26rem]:col-span-1">
            <p className="num">
              {formatIsoDate(bill.scheduleDate)}, from {bill.fromAccount}, account ending{" "}
              {lastFour(bill.accountNumber)}
            </p>
            {bill.memo !== undefined && <p>{bill.memo}</p>}
            {bill.failureReason !== undefined && <p className="text-neg">{bill.failureReason}</p>}
          </div>
          <div className="mt-1 @max-[26rem]:col-span-full @min-[26rem]:justify-self-end">
            <Badge tone={TONES[bill.status]}>{bill.status}</Badge>
          </div>
        </div>
      </div>
      {children}
    </li>
  );
}

interface UpcomingBillsProps {
  readonly bills: readonly ListedBill[];
  /** The payments currently being canceled. */
  readonly busyIds: readonly string[];
  readonly isDisabled: boolean;
  readonly onCancel: (bill: ListedBill) => void;
}

/** What is still scheduled, earliest first, each with a way to cancel. */
export function UpcomingBills({ bills, busyIds, isDisabled, onCancel }: UpcomingBillsProps) {
  if (bills.length === 0) {
    return <p className="text-sm text-muted">No upcoming bills. Scheduled payments show here.</p>;
  }
  return (
    <ul>
      {bills.map((bill) => (
        <BillRow key={bill._id} bill={bill}>
          <div className="pl-13">
            <Button
              variant="dangerGhost"
              size="sm"
              className="-ml-3"
              aria-describedby={`bill-${bill._id}`}
              isBusy={busyIds.includes(bill._id)}
              busyLabel="Canceling..."
              disabled={isDisabled}
              isPressedOnce
              onClick={() => onCancel(bill)}
            >
              Cancel payment
            </Button>
          </div>
        </BillRow>
      ))}
    </ul>
  );
}

/** What was paid, failed or canceled, newest first. */
export function PaymentHistory({ bills }: { readonly bills: readonly ListedBill[] }) {
  if (bills.length === 0) {
    return <p className="text-sm text-muted">No payments yet. Paid bills show here.</p>;
  }
  return (
    <ul id="payment-history">
      {bills.map((bill) => (
        <BillRow key={bill._id} bill={bill} />
      ))}
    </ul>
  );
}
