import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { MESSAGES } from "#shared/errors";
import { readFilters, type FilterName } from "../../../src/features/history/filters";
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

test("a date or an amount that cannot be read is called so once its field is left", async () => {
  const settled = vi.fn();
  function Bar() {
    const [texts, setTexts] = useState(readFilters(new URLSearchParams("max=٣&to=20266-11-28")));
    const change = (name: FilterName, text: string) => {
      setTexts({ ...texts, [name]: text });
      settled(text);
    };
    return <HistoryFilterBar texts={texts} onChange={change} onClear={() => undefined} />;
  }
  const { user } = renderFeature(<Bar />);
  const [least, most] = [/^Minimum/, /^Maximum/].map((label) => screen.getByLabelText(label));
  expect(most).toHaveAccessibleDescription(MESSAGES.INVALID_AMOUNT);
  expect(screen.getByLabelText(/^To date/)).toHaveAccessibleDescription(MESSAGES.INVALID_DATE);
  await user.type(least!, "12,5");
  await waitFor(() => expect(settled).toHaveBeenCalledWith("12,5"));
  expect(least).not.toHaveAccessibleDescription();
  await user.tab();
  expect(least).toHaveAccessibleDescription(MESSAGES.INVALID_AMOUNT);
  // Announced, because the focus is elsewhere by now.
  const announced = screen.getAllByRole("alert").map(({ id }) => id);
  expect(announced).toContain(least?.getAttribute("aria-describedby"));
  await user.clear(least!);
  await user.type(least!, "12.5");
  await user.tab();
  expect(least).toHaveValue("12.50");
  expect(least).not.toHaveAccessibleDescription();
});

test("clearing takes what was just typed too, and the button away: the search it belonged to has the focus then", async () => {
  const bar = (query: string) => (
    <HistoryFilterBar
      texts={readFilters(new URLSearchParams(query))}
      onChange={() => undefined}
      onClear={() => view.rerender(bar(""))}
    />
  );
  const view = renderFeature(bar("account=Checking"));
  await view.user.type(screen.getByLabelText("Search"), "al");
  await view.user.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(screen.getByLabelText("Search")).toHaveValue("");
  expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
  expect(screen.getByRole("search")).toHaveFocus();
});
