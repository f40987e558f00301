import { screen } from "@testing-library/react";
import { useMemo, useState } from "react";
import { expect, test, vi } from "vitest";
import { DepositDesk } from "../../../src/features/adminDeposits/DepositDesk";
import { depositOf } from "../../support/deposit";
import { renderFeature } from "../../support/renderFeature";

const reviewed = new Set<string>();

/** As the official hook answers: a page keeps its bounds when its rows leave. */
vi.mock("convex/react", async () => ({
  ...(await import("../../support/convexReact")),
  usePaginatedQuery: () => {
    const pages = ["maya", "omar", "lena"];
    const [loaded, setLoaded] = useState(1);
    const waiting = pages.slice(0, loaded).filter((name) => !reviewed.has(name));
    const names = waiting.join();
    return {
      results: useMemo(() => (names === "" ? [] : names.split(",").map(depositOf)), [names]),
      status: loaded < pages.length ? "CanLoadMore" : "Exhausted",
      loadMore: () => setLoaded(loaded + 1),
    };
  },
}));

test("after the last loaded deposit has left, the next ones follow; only then is nothing waiting", () => {
  const { rerender } = renderFeature(<DepositDesk />);
  expect(screen.getByRole("button", { name: /maya@demo/ })).toBeVisible();
  reviewed.add("maya").add("omar");
  rerender(<DepositDesk />);
  expect(screen.getByRole("button", { name: /lena@demo/ })).toBeVisible();
  reviewed.add("lena");
  rerender(<DepositDesk />);
  expect(screen.getByText("No deposits are waiting")).toBeVisible();
});
