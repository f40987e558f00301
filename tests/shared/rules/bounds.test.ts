/** Where a rule begins to refuse. */
import { expect, test } from "vitest";
import {
  ACCOUNT_EDIT_RULES,
  shapeAccountNumber,
  shapeRoutingNumber,
} from "../../../convex/shared/rules/accountEdit";
import { CONTACT_RULES, contactCommand } from "../../../convex/shared/rules/contact";
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

test("what an account has already is not judged, and numbers are cut to their digits", () => {
  const facts = {
    accountNumber: "12345678",
    routingNumber: "0210",
    balanceCents: 10n ** 15n,
    availableCents: -1n,
  };
  expect(firstRefusal(ACCOUNT_EDIT_RULES, facts, facts)).toBeNull();
  expect(shapeAccountNumber("1234 5678-901")).toBe("1234567890");
  expect(shapeRoutingNumber("021-000-0219")).toBe("021000021");
});

test("a contact message has four thousand characters at most, in lines, and a telephone number thirty", () => {
  const draft = { name: "Zoe", subject: "general", preferredContact: "email" } as const;
  const longest = {
    ...draft,
    email: " z@x.com ",
    phone: "5".repeat(30),
    message: "x\n".repeat(2_000),
  };
  const longer = [{ phone: `${longest.phone}5` }, { message: `${longest.message}x` }];
  expect(firstRefusal(CONTACT_RULES, longest, undefined)).toBeNull();
  for (const more of longer) {
    expect(firstRefusal(CONTACT_RULES, { ...longest, ...more }, undefined)).toBe("INVALID_TEXT");
  }
  expect(contactCommand.parse({ ...longest, phone: " 5 " })).toMatchObject({
    email: "z@x.com",
    phone: "5",
  });
});
