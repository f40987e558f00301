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
