import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { arrivals } from "../../../src/features/notifications/arrivals";
import { NotificationsPopover } from "../../../src/features/notifications/NotificationsBell";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const item = (id: string, isRead: boolean) => ({
  _id: id,
  title: `Deposit ${id}`,
  body: "$120.00 is available.",
  createdAt: Date.parse("2026-11-20T15:00:00Z"),
  isRead,
});

const bell = (props: Partial<Parameters<typeof NotificationsPopover>[0]>) => (
  <main>
    <NotificationsPopover
      items={[]}
      unreadCount={0}
      onMarkAllRead={() => undefined}
      isMarking={false}
      {...props}
    />
  </main>
);

test("the count is part of the bell's name; all can be marked as read", async () => {
  const onMarkAllRead = vi.fn();
  const { user, rerender } = renderFeature(
    bell({ items: [item("1", false), item("2", true)], unreadCount: 1, onMarkAllRead }),
  );
  await user.click(screen.getByRole("button", { name: "Notifications, 1 unread" }));
  const panel = screen.getByRole("dialog", { name: "Notifications" });
  expect(within(panel).getAllByRole("listitem")).toHaveLength(2);
  expect(within(panel).getAllByText("Unread:")).toHaveLength(1);
  await expectNoAxeViolations();
  await user.click(screen.getByRole("button", { name: "Mark all as read" }));
  expect(onMarkAllRead).toHaveBeenCalledTimes(1);
  rerender(bell({ items: [item("1", true), item("2", true)] }));
  expect(screen.getByRole("button", { name: "Notifications" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Mark all as read" })).not.toBeInTheDocument();
});

test.each([
  [10, "10"],
  [99, "99"],
  [100, "99+"],
])(
  "of %i unread ones, of at most 100 that are counted, name and badge say %s",
  (unreadCount, said) => {
    renderFeature(bell({ unreadCount }));
    const button = screen.getByRole("button", { name: `Notifications, ${said} unread` });
    expect(button).toHaveTextContent(said);
  },
);

test("without notifications it says what will appear", async () => {
  const { user } = renderFeature(bell({}));
  await user.click(screen.getByRole("button", { name: "Notifications" }));
  expect(screen.getByText("No notifications yet")).toBeVisible();
});

test("only unread items that were not there before count as arrivals, oldest first", () => {
  const first = arrivals(null, [item("1", false)]);
  expect(first.fresh).toEqual([]);
  const second = arrivals(first.seen, [
    item("4", true),
    item("3", false),
    item("2", false),
    item("1", false),
  ]);
  expect(second.fresh.map((one) => one._id)).toEqual(["2", "3"]);
  expect(arrivals(second.seen, [item("3", false)]).fresh).toEqual([]);
});
