/**
 * Every rule table of the money forms, in order. Each row violates its own rule and as many later ones as
 * possible, and must still be refused with its own code. A rule without a row fails the test. The first
 * rule, completeness, is tested with every required field left out.
 */
import { expect, test } from "vitest";
import type {} from "../../../convex/shared/errors";
import { ACCOUNT_EDIT_RULES } from "../../../convex/shared/rules/accountEdit";
import { BILL_PAYMENT_RULES } from "../../../convex/shared/rules/billPayment";
import { EXTERNAL_TRANSFER_RULES } from "../../../convex/shared/rules/externalTransfer";
import { INTERNAL_TRANSFER_RULES } from "../../../convex/shared/rules/internalTransfer";
import { INTERNATIONAL_TRANSFER_RULES } from "../../../convex/shared/rules/internationalTransfer";
import {
  MOBILE_DEPOSIT_RULES,
  type MobileDepositDraft,
} from "../../../convex/shared/rules/mobileDeposit";
import { firstRefusal } from "../../../convex/shared/rules/rule";
import { TRANSACTION_ROW_RULES } from "../../../convex/shared/rules/transactionRow";
import { USER_TRANSFER_RULES } from "../../../convex/shared/rules/userTransfer";
import { testRules } from "./testRules";

const LONG = "x".repeat(100_000);

const NO_MONEY = { fromAccount: "", amountCents: "empty", reference: "" } as const;
const funds = { availableCents: 10_000n };

testRules(
  "between own accounts",
  INTERNAL_TRANSFER_RULES,
  {
    draft: { fromAccount: "Checking", toAccount: "Savings", amountCents: 10_000n, reference: "x" },
    facts: funds,
    empty: { ...NO_MONEY, toAccount: "" },
  },
  [
    ["FILL_ALL_FIELDS", { toAccount: "Checking", amountCents: 0n, reference: "" }],
    ["SAME_ACCOUNT", { toAccount: "Checking", amountCents: 0n, reference: LONG }],
    ["INVALID_TEXT", { amountCents: "invalid", reference: "a\u202eb" }],
    ["INVALID_AMOUNT", { amountCents: 10n ** 15n }],
    ["INSUFFICIENT_FUNDS", { amountCents: 10_001n }],
  ],
);

testRules(
  "to another person here",
  USER_TRANSFER_RULES,
  {
    draft: {
      fromAccount: "Checking",
      recipientEmail: "ben@bank.example",
      amountCents: 1n,
      reference: "x",
    },
    facts: { ...funds, isRecipientVerified: true },
    empty: { ...NO_MONEY, recipientEmail: "" },
  },
  [
    [
      "FILL_ALL_FIELDS",
      { recipientEmail: "", amountCents: "invalid", reference: LONG },
      { isRecipientVerified: false },
    ],
    [
      "INVALID_TEXT",
      { recipientEmail: "ben", amountCents: 0n, reference: LONG },
      { isRecipientVerified: false },
    ],
    [
      "INVALID_RECIPIENT",
      { recipientEmail: "ben", amountCents: 0n },
      { isRecipientVerified: false },
    ],
    ["INVALID_AMOUNT", { recipientEmail: "ben", amountCents: 10n ** 15n }],
    ["INSUFFICIENT_FUNDS", { recipientEmail: "ben", amountCents: 10_001n }],
    ["INVALID_EMAIL", { recipientEmail: "ben@bank" }],
  ],
);

testRules(
  "to a US bank",
  EXTERNAL_TRANSFER_RULES,
  {
    draft: {
      fromAccount: "Checking",
      toBank: "Granite Bay Federal",
      routingNumber: "990070917",
      accountNumber: "12345678",
      accountName: "Ben Ode",
      amountCents: 1n,
      reference: "x",
    },
    facts: funds,
    empty: { ...NO_MONEY, toBank: "", routingNumber: "", accountNumber: "", accountName: "" },
  },
  [
    [
      "FILL_ALL_FIELDS",
      { accountName: "", accountNumber: "1", routingNumber: "1", toBank: "x", amountCents: 0n },
    ],
    [
      "INVALID_EXTERNAL_ACCOUNT_NUMBER",
      { accountNumber: "1234567", routingNumber: "1", toBank: "x", amountCents: 0n },
    ],
    ["INVALID_ROUTING_NUMBER", { routingNumber: "99007091x", toBank: "x", reference: LONG }],
    ["INVALID_BANK", { toBank: "Granite", reference: LONG, amountCents: 0n }],
    ["INVALID_TEXT", { accountName: "a\u0000b", reference: LONG, amountCents: 0n }],
    ["INVALID_TEXT", { reference: LONG, amountCents: 0n }],
    ["INVALID_AMOUNT", { amountCents: -1n }],
    ["INSUFFICIENT_FUNDS", { amountCents: 10_001n }],
  ],
);

