import { api } from "#api";
import type { Receipt as ReceiptData } from "#shared/answers";
import type { InternalTransferCommand } from "#shared/rules/internalTransfer";
import { useMutation } from "convex/react";
import { useRef, useState } from "react";
import { useOfflineReason } from "../../../hooks/useConnection";
import { useFocusHandover } from "../../../hooks/useFocusHandover";
import type { TransferPanelProps } from "../panel";
import { OutcomeDialog } from "../OutcomeDialog";
import { Receipt } from "../Receipt";
import { useTransfer } from "../useTransfer";
import { InternalTransferForm } from "./InternalTransferForm";

/** The tab "Between Accounts": form, then receipt. */
export function InternalTransfer({ accounts, isGateClosed }: TransferPanelProps) {
  const send = useMutation(api.transfers.submit);
  const offlineReason = useOfflineReason("offlineMoney");
  const [receipt, setReceipt] = useState<ReceiptData | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  // The receipt leaves with the button that had the focus.
  useFocusHandover(receipt, () => panel.current?.querySelector<HTMLElement>("select, input"));
  const transfer = useTransfer((args: InternalTransferCommand & { requestKey: string }) =>
    send({ ...args, transferType: "internal" }),
  );
  if (receipt !== null) return <Receipt receipt={receipt} onDone={() => setReceipt(null)} />;
  return (
    <div ref={panel}>
      <InternalTransferForm
        accounts={accounts}
        isGateClosed={isGateClosed}
        isBusy={transfer.isBusy}
        refusal={transfer.refusal}
        disabledReason={offlineReason}
        onEdit={transfer.clear}
        onSubmit={async (command) => {
          const done = await transfer.submit(command);
          if (done !== null) setReceipt(done);
          return done !== null;
        }}
      />
      <OutcomeDialog outcome={transfer.outcome} onClose={transfer.clear} />
    </div>
  );
}
