import { api } from "#api";
import type { Receipt as ReceiptData } from "#shared/answers";
import type { UserTransferCommand } from "#shared/rules/userTransfer";
import { useMutation } from "convex/react";
import { useCallback, useRef, useState } from "react";
import { useOfflineReason } from "../../../hooks/useConnection";
import { useFocusHandover } from "../../../hooks/useFocusHandover";
import { useSending } from "../../../hooks/useSending";
import type { TransferPanelProps } from "../panel";
import { OutcomeDialog } from "../OutcomeDialog";
import { Receipt } from "../Receipt";
import { useTransfer } from "../useTransfer";
import { UserTransferForm } from "./UserTransferForm";

/** The tab "To a … user": form with a verified recipient, then receipt. */
export function UserTransfer({ accounts, isGateClosed }: TransferPanelProps) {
  const send = useMutation(api.transfers.submit);
  const find = useMutation(api.transfers.findRecipient);
  const sendCall = useSending();
  const findRecipient = useCallback(
    (email: string): Promise<{ name: string } | { message: string }> =>
      sendCall(() => find({ email })),
    [sendCall, find],
  );
  const offlineReason = useOfflineReason("offlineMoney");
  const [receipt, setReceipt] = useState<ReceiptData | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  // The receipt leaves with the button that had the focus.
  useFocusHandover(receipt, () => panel.current?.querySelector<HTMLElement>("select, input"));
  const transfer = useTransfer((args: UserTransferCommand & { requestKey: string }) =>
    send({ ...args, transferType: "user" }),
  );
  if (receipt !== null) return <Receipt receipt={receipt} onDone={() => setReceipt(null)} />;
  return (
    <div ref={panel}>
      <UserTransferForm
        accounts={accounts}
        isGateClosed={isGateClosed}
        isBusy={transfer.isBusy}
        refusal={transfer.refusal}
        disabledReason={offlineReason}
        findRecipient={findRecipient}
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
