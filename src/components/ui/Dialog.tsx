import { useEffect, useState, type ComponentType, type ReactNode, type RefObject } from "react";
import { useLatest } from "../../hooks/useLatest";
import { PlainDialog } from "./PlainDialog";

interface DialogProps {
  isOpen: boolean;
  /** On Escape, the close button, or a press outside unless there are text fields. Not called while `isBusy`. */
  onClose: () => void;
  /** Verb and object; the dialog's name. */
  title: string;
  description?: ReactNode;
  /** `md` 30rem, `lg` 48rem, full screen on phones; `sm` 26rem, a card on phones too. */
  size?: "sm" | "md" | "lg";
  /** Buttons; they stick to the bottom while the body scrolls. */
  footer?: ReactNode;
  /** Something is in flight: the dialog cannot be closed, or its outcome would have nowhere to show. */
  isBusy?: boolean;
  /** Gets the focus when it closes; by default, whatever had it before. */
  finalFocus?: RefObject<HTMLElement | null>;
  /** Drawn before the title; in an alert dialog above it. */
  icon?: "warning" | "success";
  children?: ReactNode;
}

type AlertDialogProps = Omit<DialogProps, "size">;

export interface DialogPartProps extends AlertDialogProps {
  isAlert: boolean;
  size?: "sm" | "md" | "lg";
}

type DialogPart = ComponentType<DialogPartProps>;

let panel: DialogPart | null = null;

/** Fetches the dialog library ahead: the first dialog may have to open without a connection. Never rejects. */
export async function loadDialogs(): Promise<DialogPart> {
  try {
    panel ??= (await import("./DialogPanel")).DialogPanel;
    return panel;
  } catch {
    return PlainDialog;
  }
}

/** Loads the dialog library with the first dialog that opens; the browser's own dialog stands in for it. */
function LazyPanel(props: DialogPartProps) {
  const { isOpen } = props;
  // A dialog keeps its words while it fades out, although what it was about may be gone.
  const shown = useLatest(isOpen ? props : undefined).value ?? props;
  const [Part, setPart] = useState<DialogPart | null>(null);
  if (isOpen && Part === null && panel !== null) setPart(() => panel);
  // It has closed, so the next opening requests the library again.
  if (!isOpen && Part === PlainDialog) setPart(null);
  const isMissing = isOpen && Part === null;
  useEffect(() => {
    if (!isMissing) return undefined;
    let isWanted = true;
    void loadDialogs().then((part) => {
      if (isWanted) setPart(() => part);
    });
    return () => {
      isWanted = false;
    };
  }, [isMissing]);
  return Part === null ? null : <Part {...shown} isOpen={isOpen} />;
}

/** A modal dialog. Focus starts in its first text field, or on its first button, and returns on closing. */
export function Dialog(props: DialogProps) {
  return <LazyPanel {...props} isAlert={false} />;
}

/** A modal question or outcome: a press outside does not close it. */
export function AlertDialog(props: AlertDialogProps) {
  return <LazyPanel {...props} isAlert />;
}
