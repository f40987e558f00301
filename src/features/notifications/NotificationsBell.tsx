import { Bell } from "lucide-react";
import { UNREAD_COUNTED_MAX } from "#shared/limits";
import { Button } from "../../components/ui/Button";
import { EmptyState } from "../../components/ui/EmptyState";
import { Popover } from "../../components/ui/Popover";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { NotificationList, type NotificationItem } from "./NotificationList";
import { useNotifications } from "./useNotifications";

/** The bell: unread count in its name, the newest items below, live. */
export function NotificationsBell() {
  const { items, unreadCount, markAllRead, isMarking } = useNotifications();
  return (
    <NotificationsPopover
      items={items}
      unreadCount={unreadCount}
      onMarkAllRead={() => void markAllRead()}
      isMarking={isMarking}
    />
  );
}

/** The bell with plain data. `items` undefined: still loading. */
export function NotificationsPopover({
  items,
  unreadCount,
  onMarkAllRead,
  isMarking,
}: {
  items: readonly NotificationItem[] | undefined;
  unreadCount: number;
  onMarkAllRead: () => void;
  isMarking: boolean;
}) {
  return (
    <Popover
      label={labelOf(unreadCount)}
      title="Notifications"
      trigger={
        <>
          <Bell aria-hidden />
          {unreadCount > 0 && (
            <span
              aria-hidden
              className="num absolute bottom-5.5 left-5.5 grid min-w-4 place-items-center rounded-pill bg-neg-fill px-1 text-xs/[1.34] font-semibold text-white ring-2 ring-surface"
            >
              {countText(unreadCount)}
            </span>
          )}
        </>
      }
      panelClassName="w-96"
      actions={
        unreadCount > 0 && (
          <Button variant="ghost" size="sm" isBusy={isMarking} onClick={onMarkAllRead}>
            Mark all as read
          </Button>
        )
      }
    >
      <NotificationsPanel items={items} />
    </Popover>
  );
}

function labelOf(unreadCount: number): string {
  if (unreadCount === 0) return "Notifications";
  return `Notifications, ${countText(unreadCount)} unread`;
}

/** What the badge shows, and the name says: whoever speaks to a device says what they see. */
function countText(unreadCount: number): string {
  return unreadCount < UNREAD_COUNTED_MAX ? String(unreadCount) : `${UNREAD_COUNTED_MAX - 1}+`;
}

function NotificationsPanel({ items }: { items: readonly NotificationItem[] | undefined }) {
  if (items === undefined) return <SkeletonRows count={3} className="p-4" />;
  if (items.length > 0) return <NotificationList items={items} />;
  return (
    <EmptyState icon={<Bell />} title="No notifications yet">
      Deposits, transfers and changes to your account will show here.
    </EmptyState>
  );
}
