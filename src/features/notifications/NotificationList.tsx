import clsx from "clsx";
import { useNow } from "../../hooks/useNow";
import { formatAgo, formatDateTime } from "../../lib/format";

export interface NotificationItem {
  _id: string;
  title: string;
  body: string;
  createdAt: number;
  isRead: boolean;
}

/** The newest notifications; unread ones carry a dot and the word. */
export function NotificationList({ items }: { items: readonly NotificationItem[] }) {
  const nowMs = useNow();
  return (
    <ul
      className="shade-more max-h-[min(26rem,70dvh,100dvh-9rem)] divide-y divide-line overflow-y-auto [--surface:var(--raised)]"
      tabIndex={0}
    >
      {items.map((item) => (
        <li key={item._id} className="flex gap-3 px-4 py-3">
          <span
            aria-hidden
            className={clsx(
              "mt-2 size-2 shrink-0 rounded-pill",
              item.isRead ? "bg-transparent" : "bg-brand forced-colors:bg-[Highlight]",
            )}
          />
          <div className="min-w-0 flex-1">
            <p className={clsx("wrap-anywhere", item.isRead ? "font-medium" : "font-semibold")}>
              {!item.isRead && <span className="sr-only">Unread: </span>}
              {item.title}
            </p>
            <p className="text-sm wrap-anywhere text-muted">{item.body}</p>
            <time
              dateTime={new Date(item.createdAt).toISOString()}
              title={formatDateTime(item.createdAt)}
              className="mt-0.5 block text-[0.8125rem] text-muted first-letter:uppercase"
            >
              {formatAgo(item.createdAt, nowMs)}
            </time>
          </div>
        </li>
      ))}
    </ul>
  );
}
