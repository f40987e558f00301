import { api } from "#api";
import { INSTITUTION } from "#shared/institution";
import { useQuery } from "convex/react";
import { Printer } from "lucide-react";
import { useRef, type RefObject } from "react";
import { ReceiptPaper } from "../../components/bank/ReceiptPaper";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { MailLink } from "../../components/ui/TextLink";
import { printArea } from "../../lib/printArea";

interface ReceiptDialogProps {
  /** Null: closed. */
  readonly transferId: string | null;
  readonly onClose: () => void;
  readonly finalFocus: RefObject<HTMLElement | null>;
}

/** The receipt of an earlier transfer, to read and print again. */
export function ReceiptDialog({ transferId, onClose, finalFocus }: ReceiptDialogProps) {
  const paper = useRef<HTMLDivElement>(null);
  const receipt = useQuery(api.transfers.receipt, transferId === null ? "skip" : { transferId });
  return (
    <Dialog
      isOpen={transferId !== null}
      onClose={onClose}
      title="Transfer receipt"
      finalFocus={finalFocus}
      footer={
        receipt === null ? undefined : (
          <Button
            variant="secondary"
            disabled={receipt === undefined}
            onClick={() => printArea(paper.current)}
          >
            <Printer aria-hidden className="size-4" />
            Print receipt
          </Button>
        )
      }
    >
      {receipt === undefined && <SkeletonRows count={6} className="min-h-88 content-start" />}
      {receipt === null && (
        <p>
          This receipt is no longer available. For help, contact support:{" "}
          <MailLink address={INSTITUTION.supportEmail} />.
        </p>
      )}
      {receipt && <ReceiptPaper ref={paper} receipt={receipt} />}
    </Dialog>
  );
}
