import { api } from "#api";
import type { InternalTransferCommand } from "#shared/rules/internalTransfer";
import { useMutation } from "convex/react";
import type { TransferPanelProps } from "../panel";
import { OutcomeDialog } from "../OutcomeDialog";
import { Receipt } from "../Receipt";
import { useImmediateTransfer } from "../useImmediateTransfer";
import { INTERNAL_DRAFT_KEY, InternalTransferForm } from "./InternalTransferForm";

/** The tab "Between Accounts": form, then receipt. */
export function InternalTransfer(props: TransferPanelProps) {
  const send = useMutation(api.transfers.submit);
  const { receipt, closeReceipt, panel, outcome, clear, form } = useImmediateTransfer(
    INTERNAL_DRAFT_KEY,
    (args: InternalTransferCommand & { requestKey: string }) =>
      send({ ...args, transferType: "internal" }),
  );
  if (receipt !== null) return <Receipt receipt={receipt} onDone={closeReceipt} />;
  return (
    <div ref={panel}>
      <InternalTransferForm {...props} {...form} />
      <OutcomeDialog outcome={outcome} onClose={clear} />
    </div>
  );
}
