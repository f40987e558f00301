import { Suspense, useState, type ReactNode, type RefObject } from "react";
import { lazyPart } from "../../lib/lazyPart";

const DialogPanel = lazyPart(() => import("./DialogPanel"), "DialogPanel");

export interface DialogProps {
  isOpen: boolean;
  /** Escape, the close button, a press outside unless there are text fields. Not called while `isBusy`. */
  onClose: () => void;
  /** Verb and object; the dialog's name. */
  title: string;
  description?: ReactNode;
  /** `md` 30rem, `lg` 48rem, full screen on phones; `sm` 26rem, a card on phones too. */
  size?: "sm" | "md" | "lg";
  /** Buttons; they stick to the bottom while the body scrolls. */
  footer?: ReactNode;
  /** Something is in flight: the dialog cannot be closed. */
  isBusy?: boolean;
  /** Gets the focus when it closes; what had it before otherwise. */
  finalFocus?: RefObject<HTMLElement | null>;
  children?: ReactNode;
}

export interface AlertDialogProps extends Omit<DialogProps, "size"> {
  /** Drawn before the title. */
  icon?: "warning" | "success";
}

/** Loads the dialog library with the first dialog that opens. */
function LazyPanel(props: AlertDialogProps & { isAlert: boolean; size?: "sm" | "md" | "lg" }) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <DialogPanel {...props} />
    </Suspense>
  );
}

/** A modal dialog. The focus starts in its first text field, else at its first control, and returns. */
export function Dialog(props: DialogProps) {
  return <LazyPanel {...props} isAlert={false} />;
}

/** A modal question or outcome: a press outside does not close it. */
export function AlertDialog(props: AlertDialogProps) {
  return <LazyPanel {...props} isAlert />;
}
