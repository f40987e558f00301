/** Where a rule begins to refuse. */
import { expect, test } from "vitest";
import { PASSWORD_RULES } from "../../../convex/shared/rules/password";
import { firstRefusal } from "../../../convex/shared/rules/rule";
import { TRANSACTION_ROW_RULES } from "../../../convex/shared/rules/transactionRow";

test.each([
  [5, "WEAK_PASSWORD"],
  [7, "PASSWORD_TOO_SHORT"],
  [8, null],
  [256, null],
  [257, "PASSWORD_TOO_LONG"],
])("a password's %i characters, counted as people see them: %s", (length, code) => {
  const draft = { password: "\u{1f40e}".repeat(length), email: "ada@x.com" };
  expect(firstRefusal(PASSWORD_RULES, draft, { passwordMinLength: 8 })).toBe(code);
});

test("a transaction row falls in a year from the credit union's founding to the one from now", () => {
  const facts = { nowMs: Date.UTC(2026, 10, 20) };
  const row = { description: "x", amountCents: 1n };
  const refusalAt = (dateMs: number) =>
    firstRefusal(TRANSACTION_ROW_RULES, { ...row, dateMs }, facts);
  const [first, last] = [Date.UTC(1973, 0, 1), Date.UTC(2027, 10, 21)];
  expect([first, last].map(refusalAt)).toEqual([null, null]);
  expect([first - 1, last + 1].map(refusalAt)).toEqual(["INVALID_DATE", "INVALID_DATE"]);
});
