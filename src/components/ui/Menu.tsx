import { useCallback, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import clsx from "clsx";
import { useDismiss } from "../../hooks/useDismiss";

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  /** Goes there, or calls `onSelect`. */
  to?: string;
  onSelect?: () => void;
}

interface MenuProps {
  /** Name of the button and of the menu. */
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  entries: readonly MenuEntry[];
  /** Text above the entries (who is signed in). */
  heading?: ReactNode;
}

/** A button that opens a menu below it. Arrow keys move, Escape closes and returns the focus. */
export function Menu({ label, trigger, triggerClassName, entries, heading }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const navigate = useNavigate();

  const close = useCallback((reason: "escape" | "outside" | "select") => {
    setIsOpen(false);
    if (reason !== "outside") button.current?.focus();
  }, []);
  useDismiss(box, isOpen, close);

  const itemAt = (index: number): HTMLElement | undefined => {
    const all = box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [];
    return all[(index + all.length) % all.length];
  };
  const open = (index: number) => {
    setIsOpen(true);
    // The entries exist after the next paint.
    requestAnimationFrame(() => itemAt(index)?.focus());
  };
  const onButtonKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  };
  const onMenuKeyDown = (event: KeyboardEvent) => {
    const index = entries.findIndex((_, at) => itemAt(at) === document.activeElement);
    const byKey: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: -1,
    };
    const next = byKey[event.key];
    if (next !== undefined) {
      event.preventDefault();
      itemAt(next)?.focus();
    } else if (event.key === "Tab") {
      setIsOpen(false);
    }
  };
  const select = (entry: MenuEntry) => {
    close("select");
    entry.onSelect?.();
    if (entry.to !== undefined) void navigate(entry.to);
  };
  return (
    <div ref={box} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={(event) => {
          if (isOpen) close("select");
          // A click by keyboard has no pointer: the first entry is focused then.
          else if (event.detail === 0) open(0);
          else setIsOpen(true);
        }}
        onKeyDown={onButtonKeyDown}
        className={clsx(
          "flex items-center rounded-control transition-colors duration-120 hover:bg-neutral-soft",
          triggerClassName,
        )}
      >
        {trigger}
      </button>
      {isOpen && (
        <div className="animate-popup absolute top-full right-0 z-50 mt-3 w-60 rounded-tile border border-line bg-raised p-1.5 shadow-popup">
          {heading !== undefined && (
            <div className="border-b border-line px-3 pt-1.5 pb-2.5">{heading}</div>
          )}
          <div id={menuId} role="menu" aria-label={label} onKeyDown={onMenuKeyDown}>
            {entries.map((entry) => (
              <button
                key={entry.label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                onClick={() => select(entry)}
                className="mt-1 flex min-h-10 pointer-coarse:min-h-11 w-full items-center gap-2.5 rounded-control px-3 text-left hover:bg-brand-soft focus:bg-brand-soft [&>svg]:size-4.5 [&>svg]:text-muted"
              >
                {entry.icon}
                {entry.label}
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
