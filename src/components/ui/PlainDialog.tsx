import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./Button";
import { ConnectionNote } from "./ConnectionNote";
import type { DialogPartProps } from "./Dialog";
import { startingPlace } from "./dialogFocus";

/**
 * The browser's own dialog, for when DialogPanel's library did not arrive: plainer, but what was asked or typed is not
 * lost. It is rendered only while open.
 */
export function PlainDialog({
  isAlert,
  isOpen,
  onClose,
  title,
  description,
  footer,
  isBusy = false,
  children,
}: DialogPartProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const descriptionId = useId();
  // Before it is removed: closing gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (isOpen) {
      shown?.showModal();
      startingPlace(shown)?.focus();
    }
    return () => shown?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      role={isAlert ? "alertdialog" : undefined}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : descriptionId}
      className="m-auto w-[calc(100%-2rem)] max-w-[30rem] rounded-card border border-line bg-raised p-5 text-ink shadow-popup backdrop:bg-backdrop md:p-6"
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
    >
      <div className="flex items-start justify-between gap-3">
        <h2 id={titleId} className="text-card-title">
          {title}
        </h2>
        {!isAlert && (
          <IconButton label="Close" size="sm" disabled={isBusy} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
      {description !== undefined && (
        <div id={descriptionId} className="mt-1.5 wrap-anywhere text-muted">
          {description}
        </div>
      )}
      <div className="mt-3">{children}</div>
      <ConnectionNote className="mt-4" isBusyDialog={isBusy} />
      {footer !== undefined && (
        <div className="mt-5 flex flex-wrap justify-end gap-2">{footer}</div>
      )}
    </dialog>
  );
}
