import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { Insights } from "../../../src/features/charts/Insights";
import { fakeServer } from "../../support/convexReact";
import { renderFeature } from "../../support/renderFeature";

beforeEach(() => {
  fakeServer.queries = { "transactions:spendingByCategory": [] };
});

test("no month is said to be without spending before its answer is here", async () => {
  const { user, rerender } = renderFeature(<Insights />);
  expect(screen.getByText(/^No spending in /)).toBeVisible();
  fakeServer.queries["transactions:spendingByCategory"] = undefined;
  const [, before] = screen.getAllByRole("option");
  await user.selectOptions(screen.getByLabelText("Month"), before!);
  expect(screen.queryByText(/^No spending in /)).toBeNull();
  fakeServer.queries["transactions:spendingByCategory"] = [];
  rerender(<Insights />);
  expect(screen.getByText(`No spending in ${before!.textContent}.`)).toBeVisible();
});
