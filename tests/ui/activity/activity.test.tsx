import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ListedTransaction } from "../../../src/components/bank/TransactionDays";
import { BandTiles } from "../../../src/features/activity/BandTiles";
import { RecentTransactions } from "../../../src/features/activity/RecentTransactions";
import { greetingOf } from "../../../src/features/accounts/Greeting";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const NOW_MS = Date.parse("2026-11-20T14:41:00Z");
const HOUR_MS = 3_600_000;

function row(
  id: string,
  hoursAgo: number,
  more: Partial<ListedTransaction> = {},
): ListedTransaction {
  return {
    _id: id,
    accountType: "Checking",
    type: "debit",
    amountCents: 6_418n,
    description: `Purchase ${id}`,
    category: "Food",
    status: "Completed",
    date: NOW_MS - hoursAgo * HOUR_MS,
    ...more,
  };
}

describe("Recent Transactions", () => {
  test("groups by day, signs amounts and opens Statements", async () => {
    const onViewAll = vi.fn();
    const { user } = renderFeature(
      <RecentTransactions
        nowMs={NOW_MS}
        onViewAll={onViewAll}
        transactions={[
          row("a", 1, { type: "credit", amountCents: 24_500n, status: "Pending" }),
          row("b", 2),
          row("c", 24),
        ]}
      />,
    );
    const region = screen.getByRole("region", { name: "Recent Transactions" });
    expect(region).toHaveTextContent(/Today.*\+\$245\.00.*Pending.*-\$64\.18.*Yesterday/);
    expect(screen.getAllByRole("listitem")).toHaveLength(3);
    await user.click(screen.getByRole("button", { name: "View All" }));
    expect(onViewAll).toHaveBeenCalledOnce();
    await expectNoAxeViolations();
  });

  test("a transfer says its reference, in the writer's quotes", () => {
    const transfer = row("gift", 1, { category: "Transfer", reference: "balance $9.00" });
    renderFeature(
      <RecentTransactions nowMs={NOW_MS} onViewAll={vi.fn()} transactions={[transfer]} />,
    );
    expect(screen.getByText('Transfer, 8:41 AM, "balance $9.00"')).toBeVisible();
  });

  test.each([
    ["Pending", "Food, 8:41 AM, due Nov 27, 2026"],
    ["Completed", "Food, 8:41 AM"],
    ["Failed", "Food, 8:41 AM"],
  ] as const)(
    "a bill that is %s says its time, and when it is due while it waits",
    (status, meta) => {
      const bill = row("bill", 1, { status, scheduledDate: "2026-11-27" });
      renderFeature(
        <RecentTransactions nowMs={NOW_MS} onViewAll={vi.fn()} transactions={[bill]} />,
      );
      expect(screen.getByText(/^Food/)).toHaveTextContent(new RegExp(`^${meta}$`));
    },
  );

  test("is absent when there are none", () => {
    renderFeature(<RecentTransactions nowMs={NOW_MS} onViewAll={vi.fn()} transactions={[]} />);
    expect(screen.queryByRole("region")).toBeNull();
  });

  describe("under a moving pointer", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    const list = (ids: readonly string[]) => (
      <RecentTransactions
        nowMs={NOW_MS}
        onViewAll={vi.fn()}
        transactions={ids.map((id) => row(id, 1))}
      />
    );

    test("new rows wait for a rest or for the button", () => {
      const { rerender } = renderFeature(list(["a"]));
      fireEvent.pointerMove(screen.getByText("Purchase a"));
      rerender(list(["b", "a"]));
      expect(screen.queryByText("Purchase b")).toBeNull();
      fireEvent.click(screen.getByRole("button", { name: "1 new transaction" }));
      expect(screen.getByText("Purchase b")).toBeVisible();
      expect(screen.getByText("Purchase b").closest("[tabindex]")).toHaveFocus();
      fireEvent.pointerMove(screen.getByText("Purchase a"));
      rerender(list(["c", "b", "a"]));
      expect(screen.queryByText("Purchase c")).toBeNull();
      act(() => void vi.advanceTimersByTime(2_000));
      expect(screen.getByText("Purchase c")).toBeVisible();
    });

    test("a rest that takes the button away moves its focus to the list", () => {
      const { rerender } = renderFeature(list(["a"]));
      fireEvent.pointerMove(screen.getByText("Purchase a"));
      rerender(list(["b", "a"]));
      act(() => screen.getByRole("button", { name: "1 new transaction" }).focus());
      act(() => void vi.advanceTimersByTime(2_000));
      expect(screen.getByText("Purchase b").closest("[tabindex]")).toHaveFocus();
    });
  });
});

test("the band's tiles carry the specification's labels", () => {
  renderFeature(
    <BandTiles
      pending={{ cents: 35_611n, count: 1 }}
      income={{ cents: 445_907n, count: 3 }}
      outgoing={{ cents: 0n, count: 0 }}
    />,
  );
  expect(screen.getByText("$356.11")).toBeVisible();
  expect(screen.getByText("1 transaction")).toBeVisible();
  expect(screen.getByText("3 deposits")).toBeVisible();
  expect(screen.getByText("0 payments")).toBeVisible();
});

test.each([
  [0, "Good morning"],
  [11, "Good morning"],
  [12, "Good afternoon"],
  [17, "Good afternoon"],
  [18, "Good evening"],
  [23, "Good evening"],
])("at %i the greeting is %s", (hour, greeting) => {
  expect(greetingOf(hour)).toBe(greeting);
});
