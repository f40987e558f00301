import type { Receipt } from "#shared/answers";
import { INSTITUTION } from "#shared/institution";
import { formatUsd } from "#shared/money";
import { CircleCheck } from "lucide-react";
import type { Ref } from "react";
import { formatDateTime, receiptNumberOf } from "../../lib/format";
import { DefinitionList } from "../ui/DefinitionList";

interface ReceiptPaperProps {
  /** What `printArea` prints. */
  readonly ref: Ref<HTMLDivElement>;
  readonly receipt: Omit<Receipt, "transferType">;
  /** The money was sent just now: it is announced, and the balance is the present one. */
  readonly isNew?: boolean;
  readonly heading?: Ref<HTMLHeadingElement>;
}

/** The receipt of a transfer, without buttons. */
export function ReceiptPaper({ ref, receipt, isNew = false, heading }: ReceiptPaperProps) {
  const available = `Available in ${receipt.fromAccount}`;
  return (
    <div ref={ref}>
      <p className="print-only mb-4 font-display text-lg font-semibold">{INSTITUTION.fullName}</p>
      <div role={isNew ? "status" : undefined} className="flex items-center gap-3">
        <CircleCheck aria-hidden className="size-7 shrink-0 text-pos" />
        <h3 ref={heading} tabIndex={-1} className="min-w-0 text-sub-title wrap-anywhere">
          {formatUsd(receipt.amountCents)} sent to {receipt.toLabel}
        </h3>
      </div>
      <DefinitionList
        className="mt-4"
        items={[
          { term: "Amount", value: formatUsd(receipt.amountCents) },
          { term: "From", value: receipt.fromAccount },
          { term: "To", value: receipt.toLabel },
          { term: "Reference", value: receipt.reference },
          { term: "Time", value: formatDateTime(receipt.createdAt) },
          {
            term: isNew ? available : `${available} afterwards`,
            value: formatUsd(receipt.availableCents),
          },
          { term: "Receipt number", value: receiptNumberOf(receipt.transferId) },
        ]}
      />
    </div>
  );
}
