import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { StatementPaper } from "../../../src/features/statements/StatementPaper";
import { renderFeature } from "../../support/renderFeature";
import { STATEMENT, STATEMENT_ROW } from "../../support/statement";

test("entries carry their references on the page and on paper, as in the PDF", () => {
  const row = { ...STATEMENT_ROW, description: "Transfer to Savings", reference: "Holiday" };
  renderFeature(<StatementPaper statement={{ ...STATEMENT, rows: [row] }} ref={null} />);
  expect(screen.getAllByText("Transfer to Savings (Holiday)")).not.toHaveLength(0);
});

test("sums stand beside their names, and each entry has the balance after it", () => {
  renderFeature(<StatementPaper statement={STATEMENT} ref={null} />);
  const texts = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);
  expect(texts("term")).toEqual(["Opening balance", "Money in", "Money out", "Closing balance"]);
  expect(texts("definition")).toEqual(["$100.00", "$0.00", "$5.00", "$95.00"]);
  expect(texts("cell").slice(-2)).toEqual(["-$5.00", "$95.00"]);
});
