import { COUNTRIES } from "#shared/countries";
import { CURRENCIES } from "#shared/currencies";
import { formatUsd } from "#shared/money";
import type { InternationalTransferCommand } from "#shared/rules/internationalTransfer";
import type { SummaryItem } from "../SummaryList";

/** Everything that will be sent, in the order of the form. */
export function summaryOf(command: InternationalTransferCommand): SummaryItem[] {
  const country = COUNTRIES.find((known) => known.code === command.country);
  const currency = CURRENCIES.find((known) => known.code === command.currency);
  const iban = command.iban === undefined ? [] : [{ term: "IBAN", value: command.iban }];
  return [
    { term: "Amount", value: formatUsd(command.amountCents) },
    { term: "From", value: command.fromAccount },
    { term: "Recipient name", value: command.recipientName },
    { term: "Bank name", value: command.bankName },
    { term: "SWIFT/BIC code", value: command.swiftCode },
    { term: "Account number", value: command.accountNumber },
    ...iban,
    { term: "Country", value: country?.name ?? command.country },
    {
      term: "Currency",
      value: currency === undefined ? command.currency : `${currency.code} - ${currency.name}`,
    },
    { term: "Reference", value: command.reference },
  ];
}
