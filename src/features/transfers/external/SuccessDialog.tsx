import { EXTERNAL_SUCCESS_MS } from "#shared/limits";
import { formatUsd } from "#shared/money";
import { useEffect, useState, type PointerEvent, type RefObject } from "react";
import { Dialog } from "../../../components/ui/Dialog";
import { CircleCheck } from "lucide-react";

interface SuccessDialogProps {
  /** Null: closed. */
  readonly sent: { readonly amountCents: bigint; readonly toLabel: string } | null;
  readonly onClose: () => void;
  /** Gets the focus afterwards. */
  readonly finalFocus: RefObject<HTMLElement | null>;
}

/**
 * Success for 3 seconds (spec section 4 "Transfers"). The time stands still while a pointer moves
 * over it or a key was pressed in it, so that nobody is rushed.
 */
export function SuccessDialog({ sent, onClose, finalFocus }: SuccessDialogProps) {
  const [isPaused, setIsPaused] = useState(false);
  const isOpen = sent !== null;
  useEffect(() => {
    if (!isOpen || isPaused) return;
    const timer = setTimeout(onClose, EXTERNAL_SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [isOpen, isPaused, onClose]);
  const onPointerMove = (event: PointerEvent) => {
    // A dialog that opens under a resting pointer gets a move of no distance.
    if (event.movementX !== 0 || event.movementY !== 0) setIsPaused(true);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => {
        setIsPaused(false);
        onClose();
      }}
      title="Transfer successful"
      size="sm"
      finalFocus={finalFocus}
    >
      <div
        onPointerMove={onPointerMove}
        onPointerLeave={() => setIsPaused(false)}
        onKeyDown={() => setIsPaused(true)}
        className="grid justify-items-center gap-3 py-6 text-center"
      >
        <CircleCheck aria-hidden className="size-12 text-pos" />
        {sent !== null && (
          <p className="text-lg">
            {formatUsd(sent.amountCents)} is on its way to {sent.toLabel}.
          </p>
        )}
      </div>
    </Dialog>
  );
}
