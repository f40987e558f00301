import { useRef, useState, type ReactNode } from "react";
import { MESSAGES } from "#shared/errors";
import { SHORT_TEXT_LENGTH_MAX } from "#shared/limits";
import { QuestionButtons, type QuestionProps } from "./ConfirmDialog";
import { Dialog } from "./Dialog";
import { FormAlert } from "./FormAlert";
import { Textarea } from "./TextInput";

/** Asks for a reason before an act; the text is forgotten when the dialog closes. */
export function ReasonDialog({
  onConfirm,
  hint,
  failure,
  confirmLabel,
  busyLabel,
  variant,
  children,
  ...dialog
}: QuestionProps & {
  /** Gets the trimmed reason; resolves to true when it was done. */
  onConfirm: (reason: string) => Promise<boolean>;
  /** Who reads the reason. */
  hint: string;
  /** Further fields, after the reason. */
  children?: ReactNode;
}) {
  const [reason, setReason] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const close = () => {
    setReason("");
    setIsMissing(false);
    dialog.onClose();
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
      onClose={close}
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
          maxLength={SHORT_TEXT_LENGTH_MAX}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setIsMissing(false);
          }}
        />
        {children}
      </div>
    </Dialog>
  );
}
