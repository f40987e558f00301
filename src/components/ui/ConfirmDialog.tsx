import type { ReactNode, RefObject } from "react";
import { Button, type ButtonProps } from "./Button";
import { AlertDialog } from "./Dialog";
import { FormAlert } from "./FormAlert";

/** What every question before an action has in common. */
export interface QuestionProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The action, as worded on the button that opened the question. */
  confirmLabel: string;
  busyLabel?: string;
  variant?: ButtonProps["variant"];
  isBusy: boolean;
  /** Why the action was refused; the question stays open. */
  failure?: string | null;
  /** Gets the focus when it closes; by default, whatever had it before. */
  finalFocus?: RefObject<HTMLElement | null>;
}

/** "Cancel" and the action itself. */
export function QuestionButtons({
  confirmLabel,
  busyLabel,
  variant = "danger",
  isBusy,
  onClose,
  onConfirm,
}: Pick<QuestionProps, "confirmLabel" | "busyLabel" | "variant" | "isBusy" | "onClose"> & {
  onConfirm: () => void;
}) {
  return (
    <>
      <Button variant="secondary" disabled={isBusy} onClick={onClose}>
        Cancel
      </Button>
      <Button
        variant={variant}
        isBusy={isBusy}
        {...(busyLabel === undefined ? {} : { busyLabel })}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
    </>
  );
}

/** Asks before an action and closes once it is done. */
export function ConfirmDialog({
  onConfirm,
  failure,
  confirmLabel,
  busyLabel,
  variant,
  ...dialog
}: QuestionProps & {
  /** Resolves to true if it was done. */
  onConfirm: () => Promise<boolean>;
  /** Above a question about what cannot be undone. */
  icon?: "warning";
}) {
  const confirm = () => void onConfirm().then((isDone) => isDone && dialog.onClose());
  return (
    <AlertDialog
      {...dialog}
      footer={
        <QuestionButtons
          {...{ confirmLabel, busyLabel, variant }}
          isBusy={dialog.isBusy}
          onClose={dialog.onClose}
          onConfirm={confirm}
        />
      }
    >
      <FormAlert>{failure}</FormAlert>
    </AlertDialog>
  );
}
