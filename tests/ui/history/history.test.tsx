import { screen, within } from "@testing-library/react";
import { useLocation, useNavigationType } from "react-router-dom";
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
  list.results = [];
});

test("what has been looked at so far is not called the whole history", () => {
  list.status = "CanLoadMore";
  renderFeature(<History />, "/transactions?q=rent");
  expect(screen.getByText("No match among the newest transactions")).toBeVisible();
  expect(screen.getByRole("button", { name: "Load more" })).toBeVisible();
});

test("while other filters load, nothing is said to be missing", () => {
  const { rerender } = renderFeature(<History />, "/transactions?q=rent");
  expect(screen.getByText("No transactions match")).toBeVisible();
  list.status = "LoadingFirstPage";
  rerender(<History />);
  expect(screen.queryByText(/^No (match|transactions)/)).toBeNull();
});

test.each([
  ["/transactions", "Other, Checking, 10:00 AM"],
  ["/transactions?account=Checking", "Other, 10:00 AM, balance $1.00"],
])("rows of %s say what their list leaves open", (path, text) => {
  const row = { _id: "t1", accountType: "Checking", type: "debit", amountCents: 1n };
  const more = { description: "Rent", category: "Other", status: "Failed" };
  const balance = path === "/transactions" ? {} : { balanceAfterCents: 100n };
  list.results = [{ ...row, ...more, ...balance, date: Date.UTC(2026, 10, 20, 15) }];
  renderFeature(<History />, path);
  expect(screen.getByText(text)).toBeVisible();
  expect(within(screen.getByRole("listitem")).getByText("Failed")).toBeVisible();
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

test("filters chosen one after the other add up in the address, without a step back for each", async () => {
  function Address() {
    const { search } = useLocation();
    return <output>{`${useNavigationType()} ${search}`}</output>;
  }
  const page = (
    <>
      <History />
      <Address />
    </>
  );
  const { user, container } = renderFeature(page, "/transactions?account=Checking");
  const address = container.querySelector("output");
  await user.selectOptions(screen.getByLabelText("Direction"), "Money out");
  await user.selectOptions(screen.getByLabelText("Status"), "Failed");
  expect(address).toHaveTextContent("REPLACE ?account=Checking&type=debit&status=Failed");
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(address).toHaveTextContent(/^REPLACE$/);
});
