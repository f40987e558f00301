import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { BalanceOverTime } from "../../../src/features/charts/BalanceOverTime";
import { barsOf, linePath, percentOf, pointsOf } from "../../../src/features/charts/geometry";
import { MonthBars } from "../../../src/features/charts/MonthBars";
import { SpendingByCategory } from "../../../src/features/charts/SpendingByCategory";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

describe("geometry", () => {
  test("the largest bar is full, an empty month keeps a sliver, the last is marked", () => {
    expect(barsOf([50n, 100n, 0n])).toEqual([
      { heightPercent: 50, isLast: false },
      { heightPercent: 100, isLast: false },
      { heightPercent: 4, isLast: true },
    ]);
    expect(barsOf([0n, 0n]).map((bar) => bar.heightPercent)).toEqual([4, 4]);
  });

  test("shares are exact to two decimals and safe without a whole", () => {
    expect(percentOf(1n, 3n)).toBe(33.33);
    expect(percentOf(5n, 0n)).toBe(0);
  });

  test("the highest value lies at the top, equal values in the middle", () => {
    const frame = { width: 100, height: 50, padding: 5 };
    expect(pointsOf([0n, 100n], frame)).toEqual([
      { x: 0, y: 45 },
      { x: 100, y: 5 },
    ]);
    expect(pointsOf([7n, 7n], frame).map((point) => point.y)).toEqual([25, 25]);
    expect(linePath(pointsOf([0n, 100n], frame))).toBe("M0 45 L100 5");
  });
});

describe("charts say their values", () => {
  test("bars in their label", () => {
    renderFeature(
      <MonthBars
        title="Monthly Income"
        months={[
          { label: "Oct", valueCents: 100_00n },
          { label: "Nov", valueCents: 250_50n },
        ]}
      />,
    );
    expect(
      screen.getByRole("img", { name: "Monthly Income, Oct to Nov: Oct $100.00, Nov $250.50" }),
    ).toBeInTheDocument();
  });

  test("spending in a list, with shares", async () => {
    renderFeature(
      <SpendingByCategory
        rows={[
          { category: "Shopping", totalCents: 7_500n, count: 1_250 },
          { category: "Food", totalCents: 2_500n, count: 1 },
        ]}
      />,
    );
    const items = screen.getAllByRole("listitem");
    expect(items[0]).toHaveTextContent("Shopping$75.001,250 payments, 75% of the month");
    expect(items[1]).toHaveTextContent("Food$25.001 payment, 25% of the month");
    await expectNoAxeViolations();
  });

  test("the balance in its name and in a table", async () => {
    renderFeature(
      <BalanceOverTime
        months={[
          { label: "Oct 2026", valueCents: 100_00n },
          { label: "Nov 2026", valueCents: 80_00n },
        ]}
      />,
    );
    expect(screen.getByRole("img", { name: /Oct 2026 to Nov 2026.*\$80\.00/ })).toBeInTheDocument();
    expect(screen.getByText("Show the values")).toBeVisible();
    await expectNoAxeViolations();
  });
});