testRules(
  "international",
  INTERNATIONAL_TRANSFER_RULES,
  {
    draft: {
      fromAccount: "Checking",
      recipientName: "Ben Ode",
      bankName: "Bank",
      swiftCode: "DEUTDEFF",
      accountNumber: "DE12345678",
      country: "DE",
      currency: "EUR",
      amountCents: 1n,
      reference: "x",
    },
    facts: funds,
    empty: {
      ...NO_MONEY,
      recipientName: "",
      bankName: "",
      swiftCode: "",
      accountNumber: "",
      country: "",
      currency: "",
    },
  },
  [
    [
      "FILL_ALL_FIELDS",
      { recipientName: "", swiftCode: "X", accountNumber: "1", country: "x", currency: "x" },
    ],
    [
      "INVALID_SWIFT",
      { swiftCode: "DEUTDEF", accountNumber: "1", country: "x", currency: "x", amountCents: 0n },
    ],
    [
      "INVALID_INTERNATIONAL_ACCOUNT_NUMBER",
      { accountNumber: "1".repeat(35), country: "x", currency: "x", amountCents: 0n },
    ],
    ["INVALID_COUNTRY", { country: "Germany", currency: "x", amountCents: 0n, reference: LONG }],
    ["INVALID_CURRENCY", { currency: "Euro", amountCents: 0n, reference: LONG }],
    ["INVALID_TEXT", { recipientName: LONG, bankName: "a\u202eb", amountCents: 0n }],
    ["INVALID_TEXT", { bankName: "a\u202eb", iban: "X".repeat(35), amountCents: 0n }],
    ["INVALID_TEXT", { iban: "X".repeat(35), reference: LONG, amountCents: 0n }],
    ["INVALID_TEXT", { reference: LONG, amountCents: 0n }],
    ["INVALID_AMOUNT", { amountCents: 0n }],
    ["INSUFFICIENT_FUNDS", { amountCents: 10_001n }],
  ],
);

testRules(
  "bill payment",
  BILL_PAYMENT_RULES,
  {
    draft: {
      fromAccount: "Checking",
      provider: "electric",
      accountNumber: "1",
      amountCents: 1n,
      scheduleDate: "2026-03-02",
    },
    facts: { ...funds, tomorrow: "2026-03-02" },
    empty: {
      fromAccount: "",
      provider: "",
      accountNumber: "",
      amountCents: "empty",
      scheduleDate: "",
    },
  },
  [
    ["FILL_REQUIRED_FIELDS", { provider: "", amountCents: 0n, scheduleDate: "x", memo: LONG }],
    ["INVALID_TEXT", { accountNumber: "1".repeat(35), amountCents: 0n, memo: LONG }],
    ["INVALID_TEXT", { amountCents: 0n, scheduleDate: "x", memo: LONG }],
    ["INVALID_AMOUNT", { amountCents: "invalid", scheduleDate: "x" }],
    ["INSUFFICIENT_FUNDS", { amountCents: 10_001n, scheduleDate: "x" }],
    ["INVALID_DATE", { scheduleDate: "2026-02-30" }],
    ["PAYMENT_DATE_TOO_EARLY", { scheduleDate: "2026-03-01" }],
  ],
);

testRules<MobileDepositDraft, object>(
  "mobile deposit",
  MOBILE_DEPOSIT_RULES,
  {
    draft: {
      toAccount: "Checking",
      amountCents: 1_000_000n,
      hasFrontImage: true,
      hasBackImage: true,
    },
    facts: {},
    empty: { toAccount: "", amountCents: "empty", hasFrontImage: false, hasBackImage: false },
  },
  [
    ["DEPOSIT_INCOMPLETE", { hasBackImage: false, amountCents: "invalid" }],
    ["INVALID_AMOUNT", { amountCents: 10n ** 15n }],
    ["DEPOSIT_LIMIT", { amountCents: 1_000_001n }],
  ],
);

testRules(
  "account edit",
  ACCOUNT_EDIT_RULES,
  {
    draft: {
      accountNumber: "1234567890",
      routingNumber: "021000021",
      balanceCents: 0n,
      availableCents: 0n,
    },
    facts: {
      accountNumber: "12345678",
      routingNumber: "021000021",
      balanceCents: 100n,
      availableCents: 100n,
    },
  },
  [
    [
      "INVALID_ADMIN_ACCOUNT_NUMBER",
      { accountNumber: "0123456789", routingNumber: "1", balanceCents: -1n },
    ],
    ["INVALID_ADMIN_ROUTING_NUMBER", { routingNumber: "12345678", availableCents: "empty" }],
    ["INVALID_AMOUNT", { balanceCents: "empty", availableCents: -1n }],
    ["INVALID_AMOUNT", { availableCents: -1n }],
  ],
);

test("an account of 8 digits can be edited as long as its number stays", () => {
  const facts = {
    accountNumber: "12345678",
    routingNumber: "021000021",
    balanceCents: 0n,
    availableCents: 0n,
  };
  const balances = { balanceCents: 100n, availableCents: 0n };
  expect(firstRefusal(ACCOUNT_EDIT_RULES, { ...facts, ...balances }, facts)).toBeNull();
  const other = { ...facts, ...balances, accountNumber: "12345679" };
  expect(firstRefusal(ACCOUNT_EDIT_RULES, other, facts)).toBe("INVALID_ADMIN_ACCOUNT_NUMBER");
});

testRules(
  "transaction row",
  TRANSACTION_ROW_RULES,
  {
    draft: { description: "x", amountCents: 1n, dateMs: 1_700_000_000_000 },
    facts: { nowMs: 1.8e12 },
    empty: { description: "", amountCents: "empty", dateMs: null },
  },
  [
    ["FILL_ALL_FIELDS", { description: "", amountCents: 0n }],
    ["INVALID_AMOUNT", { amountCents: 0n, description: LONG, dateMs: Number.NaN }],
    ["INVALID_TEXT", { description: LONG, dateMs: 0.5 }],
    ["INVALID_DATE", { dateMs: 9e15 }],
  ],
);
