import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { DepositDesk } from "../../../src/features/adminDeposits/DepositDesk";
import { depositOf } from "../../support/deposit";
import { renderFeature } from "../../support/renderFeature";

const ROWS: Readonly<Record<string, readonly unknown[]>> = {
  "Pending Review": [depositOf("maya")],
  Completed: [],
};
const loaded = new Set(["Pending Review"]);

vi.mock("convex/react", async () => ({
  ...(await import("../../support/convexReact")),
  usePaginatedQuery: (_query: unknown, { status }: { status: string }) => ({
    results: ROWS[status],
    status: loaded.has(status) ? "Exhausted" : "LoadingFirstPage",
    loadMore: () => undefined,
  }),
}));
vi.mock("../../../src/features/adminDeposits/useDepositImage", () => ({
  useDepositImage: () => ({ kind: "loading" }),
}));

test("a row of the previous tab cannot be chosen while the next one loads, and then called reviewed", async () => {
  const { user, rerender } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("tab", { name: "Completed" }));
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  loaded.add("Completed");
  rerender(<DepositDesk />);
  expect(screen.getByText("No deposits here yet")).toBeVisible();
  expect(screen.queryByText("This deposit has already been reviewed")).not.toBeInTheDocument();
});
