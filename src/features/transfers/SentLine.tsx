import type { Receipt as ReceiptData } from "#shared/answers";
import { formatUsd } from "#shared/money";
import { useEffect, useState, type RefObject } from "react";
import clsx from "clsx";
import { Button } from "../../components/ui/Button";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { Receipt } from "./Receipt";

interface SentLineProps {
  readonly receipt: ReceiptData | null;
  /** The line itself: it takes the focus when money was sent, because the button that had it is gone. */
  readonly line: RefObject<HTMLDivElement | null>;
}

/** What was sent last, with its receipt on demand; shown above the emptied form. */
export function SentLine({ receipt, line }: SentLineProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const isOpen = receipt !== null && openId === receipt.transferId;
  const transferId = receipt?.transferId;
  useEffect(() => {
    if (transferId !== undefined) line.current?.focus();
  }, [transferId, line]);
  useFocusHandover(isOpen, () => line.current?.querySelector("button"));
  return (
    <div
      ref={line}
      tabIndex={-1}
      className={clsx("grid scroll-mt-22 gap-5 rounded-control", receipt !== null && "mb-5")}
    >
      {/* The button is beside the status: inside, its return would announce once more that money was sent. */}
      <div className="flex flex-wrap items-center gap-x-7 gap-y-2 [&>:first-child]:grow">
        <StatusBanner>
          {receipt !== null && `Sent ${formatUsd(receipt.amountCents)} to ${receipt.toLabel}`}
        </StatusBanner>
        {receipt !== null && !isOpen && (
          <Button
            variant="ghost"
            size="sm"
            className="-mx-3"
            onClick={() => setOpenId(receipt.transferId)}
          >
            View receipt
          </Button>
        )}
      </div>
      {isOpen && <Receipt receipt={receipt} isAboveForm onDone={() => setOpenId(null)} />}
    </div>
  );
}
