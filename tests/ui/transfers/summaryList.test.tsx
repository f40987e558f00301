import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SummaryList } from "../../../src/features/transfers/SummaryList";
import { renderFeature } from "../../support/renderFeature";

test("the ways back are named by what they change, acronyms with their capitals", () => {
  const terms = ["Account number", "SWIFT/BIC code", "IBAN"];
  const items = terms.map((term) => ({ term, value: "1", field: term }));
  renderFeature(<SummaryList items={items} onChange={() => undefined} />);
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Change account number", "Change SWIFT/BIC code", "Change IBAN"]);
});
