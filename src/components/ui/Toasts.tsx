import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent,
} from "react";
import { X } from "lucide-react";
import clsx from "clsx";
import {
  closeToast,
  currentToasts,
  holdToast,
  subscribeToToasts,
  type ToastItem,
} from "../../lib/toasts";
import { IconButton } from "./Button";

const LIFE_MS = 8_000;
const NONE: readonly ToastItem[] = [];

/**
 * The corner where live events appear. Mounted once, in the signed-in frame; heard beside an open dialog too (see
 * LiveAnnouncer).
 */
export function Toasts() {
  const items = useSyncExternalStore(subscribeToToasts, currentToasts, () => NONE);
  return (
    <div
      role="status"
      aria-live="polite"
      aria-label="Live events"
      data-toasts
      className={clsx(
        "pointer-events-none fixed inset-x-3 bottom-20 z-60 grid justify-items-end gap-2 md:right-6 md:bottom-6 md:left-auto print:hidden",
        // On phones the newest alone: more of them would cover the buttons of a question.
        "max-md:[&>:not(:last-child,:focus-within)]:hidden",
      )}
    >
      {items.map((item) => (
        <Toast key={item.id} item={item} />
      ))}
    </div>
  );
}

function Toast({ item }: { item: ToastItem }) {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isHeld = isPointedAt || hasFocus;
  const cameFrom = useRef<EventTarget | null>(null);
  const isEnterDown = useRef(false);
  useEffect(() => {
    if (isHeld) return holdToast(item.id);
    const timer = setTimeout(() => closeToast(item.id), LIFE_MS);
    return () => clearTimeout(timer);
  }, [isHeld, item.id]);
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    setHasFocus(true);
    cameFrom.current = relatedTarget;
  };
  const onBlur = () => {
    setHasFocus(false);
    isEnterDown.current = false;
  };
  const dismiss = () => {
    closeToast(item.id);
    const before = cameFrom.current;
    const heir = before instanceof HTMLElement && before.isConnected ? before : null;
    (heir ?? document.querySelector("main"))?.focus({ preventScroll: true });
  };
  // Enter acts when it is let go, as Space does: still held, it would send the form that gets the focus back.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) isEnterDown.current = true;
  };
  const onKeyUp = ({ key }: KeyboardEvent) => {
    if (key === "Enter" && isEnterDown.current) dismiss();
  };
  return (
    <div
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocus={onFocus}
      onBlur={onBlur}
      className="animate-popup pointer-events-auto flex w-full max-w-96 items-start gap-3 rounded-tile border border-line bg-raised p-4 shadow-popup"
    >
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-semibold">{item.title}</p>
        {item.body !== undefined && <p className="text-sm text-muted">{item.body}</p>}
      </div>
      <IconButton
        label="Dismiss"
        size="sm"
        onClick={dismiss}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
      >
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
