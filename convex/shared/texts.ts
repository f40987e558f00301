/**
 * Sentences that are not refusals: success messages, dialog titles and bodies, notices.
 *
 * Spec sections 2, 4 and 8, verbatim where the spec gives them. Not here: refusals (shared/errors).
 */
import { INSTITUTION } from "./institution";
import type { BillProvider } from "./validators";
import { fillPlaces } from "./places";

/** Titles of the outcome dialogs of refused transfers (spec sections 2 and 8). */
export const DIALOG_TITLES = {
  transferBlocked: "Transaction Blocked",
  activityAlert: "Account Activity Alert",
  accountLocked: "Transaction Denied",
} as const;

/** Names of the six quick-pick providers (spec section 2 "Bill Pay"). */
export const PROVIDER_NAMES: Readonly<Record<BillProvider, string>> = {
  electric: "Electric",
  water: "Water",
  internet: "Internet",
  mobile: "Mobile",
  insurance: "Insurance",
  streaming: "Streaming",
};

/** The description of a bill payment's transaction; the spec gives none. */
export const billDescription = (provider: BillProvider): string =>
  `${PROVIDER_NAMES[provider]} bill payment`;

export const TEXTS = {
  // Spec section 2 "Signup form", "Pending approval page".
  registrationUnderReview: "Your application is under review",
  pendingApprovalTitle: "Account Pending Approval",
  pendingApprovalTime: "Review typically takes 1-2 business days.",
  pendingApprovalEmail: "An email notification will be sent once your account is approved.",
  // Spec section 2 "Transfer forms".
  recipientFound: "Recipient found: {name}",
  // Spec section 2 "Bill Pay", "Mobile Deposit", "Statements".
  paymentScheduled: "Payment scheduled successfully!",
  depositSubmitted:
    "Check deposit submitted successfully! Your funds will be available according to our standard deposit policy.",
  statementSent: "Your statement will be sent to your registered email address.",
  // Spec section 8 "Admin".
  transactionsAdded: "Transactions added successfully!",
  transactionDeleted: "Transaction deleted successfully",
  findingUser: "Finding user...",
  deletingTransactions: "Deleting transactions...",
  transactionsDeleted: "Successfully deleted {count} transactions",
  // Spec section 2 "Reset Transfer Counts".
  resetAllWarning:
    "Are you sure you want to reset all transfer counts? This action cannot be undone.",
  resetAllDone: "Successfully reset {count} users. {skipped} users skipped.",
  resetOneDone: "Successfully reset transfer count for {email}",
  // Ours.
  fileSaved: "The file was saved.",
  accountSaved: "Account changes saved.",
  offlineMoney: "You're offline. Reconnect to move money.",
  offlineChanges: "You're offline. Reconnect to make changes.",
  offline: "You're offline. Nothing can be sent right now; what you have typed is kept.",
  answerAwaited:
    "There is no answer yet, but what you sent may have arrived. Keep this page open: the outcome will appear here once you are connected. Do not send it again until then.",
  dialogStaysOpen: "This window cannot be closed until then.",
  removedByInstitution: "Removed by the credit union",
  membershipInactive: "The membership is not active",
  approvalRequested:
    "One administrator may not do this alone. The change is now waiting under Approvals for a second one.",
  demoNotice: `Demonstration product. ${INSTITUTION.fullName} is a fictional institution.`,
} as const satisfies Record<string, string>;

type TextKey = keyof typeof TEXTS;

/** A text with its `{name}` places filled in. */
export function textFor(key: TextKey, values: Record<string, string | number>): string {
  return fillPlaces(TEXTS[key], values);
}
