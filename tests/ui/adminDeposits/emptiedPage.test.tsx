import { screen } from "@testing-library/react";
import { useMemo, useState } from "react";
import { expect, test, vi } from "vitest";
import { DepositDesk } from "../../../src/features/adminDeposits/DepositDesk";
import { depositOf } from "../../support/deposit";
import { renderFeature } from "../../support/renderFeature";

const reviewed = new Set<string>();
const fetched = new Set(["maya", "omar"]);

/** As the official hook answers: a page keeps its bounds when its rows leave. */
vi.mock("convex/react", async () => ({
  ...(await import("../../support/convexReact")),
  usePaginatedQuery: () => {
    const pages = ["maya", "omar", "lena"];
    const [loaded, setLoaded] = useState(1);
    const shown = pages.slice(0, loaded);
    const names = shown.filter((name) => fetched.has(name) && !reviewed.has(name)).join();
    const isFetched = shown.every((name) => fetched.has(name));
    const last = loaded < pages.length ? "CanLoadMore" : "Exhausted";
    return {
      results: useMemo(() => (names === "" ? [] : names.split(",").map(depositOf)), [names]),
      status: isFetched ? last : "LoadingMore",
      loadMore: () => setLoaded(loaded + 1),
    };
  },
}));

test("after the last loaded deposit has left, the next ones follow; only then is nothing waiting", () => {
  const { rerender } = renderFeature(<DepositDesk />);
  expect(screen.getByRole("button", { name: /maya@demo/ })).toBeVisible();
  reviewed.add("maya").add("omar");
  rerender(<DepositDesk />);
  expect(screen.queryByText("No deposits are waiting")).toBeNull();
  fetched.add("lena");
  rerender(<DepositDesk />);
  expect(screen.getByRole("button", { name: /lena@demo/ })).toBeVisible();
  reviewed.add("lena");
  rerender(<DepositDesk />);
  expect(screen.getByText("No deposits are waiting")).toBeVisible();
});
