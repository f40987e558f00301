import { useEffect, useRef } from "react";
import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { useCommand } from "../../hooks/useCommand";
import { isEchoOfOwnAction } from "../../lib/announce";
import { showToast } from "../../lib/toasts";
import { arrivals } from "./arrivals";

/** The member's notifications, live; what arrives while the page is open also shows as a toast. */
export function useNotifications() {
  const items = useQuery(api.notifications.mine, {});
  const unreadCount = useQuery(api.notifications.unreadCount, {}) ?? 0;
  const markAll = useCommand(useMutation(api.notifications.markAllRead), {
    fallback: "SAVE_FAILED",
    hasEcho: false,
  });
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (items === undefined) return;
    const { fresh, seen } = arrivals(known.current, items);
    known.current = seen;
    // The receipt of the person's own action has already said it.
    if (isEchoOfOwnAction()) return;
    for (const item of fresh) showToast({ title: item.title, body: item.body });
  }, [items]);
  const markAllRead = async () => {
    const outcome = await markAll.run({});
    if (!outcome.isOk) showToast({ title: "Notifications", body: outcome.refusal.message });
  };
  return { items, unreadCount, markAllRead, isMarking: markAll.isBusy };
}
