/** What changes for a second administrator are called, on their cards and in the notifications about them. */

const CHANGE_NAMES: Readonly<Record<string, string>> = {
  "account.update": "Account edit",
  "transactions.add": "New transactions",
  "transactions.remove": "Deletion of a transaction",
  "transactions.removeBatch": "Deletion of a batch",
  "transactions.removeAll": "Deletion of all transactions",
  "policy.set": "Policy",
  "user.resetPassword": "Password",
  "identity.set": "Name or email",
  "user.setRole": "Role",
};

/** "Account edit, ada@bank.example"; `kind` is the name of the action, as in "account.update". */
export const changeTitle = (kind: string, targetLabel: string): string =>
  `${CHANGE_NAMES[kind] ?? kind}, ${targetLabel}`;
