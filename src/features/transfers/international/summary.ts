import { countryName } from "#shared/countries";
import { CURRENCIES } from "#shared/currencies";
import { formatUsd } from "#shared/money";
import type { InternationalTransferCommand } from "#shared/rules/internationalTransfer";
import type { SummaryItem } from "../SummaryList";
import type { InternationalField } from "./InternationalDetailsForm";

/** Everything that will be sent, in the order of the form. */
export function summaryOf(
  command: InternationalTransferCommand,
): SummaryItem<InternationalField>[] {
  const currency = CURRENCIES.find((known) => known.code === command.currency);
  const iban =
    command.iban === undefined
      ? []
      : [{ term: "IBAN", value: command.iban, field: "iban" } as const];
  return [
    { term: "Amount", value: formatUsd(command.amountCents), field: "amount" },
    { term: "From", value: command.fromAccount, field: "fromAccount" },
    { term: "Recipient name", value: command.recipientName, field: "recipientName" },
    { term: "Bank name", value: command.bankName, field: "bankName" },
    { term: "SWIFT/BIC code", value: command.swiftCode, field: "swiftCode" },
    { term: "Account number", value: command.accountNumber, field: "accountNumber" },
    ...iban,
    { term: "Country", value: countryName(command.country), field: "country" },
    {
      term: "Currency",
      value: currency === undefined ? command.currency : `${currency.code} - ${currency.name}`,
      field: "currency",
    },
    { term: "Reference", value: command.reference, field: "reference" },
  ];
}
