import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import clsx from "clsx";
import { formatCount } from "#shared/counts";
import { isShortcut } from "../../lib/keyPress";

interface TabItem<Value extends string> {
  value: Value;
  label: string;
  /** A count after the label, part of the tab's name; null reserves its space until it is known. */
  count?: number | null;
  isCountHighlighted?: boolean;
  /** The panel. Mounted on first visit, then kept, so that typed data stays. */
  content?: ReactNode;
}

interface TabsProps<Value extends string> {
  /** Names the tab list. */
  label: string;
  items: readonly TabItem<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** One panel for all tabs (filters), instead of `content` per item. */
  children?: ReactNode;
  /** Class of the tab list, such as padding that lines it up with a card. */
  listClassName?: string;
}

const KEYS: Record<string, (index: number, last: number) => number> = {
  ArrowRight: (index, last) => (index === last ? 0 : index + 1),
  ArrowLeft: (index, last) => (index === 0 ? last : index - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** A tab list that scrolls sideways on phones; arrow keys move and select. */
export function Tabs<Value extends string>({
  label,
  items,
  value,
  onValueChange,
  children,
  listClassName,
}: TabsProps<Value>) {
  const baseId = useId();
  // Without the spaces of a value: in `aria-labelledby` and `aria-controls` they would separate two ids.
  const idOf = (part: "tab" | "panel", of: Value) => `${baseId}-${part}-${of.replaceAll(" ", "-")}`;
  const list = useRef<HTMLDivElement>(null);
  const [visited, setVisited] = useState<ReadonlySet<Value>>(() => new Set([value]));
  if (!visited.has(value)) setVisited(new Set([...visited, value]));

  // A scrolling row centers the chosen tab, so that its neighbors do not go unnoticed: also one that an address or a
  // draft chose.
  useLayoutEffect(() => {
    const center = () => {
      const tab = list.current?.querySelector<HTMLElement>("[aria-selected=true]");
      if (!list.current || !tab) return;
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
    };
    center();
    // A device that is turned.
    window.addEventListener("resize", center);
    return () => window.removeEventListener("resize", center);
  }, [value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = items.findIndex((item) => item.value === value);
    const next = items[KEYS[event.key]?.(index, items.length - 1) ?? -1];
    if (!next || isShortcut(event)) return;
    event.preventDefault();
    document.getElementById(idOf("tab", next.value))?.focus();
    onValueChange(next.value);
  };
  const isOnePanel = children !== undefined;
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={clsx(
          "relative flex gap-6 overflow-x-auto border-b border-line [scrollbar-width:none]",
          listClassName,
        )}
      >
        {items.map((item) => {
          const isSelected = item.value === value;
          return (
            <button
              key={item.value}
              id={idOf("tab", item.value)}
              type="button"
              role="tab"
              aria-selected={isSelected}
              aria-controls={
                isOnePanel ? `${baseId}-panel` : isSelected ? idOf("panel", item.value) : undefined
              }
              tabIndex={isSelected ? 0 : -1}
              onClick={() => onValueChange(item.value)}
              className={clsx(
                "flex min-h-12 shrink-0 items-center gap-2 border-b-3 px-0.5 whitespace-nowrap -outline-offset-2 transition-colors duration-120",
                isSelected
                  ? "border-brand font-semibold text-ink"
                  : "border-transparent text-muted hover:border-line hover:text-ink forced-colors:border-[Canvas]",
              )}
            >
              <span data-label={item.label} className="room-for-semibold">
                {item.label}
              </span>{" "}
              {item.count !== undefined && (
                <span
                  className={clsx(
                    "num rounded-pill px-2 py-px text-[0.8125rem] font-semibold",
                    item.isCountHighlighted
                      ? "bg-warn-soft text-warn"
                      : "bg-neutral-soft text-muted",
                    item.count === null && "invisible",
                  )}
                >
                  {formatCount(item.count ?? 0)}
                </span>
              )}
            </button>
          );
        })}
      </div>
      {isOnePanel ? (
        <div id={`${baseId}-panel`} role="tabpanel" aria-labelledby={idOf("tab", value)}>
          {children}
        </div>
      ) : (
        items
          .filter((item) => visited.has(item.value))
          .map((item) => (
            <div
              key={item.value}
              id={idOf("panel", item.value)}
              role="tabpanel"
              aria-labelledby={idOf("tab", item.value)}
              hidden={item.value !== value}
            >
              {item.content}
            </div>
          ))
      )}
    </div>
  );
}
