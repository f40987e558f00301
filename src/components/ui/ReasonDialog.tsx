import { useRef, useState, type ReactNode } from "react";
import { MESSAGES } from "#shared/errors";
import { useDraft } from "../../hooks/useDraft";
import { QuestionButtons, type QuestionProps } from "./ConfirmDialog";
import { Dialog } from "./Dialog";
import { FormAlert } from "./FormAlert";
import { Textarea } from "./TextInput";

const NO_REASON = { reason: "" };

/** Asks for a reason before an action. The text survives a time-out and Escape; Cancel discards it. */
export function ReasonDialog({
  draftKey,
  onConfirm,
  onForget,
  hint,
  failure,
  confirmLabel,
  busyLabel,
  variant,
  children,
  ...dialog
}: QuestionProps & {
  /** Names the action and its target; the text is kept under it. */
  draftKey: string;
  /** Gets the trimmed reason; resolves to true if it was done. */
  onConfirm: (reason: string) => Promise<boolean>;
  /** Called when the reason was submitted or discarded, so that further fields can drop what they keep. */
  onForget?: () => void;
  /** Who reads the reason. */
  hint: string;
  /** Further fields, after the reason. */
  children?: ReactNode;
}) {
  const [{ reason }, setDraft, forget] = useDraft(draftKey, NO_REASON);
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const hide = () => {
    setIsMissing(false);
    dialog.onClose();
  };
  const close = () => {
    forget();
    onForget?.();
    hide();
  };
  const confirm = async () => {
    const given = reason.trim();
    setIsMissing(given === "");
    if (given === "") field.current?.focus();
    else if (await onConfirm(given)) close();
  };
  return (
    <Dialog
      {...dialog}
      onClose={hide}
      footer={
        <QuestionButtons
          {...{ confirmLabel, busyLabel, variant }}
          isBusy={dialog.isBusy}
          onClose={close}
          onConfirm={() => void confirm()}
        />
      }
    >
      <div className="grid gap-4 pt-1">
        <FormAlert>{failure}</FormAlert>
        <Textarea
          ref={field}
          label="Reason"
          hint={hint}
          error={isMissing ? MESSAGES.REASON_REQUIRED : undefined}
          rows={3}
          required
          value={reason}
          onChange={(event) => {
            setDraft({ reason: event.target.value });
            setIsMissing(false);
          }}
        />
        {children}
      </div>
    </Dialog>
  );
}
