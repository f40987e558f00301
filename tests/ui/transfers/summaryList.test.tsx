import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { ExternalCodeForm } from "../../../src/features/transfers/external/ExternalCodeForm";
import { NoticeStep } from "../../../src/features/transfers/international/ReviewSteps";
import { SummaryList } from "../../../src/features/transfers/SummaryList";
import { renderFeature } from "../../support/renderFeature";

test("the ways back are named by what they change, acronyms with their capitals", () => {
  const terms = ["Account number", "SWIFT/BIC code", "IBAN"];
  const items = terms.map((term) => ({ term, value: "1", field: term }));
  renderFeature(<SummaryList items={items} onChange={() => undefined} />);
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Change account number", "Change SWIFT/BIC code", "Change IBAN"]);
});

/** What is shown beside each term, without its button. */
const shown = () =>
  screen.getAllByRole("definition").map(({ textContent }) => textContent.replace(/Change$/, ""));

/** Where each line leads, in their order. */
async function waysBack(step: (onBack: (field: string) => void) => ReactNode) {
  const fields: string[] = [];
  const { user } = renderFeature(step((field) => fields.push(field)));
  for (const button of screen.getAllByRole("button", { name: /^Change / })) {
    await user.click(button);
  }
  return fields;
}

test("before the code, everything that is sent to a US bank is shown, also without a connection", async () => {
  const { recipient, ...details } = {
    amountCents: 2_500n,
    fromAccount: "Checking",
    recipient: "Dana Whitfield, Cedar Point Trust",
    accountName: "Dana Whitfield",
    toBank: "Cedar Point Trust",
    routingNumber: "990030397",
    accountNumber: "12345678",
    reference: "Loan",
  } as const;
  const fields = await waysBack((onBack) => (
    <ExternalCodeForm
      details={details}
      expiresAt={0}
      isBusy={false}
      message={undefined}
      attemptsLeft={undefined}
      disabledReason="You're offline."
      onBack={onBack}
      onConfirm={async () => false}
    />
  ));
  expect(screen.getByRole("button", { name: "Confirm Transfer" })).toBeDisabled();
  expect(shown()).toEqual(["$25.00", "Checking", recipient, "990030397", "12345678", "Loan"]);
  expect(fields).toEqual([
    "amount",
    "fromAccount",
    "accountName",
    "routingNumber",
    "accountNumber",
    "reference",
  ]);
});

test("before it is confirmed, everything of an international transfer is shown", async () => {
  const command = {
    fromAccount: "Savings",
    recipientName: "Ana Lima",
    bankName: "Banco Azul",
    swiftCode: "DEUTDEFF",
    accountNumber: "12345678",
    iban: "PT50",
    country: "PT",
    currency: "EUR",
    amountCents: 2_500n,
    reference: "Gift",
  } as const;
  const fields = await waysBack((onBack) => (
    <NoticeStep command={command} onBack={onBack} onContinue={() => undefined} />
  ));
  expect(shown()).toEqual([
    "$25.00",
    "Savings",
    "Ana Lima",
    "Banco Azul",
    "DEUTDEFF",
    "12345678",
    "PT50",
    "Portugal",
    "EUR - Euro",
    "Gift",
  ]);
  expect(fields).toEqual([
    "amount",
    "fromAccount",
    "recipientName",
    "bankName",
    "swiftCode",
    "accountNumber",
    "iban",
    "country",
    "currency",
    "reference",
  ]);
});
