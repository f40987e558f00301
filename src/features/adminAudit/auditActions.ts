/** Every action that writes an audit entry, in words. A test compares the list with the server's. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  "account.update": "Account edited",
  "approval.reject": "Change refused or withdrawn",
  "approval.request": "Second administrator asked",
  "card.replace": "Card replaced",
  "card.setStatus": "Card locked, unlocked or reported lost",
  "demo.seed": "Demo data written",
  "deposit.approve": "Deposit approved",
  "deposit.reject": "Deposit rejected",
  "health.runLedgerCheck": "Ledger check started",
  "identity.set": "Name or email changed",
  "inbox.setHandled": "Contact message marked",
  "otp.add": "One-time code added",
  "otp.clearUsed": "Used one-time codes cleared",
  "otp.clearUsedEnded": "Clearing of used one-time codes ended",
  "otp.list": "One-time codes opened",
  "otp.remove": "One-time code removed",
  "outbox.sendAgain": "Failed email queued again",
  "policy.applyRecommended": "Recommended policies applied",
  "policy.set": "Policy switched",
  "registration.approve": "Registration approved",
  "registration.correct": "Application corrected",
  "registration.reject": "Registration rejected",
  "registration.reopen": "Registration reopened",
  "registration.requestInformation": "Information requested",
  "registration.setCheck": "Verification check set",
  "restriction.lift": "Restriction lifted",
  "restriction.set": "Restriction set",
  "statement.open": "Statement opened",
  "transactions.add": "Transactions added",
  "transactions.remove": "Transaction deleted",
  "transactions.removeAll": "Deletion of all transactions started",
  "transactions.removeAllEnded": "Deletion of all transactions ended",
  "transactions.removeBatch": "Batch taken back",
  "transferCount.reset": "Transfer count reset",
  "transferCount.resetAll": "All transfer counts reset",
  "transferCount.resetAllEnded": "Reset of all transfer counts ended",
  "user.create": "User created",
  "user.disable": "Sign-in disabled",
  "user.enable": "Sign-in enabled",
  "user.findByEmail": "User looked up",
  "user.resetPassword": "Password reset",
  "user.setRole": "Role changed",
  "user.unlock": "Sign-in unlocked",
};

/** Names of the known actions, for the filter. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(ACTION_TEXTS);

/** "Registration approved"; an action not listed here is shown by its own name. */
export function actionText(action: string): string {
  return ACTION_TEXTS[action] ?? action;
}
