import { formatUsd, type Cents } from "#shared/money";
import type { AccountType } from "#shared/validators";
import { Select, type SelectProps } from "../ui/Select";

export interface SelectableAccount {
  type: AccountType;
  availableCents: Cents;
  balanceCents: Cents;
}

/** A choice of the member's own accounts: "Checking, $12,480.55 available". */
export function AccountSelect({
  accounts,
  placeholder = "Choose an account",
  ...rest
}: Omit<SelectProps, "options"> & { accounts: readonly SelectableAccount[] }) {
  return (
    <Select
      placeholder={placeholder}
      options={accounts.map((account) => ({
        value: account.type,
        label: `${account.type}, ${formatUsd(account.availableCents)} available`,
      }))}
      {...rest}
    />
  );
}
