import { api } from "#api";
import type { UserTransferCommand } from "#shared/rules/userTransfer";
import { useMutation } from "convex/react";
import { useCallback, useRef } from "react";
import { useSending } from "../../../hooks/useSending";
import type { TransferPanelProps } from "../panel";
import { OutcomeDialog } from "../OutcomeDialog";
import { Receipt } from "../Receipt";
import { useImmediateTransfer } from "../useImmediateTransfer";
import { USER_DRAFT_KEY, UserTransferForm, type NamedTransfer } from "./UserTransferForm";

/** The tab "To a … user": form with a verified recipient, then receipt. */
export function UserTransfer(props: TransferPanelProps) {
  const send = useMutation(api.transfers.submit);
  const find = useMutation(api.transfers.findRecipient);
  const sendCall = useSending();
  const findRecipient = useCallback(
    (email: string): Promise<{ name: string } | { message: string }> =>
      sendCall(() => find({ email })),
    [sendCall, find],
  );
  // Not a part of what is sent again: under another name it would be another transfer.
  const shownName = useRef<string>(undefined);
  const { receipt, closeReceipt, panel, outcome, clear, form } = useImmediateTransfer(
    USER_DRAFT_KEY,
    (args: UserTransferCommand & { requestKey: string }) =>
      send({ ...args, shownName: shownName.current, transferType: "user" }),
  );
  const onSubmit = ({ shownName: shown, ...command }: NamedTransfer) => {
    shownName.current = shown;
    return form.onSubmit(command);
  };
  if (receipt !== null) return <Receipt receipt={receipt} onDone={closeReceipt} />;
  return (
    <div ref={panel}>
      <UserTransferForm {...props} {...form} onSubmit={onSubmit} findRecipient={findRecipient} />
      <OutcomeDialog outcome={outcome} onClose={clear} />
    </div>
  );
}
