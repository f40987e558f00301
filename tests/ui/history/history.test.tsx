import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { History } from "../../../src/features/history/History";
import { renderFeature } from "../../support/renderFeature";

const list = { results: [] as unknown[], status: "Exhausted", loadMore: vi.fn() };

vi.mock("convex/react", async () => ({
  ...(await import("../../support/convexReact")),
  usePaginatedQuery: () => list,
}));

beforeEach(() => {
  list.status = "Exhausted";
});

test("what has been looked at so far is not called the whole history", () => {
  list.status = "CanLoadMore";
  renderFeature(<History />, "/transactions?q=rent");
  expect(screen.getByText("No match among the newest transactions")).toBeVisible();
  expect(screen.getByRole("button", { name: "Load more" })).toBeVisible();
});

test.each([
  ["/transactions?q=rent", "No transactions match"],
  ["/transactions", "No transactions yet"],
  ["/transactions?from=2026-03-02&to=2026-03-01", "The first date is after the last one."],
  ["/transactions?min=2&max=1.99", "The minimum amount is above the maximum."],
])("at the end of the history, %s says %j", (path, title) => {
  renderFeature(<History />, path);
  expect(screen.getByText(title)).toBeVisible();
});

test.each([
  "/transactions?from=2026-03-01&to=2026-03-01",
  "/transactions?to=2026-03-01",
  "/transactions?from=2026-03-01",
  "/transactions?min=2&max=2",
  "/transactions?max=2",
  "/transactions?min=2",
])("the filters of %s do not contradict each other", (path) => {
  renderFeature(<History />, path);
  expect(screen.getByText("Try different words, a longer period or fewer filters.")).toBeVisible();
});
