import { EXTERNAL_SUCCESS_MS } from "#shared/limits";
import { formatUsd } from "#shared/money";
import { useEffect, useState, type PointerEvent, type RefObject } from "react";
import { Dialog } from "../../../components/ui/Dialog";

interface SuccessDialogProps {
  /** Null: closed. */
  readonly sent: { readonly amountCents: bigint; readonly toLabel: string } | null;
  readonly onClose: () => void;
  /** Gets the focus when it closes. */
  readonly finalFocus: RefObject<HTMLElement | null>;
}

/**
 * Success for 3 seconds (spec section 4 "Transfers"). The timer stops while the pointer is over the dialog and once a
 * key is pressed, so that nobody is rushed.
 */
export function SuccessDialog({ sent, onClose, finalFocus }: SuccessDialogProps) {
  const [isPointerOver, setIsPointerOver] = useState(false);
  const [hasKeys, setHasKeys] = useState(false);
  const isOpen = sent !== null;
  const isPaused = isPointerOver || hasKeys;
  useEffect(() => {
    if (!isOpen || isPaused) return;
    const timer = setTimeout(onClose, EXTERNAL_SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [isOpen, isPaused, onClose]);
  const onPointerMove = (event: PointerEvent) => {
    // A dialog that opens under a resting pointer gets a move of zero distance.
    if (!isOpen || (event.movementX === 0 && event.movementY === 0)) return;
    // The backdrop covers the page: a pointer there is not over the dialog.
    setIsPointerOver(
      event.target instanceof Element && event.target.closest("[role=dialog]") !== null,
    );
  };
  return (
    // Wraps the dialog, title and Close button included; events bubble here through the portal.
    <div
      onPointerMove={onPointerMove}
      onPointerLeave={() => setIsPointerOver(false)}
      onKeyDownCapture={() => setHasKeys(isOpen)}
      className="contents"
    >
      <Dialog
        isOpen={isOpen}
        onClose={() => {
          setIsPointerOver(false);
          setHasKeys(false);
          onClose();
        }}
        title="Transfer successful"
        description={
          sent !== null && `${formatUsd(sent.amountCents)} is on its way to ${sent.toLabel}.`
        }
        size="sm"
        icon="success"
        finalFocus={finalFocus}
      />
    </div>
  );
}
