/** Where a rule begins to refuse. */
import { expect, test } from "vitest";
import {
  ACCOUNT_EDIT_RULES,
  shapeAccountNumber,
  shapeRoutingNumber,
} from "../../../convex/shared/rules/accountEdit";
import { CONTACT_RULES, contactCommand } from "../../../convex/shared/rules/contact";
import { CREATE_USER_RULES } from "../../../convex/shared/rules/createUser";
import { INTERNATIONAL_TRANSFER_RULES } from "../../../convex/shared/rules/internationalTransfer";
import { PASSWORD_RULES } from "../../../convex/shared/rules/password";
import { firstRefusal } from "../../../convex/shared/rules/rule";
import { MESSAGE_RULES } from "../../../convex/shared/rules/text";
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
  for (const dateMs of [first - 1, first + 0.5, last + 1, Number.NaN]) {
    expect(refusalAt(dateMs)).toBe("INVALID_DATE");
  }
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

test.each([
  [{ swiftCode: "DEUTDEFF" }, null],
  [{ swiftCode: "DEUTDEFF500" }, null],
  [{ swiftCode: "DEUTDEFF5000" }, "INVALID_SWIFT"],
  [{ accountNumber: "1".repeat(8) }, null],
  [{ accountNumber: "1".repeat(34) }, null],
  [{ accountNumber: "1".repeat(7) }, "INVALID_INTERNATIONAL_ACCOUNT_NUMBER"],
  [{ accountNumber: "12345678\u0007" }, "INVALID_INTERNATIONAL_ACCOUNT_NUMBER"],
  [{ iban: "1".repeat(34) }, null],
  [{ iban: "1".repeat(35) }, "INVALID_TEXT"],
])("a transfer abroad with %o: %s", (changes, code) => {
  const draft = {
    fromAccount: "Checking",
    recipientName: "Ilse",
    bankName: "Nordbank",
    swiftCode: "DEUTDEFF",
    accountNumber: "DE12345678",
    country: "DE",
    currency: "EUR",
    amountCents: 1n,
    reference: "x",
  };
  const facts = { availableCents: 1n };
  expect(firstRefusal(INTERNATIONAL_TRANSFER_RULES, { ...draft, ...changes }, facts)).toBe(code);
});

test("a password is none that the person's own e-mail gives away", () => {
  const email = "ada.lovelace@x.com";
  for (const password of [email, "Ada.Lovelace"]) {
    const refusal = firstRefusal(PASSWORD_RULES, { password, email }, { passwordMinLength: 6 });
    expect(refusal).toBe("PASSWORD_TOO_COMMON");
  }
});

test("invisible characters fill no message", () => {
  expect(firstRefusal(MESSAGE_RULES, { text: "\u200b\n" }, undefined)).toBe("REASON_REQUIRED");
});

test("the e-mail of a created person is judged as it will be stored", () => {
  const emails = CREATE_USER_RULES.find(({ code }) => code === "INVALID_EMAIL");
  const nothing = { availableCents: 0n, balanceCents: 0n };
  const draft = {
    name: "June",
    email: "june\uff20x.com",
    phone: "5",
    password: "x",
    role: "user",
    street: "5",
    city: "Troy",
    state: "NY",
    zipCode: "1",
    checking: nothing,
    savings: nothing,
  };
  expect(emails?.refuses(draft, { passwordMinLength: 6 })).toBe(false);
});
