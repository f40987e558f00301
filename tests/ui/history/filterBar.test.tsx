import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { readFilters } from "../../../src/features/history/filters";
import { HistoryFilterBar } from "../../../src/features/history/HistoryFilterBar";
import { renderFeature } from "../../support/renderFeature";

test.each([
  ["From date", "from"],
  ["To date", "to"],
])("%s keeps what is typed while the address has not followed yet", async (label, name) => {
  const onChange = vi.fn();
  const texts = readFilters(new URLSearchParams());
  const bar = <HistoryFilterBar texts={texts} onChange={onChange} onClear={() => undefined} />;
  const { user } = renderFeature(bar);
  const field = screen.getByLabelText(label);
  await user.click(field);
  // As a browser reports a year while it is typed.
  for (const date of ["0002-11-01", "0020-11-01", "0202-11-01", "2026-11-01"]) {
    fireEvent.change(field, { target: { value: date } });
    expect(field).toHaveValue(date);
  }
  await waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(name, "2026-11-01"));
});

test("clearing takes the button away: the search it belonged to has the focus then", async () => {
  const bar = (query: string) => (
    <HistoryFilterBar
      texts={readFilters(new URLSearchParams(query))}
      onChange={() => undefined}
      onClear={() => view.rerender(bar(""))}
    />
  );
  const view = renderFeature(bar("q=rent"));
  await view.user.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
  expect(screen.getByRole("search")).toHaveFocus();
});
