import type { Receipt } from "#shared/answers";
import { useRef, useState } from "react";
import { useOfflineReason } from "../../hooks/useConnection";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { useTransfer } from "./useTransfer";

/**
 * A one-step transfer: its form, and the receipt that replaces the form once it is done. `panel` is for the element
 * around the form, `form` for the form itself.
 */
export function useImmediateTransfer<Command extends object>(
  draftKey: string,
  send: (args: Command & { requestKey: string }) => Promise<Receipt>,
) {
  const disabledReason = useOfflineReason("offlineMoney");
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  // The receipt goes, and with it the button that had the focus.
  useFocusHandover(receipt, () => panel.current?.querySelector<HTMLElement>("select, input"));
  const { submit, isBusy, refusal, outcome, clear } = useTransfer(draftKey, send);
  const onSubmit = async (command: Command): Promise<boolean> => {
    const done = await submit(command);
    if (done !== null) setReceipt(done);
    return done !== null;
  };
  return {
    receipt,
    closeReceipt: () => setReceipt(null),
    panel,
    outcome,
    clear,
    form: { isBusy, refusal, disabledReason, onEdit: clear, onSubmit },
  };
}
