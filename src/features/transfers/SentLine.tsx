import type { Receipt as ReceiptData } from "#shared/answers";
import { formatUsd } from "#shared/money";
import { useState } from "react";
import { Button } from "../../components/ui/Button";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Receipt } from "./Receipt";

/** What was sent last, and its receipt on demand; stands above the emptied form. */
export function SentLine({ receipt }: { readonly receipt: ReceiptData | null }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const isOpen = receipt !== null && openId === receipt.transferId;
  return (
    <div className="grid gap-5 not-empty:mb-5">
      <StatusBanner>
        {receipt !== null && (
          <span className="flex flex-wrap items-center justify-between gap-x-4">
            Sent {formatUsd(receipt.amountCents)} to {receipt.toLabel}
            {!isOpen && (
              <Button
                variant="ghost"
                size="sm"
                className="-my-1.5"
                onClick={() => setOpenId(receipt.transferId)}
              >
                View receipt
              </Button>
            )}
          </span>
        )}
      </StatusBanner>
      {isOpen && <Receipt receipt={receipt} onDone={() => setOpenId(null)} />}
    </div>
  );
}
