/** The six quick actions (spec section 2), their tiles and their hash anchors. */
export const QUICK_ACTIONS = [
  { key: "billpay", label: "Bill Pay", hint: "Pay a provider" },
  { key: "deposit", label: "Mobile Deposit", hint: "Photograph a check" },
  { key: "cards", label: "Cards", hint: "Debit and credit" },
  { key: "statements", label: "Statements", hint: "View and download" },
  { key: "zelle", label: "Zelle", hint: "Coming soon" },
  { key: "rewards", label: "Rewards", hint: "Points and offers" },
] as const;

export type QuickActionKey = (typeof QUICK_ACTIONS)[number]["key"];

/** Id of the section and hash of the closed grid. */
export const QUICK_ACTIONS_ID = "quick-actions";

/** The hash that opens a panel, for example `#quick-actions-billpay` (spec section 2). */
export function hashOf(key: QuickActionKey): string {
  return `#${QUICK_ACTIONS_ID}-${key}`;
}

/** The panel that a hash opens; null for any other hash. */
export function quickActionOf(hash: string): QuickActionKey | null {
  return QUICK_ACTIONS.find((action) => hashOf(action.key) === hash)?.key ?? null;
}
