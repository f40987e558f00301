import type { Receipt as ReceiptData } from "#shared/answers";
import { INSTITUTION } from "#shared/institution";
import { formatUsd } from "#shared/money";
import { CircleCheck, Printer } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../components/ui/Button";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { formatDateTime, receiptNumberOf } from "../../lib/format";
import { printArea } from "../../lib/printArea";

interface ReceiptProps {
  readonly receipt: Pick<
    ReceiptData,
    | "transferId"
    | "amountCents"
    | "fromAccount"
    | "toLabel"
    | "reference"
    | "createdAt"
    | "availableCents"
  >;
  readonly onDone: () => void;
}

/** What the member keeps of a transfer; can be printed on its own. */
export function Receipt({ receipt, onDone }: ReceiptProps) {
  const paper = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="animate-popup">
      <div ref={paper}>
        <p className="print-only mb-4 font-display text-lg font-semibold">{INSTITUTION.fullName}</p>
        <div role="status" className="flex items-center gap-3">
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
              term: `Available in ${receipt.fromAccount}`,
              value: formatUsd(receipt.availableCents),
            },
            { term: "Receipt number", value: receiptNumberOf(receipt.transferId) },
          ]}
        />
      </div>
      <div className="mt-5 flex flex-wrap gap-3 print:hidden">
        <Button onClick={onDone}>Make another transfer</Button>
        <Button variant="secondary" onClick={() => printArea(paper.current)}>
          <Printer aria-hidden className="size-4" />
          Print receipt
        </Button>
      </div>
    </div>
  );
}
