import { useCallback, useId, useRef, useState, type ReactNode } from "react";
import clsx from "clsx";
import { useDismiss } from "../../hooks/useDismiss";

/**
 * A button explained by a tip that opens on hover, focus and tap, and stays open while hovered. The tip is the button's
 * description even while it is closed.
 */
export function Tooltip({
  label,
  trigger,
  children,
}: {
  label: string;
  trigger: ReactNode;
  children: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const tipId = useId();
  const close = useCallback(() => setIsOpen(false), []);
  useDismiss(box, isOpen, close);
  return (
    <div
      ref={box}
      className="relative"
      onPointerEnter={(event) => event.pointerType === "mouse" && setIsOpen(true)}
      onPointerLeave={(event) => event.pointerType === "mouse" && setIsOpen(false)}
    >
      <button
        type="button"
        aria-label={label}
        aria-describedby={tipId}
        onFocus={() => setIsOpen(true)}
        onBlur={close}
        onClick={() => setIsOpen(true)}
        className="grid size-11 place-items-center rounded-control text-muted transition-colors duration-120 hover:bg-neutral-soft hover:text-ink [&>svg]:size-5"
      >
        {trigger}
      </button>
      <div
        id={tipId}
        role="tooltip"
        hidden={!isOpen}
        className={clsx(
          "animate-popup absolute top-full right-0 z-50 mt-3 w-64 rounded-tile border border-line bg-raised p-4 text-sm shadow-popup",
          "max-sm:fixed max-sm:inset-x-3 max-sm:top-[4.5rem] max-sm:mt-0 max-sm:w-auto",
          // Keeps a pointer moving from the button over the tip.
          "before:absolute before:inset-x-0 before:bottom-full before:h-3.5",
        )}
      >
        {children}
      </div>
    </div>
  );
}
