import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from "react";
import { useDismiss } from "../../hooks/useDismiss";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import clsx from "clsx";

interface PopoverProps {
  /** Name of the button, including any count. */
  label: string;
  trigger: ReactNode;
  title: string;
  /** Right of the title. */
  actions?: ReactNode;
  /** Class of the panel, such as its width. */
  panelClassName?: string;
  children: ReactNode;
}

/** A button that opens a titled, non-modal panel below it. */
export function Popover({
  label,
  trigger,
  title,
  actions,
  panelClassName = "w-88",
  children,
}: PopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  const panelId = useId();
  const close = useCallback((reason: "escape" | "outside") => {
    setIsOpen(false);
    if (reason === "escape") button.current?.focus();
  }, []);
  useDismiss(box, isOpen, close);
  useEffect(() => {
    if (isOpen) panel.current?.focus({ preventScroll: true });
  }, [isOpen]);
  // An action may disappear once it is done.
  useFocusHandover(actions, () => panel.current);
  return (
    <div ref={box} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="relative grid size-11 place-items-center rounded-control text-muted transition-colors duration-120 hover:bg-neutral-soft hover:text-ink [&>svg]:size-5"
      >
        {trigger}
      </button>
      {isOpen && (
        <section
          id={panelId}
          role="dialog"
          aria-label={title}
          tabIndex={-1}
          ref={panel}
          className={clsx(
            "animate-popup z-50 rounded-tile border border-line bg-raised shadow-popup",
            "max-sm:fixed max-sm:inset-x-3 max-sm:top-[4.5rem] max-sm:w-auto! sm:absolute sm:top-full sm:right-0 sm:mt-3",
            panelClassName,
          )}
        >
          <div className="flex min-h-13 items-center justify-between gap-3 border-b border-line py-1 pr-2 pl-4">
            <h2 className="text-base font-semibold">{title}</h2>
            {actions}
          </div>
          {children}
        </section>
      )}
    </div>
  );
}
