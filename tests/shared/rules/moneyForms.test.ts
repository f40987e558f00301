/** The money forms turn typed text into the mutation's arguments or into one error message. */
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { billPaymentForm } from "../../../convex/shared/rules/billPayment";
import { externalTransferForm } from "../../../convex/shared/rules/externalTransfer";
import { internalTransferForm } from "../../../convex/shared/rules/internalTransfer";
import { internationalTransferForm } from "../../../convex/shared/rules/internationalTransfer";
import { userTransferForm } from "../../../convex/shared/rules/userTransfer";

const funds = { availableCents: 10_000n };

describe("the forms", () => {
  type Issues = {
    success: boolean;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
  const sentenceOf = ({ error }: Issues) => error?.issues.map((issue) => issue.message);

  test("report exactly one message of the catalogue, under the root when it is not about a single field", () => {
    const result = internalTransferForm(funds).safeParse({
      fromAccount: "Checking",
      toAccount: "Savings",
      amount: "0",
      reference: "",
    });
    expect(sentenceOf(result)).toEqual([MESSAGES.FILL_ALL_FIELDS]);
    expect(result.error?.issues[0]?.path).toEqual(["root"]);
  });

  test("report which field has unusual characters", () => {
    const form = billPaymentForm({ ...funds, tomorrow: "2026-11-22" });
    const typed = {
      fromAccount: "Checking",
      provider: "electric",
      accountNumber: "W-77",
      amount: "5",
      scheduleDate: "2026-11-30",
      memo: "",
    };
    for (const field of ["accountNumber", "memo"]) {
      const result = form.safeParse({ ...typed, [field]: "a\u202eb" });
      expect(sentenceOf(result)).toEqual([MESSAGES.INVALID_TEXT]);
      expect(result.error?.issues[0]?.path).toEqual([field]);
    }
  });

  test("turn typed text into the mutation's arguments", () => {
    expect(
      internationalTransferForm(funds).parse({
        fromAccount: "Savings",
        recipientName: " Ben ",
        bankName: "Bank",
        swiftCode: "deutdeff",
        accountNumber: "12 34 56 78",
        iban: "de 12",
        country: "DE",
        currency: "EUR",
        amount: "12.3",
        reference: "rent",
      }),
    ).toEqual({
      fromAccount: "Savings",
      recipientName: "Ben",
      bankName: "Bank",
      swiftCode: "DEUTDEFF",
      accountNumber: "12345678",
      iban: "DE12",
      country: "DE",
      currency: "EUR",
      amountCents: 1_230n,
      reference: "rent",
    });
  });

  test("invisible characters count neither for the length nor as a filled field", () => {
    const typed = {
      fromAccount: "Checking",
      recipientName: "Ben",
      bankName: "Bank",
      swiftCode: "DEUT\u200bDEFF",
      accountNumber: "1234\u00ad5678",
      country: "DE",
      currency: "EUR",
      amount: "1",
      reference: "rent",
    };
    const form = internationalTransferForm(funds);
    expect(form.parse(typed)).toMatchObject({ swiftCode: "DEUTDEFF", accountNumber: "12345678" });
    expect(sentenceOf(form.safeParse({ ...typed, accountNumber: "1234567\u200b" }))).toEqual([
      MESSAGES.INVALID_INTERNATIONAL_ACCOUNT_NUMBER,
    ]);
    for (const field of ["recipientName", "bankName", "reference"]) {
      expect(sentenceOf(form.safeParse({ ...typed, [field]: "\u200b" })), field).toEqual([
        MESSAGES.FILL_ALL_FIELDS,
      ]);
    }
  });

  test("leave an empty IBAN and memo out", () => {
    const bill = billPaymentForm({ ...funds, tomorrow: "2026-03-02" }).parse({
      fromAccount: "Checking",
      provider: "water",
      accountNumber: "77",
      amount: "1",
      scheduleDate: "2026-03-02",
      memo: " ",
    });
    expect(bill.memo).toBeUndefined();
    const transfer = internationalTransferForm(funds).parse({
      fromAccount: "Checking",
      recipientName: "Ben",
      bankName: "Bank",
      swiftCode: "DEUTDEFF",
      accountNumber: "12345678",
      iban: " ",
      country: "DE",
      currency: "EUR",
      amount: "1",
      reference: "rent",
    });
    expect(transfer.iban).toBeUndefined();
  });

  test("the third decimal is refused, not rounded", () => {
    const form = userTransferForm({ ...funds, isRecipientVerified: true });
    const typed = {
      fromAccount: "Checking",
      recipientEmail: "Ben@Bank.example ",
      amount: "1.005",
      reference: "x",
    };
    expect(sentenceOf(form.safeParse(typed))).toEqual([MESSAGES.INVALID_AMOUNT]);
    const recipientEmail = "ben@bank.example";
    expect(form.parse({ ...typed, amount: "1" })).toMatchObject({ recipientEmail });
  });

  test("17 digits are an account number and 18 are not", () => {
    const form = externalTransferForm(funds);
    const typed = {
      fromAccount: "Checking",
      toBank: "Eastbrook Bank",
      routingNumber: "990050652",
      accountNumber: "1".repeat(17),
      accountName: "Ben",
      amount: "1",
      reference: "x",
    };
    expect(form.safeParse(typed).success).toBe(true);
    expect(sentenceOf(form.safeParse({ ...typed, accountNumber: "1".repeat(18) }))).toEqual([
      MESSAGES.INVALID_EXTERNAL_ACCOUNT_NUMBER,
    ]);
  });
});
