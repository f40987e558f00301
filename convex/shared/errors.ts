/**
 * The error catalogue: every refusal's code and its sentence.
 *
 * Spec section 8 (sentences verbatim) and section 5; sentences of our own where the spec is silent.
 * Not here: when a refusal applies (shared/rules, model) and success texts (shared/texts).
 */
import { ConvexError, type Value } from "convex/values";
import { fillPlaces } from "./places";

/** Code to sentence. `{name}` marks a value that `messageFor` fills in. */
export const MESSAGES = {
  // --- Who may (architecture 2.3) ---------------------------------------------------------------
  NOT_SIGNED_IN: "Please sign in to continue.",
  OTP_REQUIRED: "Please verify your one-time code to continue.",
  NOT_APPROVED: "Your account is not approved.",
  NOT_ADMIN: "This is for administrators only.",
  PASSWORD_CHANGE_REQUIRED: "Please choose a new password to continue.",
  RATE_LIMITED: "Too many attempts. Please wait a moment and try again.",
  NOT_FOUND: "Not found",
  SAVE_FAILED: "The change was not saved. Please try again.",
  EXPORT_FAILED: "The file could not be created. Please try again.",
  OFFLINE: "There was no connection, so nothing was sent. Please try again once you are connected.",
  CONNECTION_LOST:
    "The connection was lost before an answer came. If nothing has changed, please try again.",

  // --- Sign-in and sign-up (spec section 8) -----------------------------------------------------
  INVALID_CREDENTIALS: "Failed to sign in. Please check your credentials.",
  INVALID_OTP: "Invalid OTP. Please try again.",
  OTP_FAILED: "Failed to verify OTP. Please try again.",
  INVALID_EMAIL_FORMAT: "Invalid email format. Please check your email address.",
  EMAIL_TAKEN: "An account with this email already exists.",
  WEAK_PASSWORD: "Password should be at least 6 characters long.",
  SIGNUP_FAILED: "Failed to create an account. Please try again.",
  INVALID_EMAIL: "Please enter a valid email address",
  PASSWORDS_DIFFER: "Passwords do not match",
  PASSWORD_TOO_SHORT: "Password should be at least {minimum} characters long.",
  PASSWORD_TOO_COMMON: "This password is too common. Choose a longer or less usual one.",
  PASSWORD_TOO_LONG: "Password should be at most 256 characters long.",
  PASSWORD_UNCHANGED: "Please choose a password that differs from the current one.",
  CURRENT_PASSWORD_WRONG: "The current password is incorrect.",
  INVALID_DATE_OF_BIRTH: "Please enter a valid date of birth",

  // --- Transfers (spec sections 5, 6 and 8) -----------------------------------------------------
  FILL_ALL_FIELDS: "Please fill in all fields",
  INVALID_RECIPIENT: "Please enter a valid recipient",
  INVALID_AMOUNT: "Please enter a valid amount",
  INSUFFICIENT_FUNDS: "Insufficient funds",
  OWN_ACCOUNT: "Cannot transfer to your own account",
  SAME_ACCOUNT: "Cannot transfer to the same account",
  RECIPIENT_NOT_FOUND: "Recipient not found",
  RECIPIENT_LOOKUP_FAILED: "Error verifying recipient",
  INVALID_EXTERNAL_ACCOUNT_NUMBER: "Please enter a valid account number",
  INVALID_ROUTING_NUMBER: "Please enter a valid routing number",
  INVALID_BANK: "Please choose a bank from the list",
  INVALID_COUNTRY: "Please choose a country from the list",
  INVALID_CURRENCY: "Please choose a currency from the list",
  INVALID_SWIFT: "Invalid SWIFT/BIC code",
  INVALID_INTERNATIONAL_ACCOUNT_NUMBER: "Invalid account number",
  OTP_EMPTY: "Please enter OTP",
  TRANSFER_FAILED: "Transfer failed. Please try again.",
  TRANSFER_FAILED_DASHBOARD:
    "An error occurred while processing your transfer. Please try again or contact support if the issue persists.",
  TRANSFER_BLOCKED:
    "For security reasons, this transaction has been blocked. Please contact our support team for assistance.",
  ACTIVITY_ALERT:
    "For security reasons, external transfers have been temporarily suspended on your account. Please contact our support team immediately to resolve this matter.",
  ACCOUNT_LOCKED:
    "External transfers are temporarily suspended. Please visit a branch or contact support (Monday - Friday 8AM - 8PM EST).",
  STEP_EXPIRED: "This transfer has expired. Please start again.",
  REQUEST_KEY_REUSED: "This request was already used for something else. Please start again.",

  // --- Internal errors raised by operations (spec section 8) ------------------------------------
  USER_NOT_FOUND: "User not found",
  SOURCE_ACCOUNT_NOT_FOUND: "Source account not found",
  DESTINATION_ACCOUNT_NOT_FOUND: "Destination account not found",
  RECIPIENT_ACCOUNT_NOT_FOUND: "Recipient account not found",
  INVALID_TRANSFER_TYPE: "Invalid transfer type",
  ACCOUNT_NOT_FOUND: "Account not found",

  // --- Bill pay, deposit, statements, cards -----------------------------------------------------
  FILL_REQUIRED_FIELDS: "Please fill in all required fields",
  PAYMENT_FAILED: "Payment failed. Please try again.",
  TOO_MANY_PAYMENTS: "At most 100 payments can be scheduled at a time",
  PAYMENT_DATE_TOO_EARLY: "The payment date must be tomorrow or later",
  DEPOSIT_ALREADY_REVIEWED: "This deposit has already been reviewed",
  IMAGE_TOO_LARGE: "Images can be at most 10 MB",
  IMAGE_UNUSABLE_SIZE:
    "This photo is too large to read, or empty. Take a new one in which the check fills the picture.",
  STATEMENT_NOT_AVAILABLE: "There is no statement for this period",
  STATEMENT_TOO_LONG:
    "This statement has more entries than can be shown here. Please contact our support team.",
  PAYMENT_NOT_CANCELABLE: "This payment can no longer be canceled",
  DEPOSIT_INCOMPLETE: "Please choose an account, enter an amount and add both images",
  TOO_MANY_DEPOSITS: "At most 50 checks can be waiting for review at a time",
  DEPOSIT_LIMIT: "Deposits are limited to $10,000.00 per check",
  INVALID_IMAGE: "Please choose an image file",
  DEPOSIT_FAILED: "Deposit failed. Please try again.",
  STATEMENT_INCOMPLETE: "Please choose an account and a period",
  FILE_FAILED: "The file could not be prepared. Please try again.",
  CARD_SERVICE_UNAVAILABLE: "Service temporarily unavailable. Please try again later.",
  CARD_CHANGE_REFUSED: "This card has been reported lost and cannot be changed",
  CARD_NOT_REPLACEABLE: "Only a card that was reported lost can be replaced, and only once",
  CARD_FOR_MEMBERS_ONLY: "Only approved members can have a card that works",

  // --- Admin (spec section 8) -------------------------------------------------------------------
  LOAD_USERS_FAILED: "Failed to load users",
  FETCH_USERS_FAILED: "Failed to fetch users",
  UPDATE_ACCOUNT_FAILED: "Failed to update account",
  UPDATE_STATUS_FAILED: "Failed to update user status",
  REJECT_FAILED: "Failed to reject registration",
  INFO_REQUEST_FAILED: "Failed to send information request",
  ADD_TRANSACTIONS_FAILED: "Failed to add transactions: {cause}",
  DELETE_TRANSACTION_FAILED: "Error deleting transaction",
  DELETE_TRANSACTIONS_FAILED: "Error deleting transactions",
  REVERSAL_OVERDRAWS: "Error deleting transaction: reversing it would leave an account below zero",
  TOO_MANY_ROWS: "At most 500 transactions can be added at once",
  TRANSACTION_NOT_FOUND: "Transaction not found",
  BATCH_GONE:
    "These transactions were added before and have been deleted since. Add them again if they are still wanted",
  CREATE_USER_FAILED: "Failed to create user: {cause}",
  RESET_FAILED: "Error: {cause}",
  CANNOT_RESET_PROTECTED: "Cannot reset transfer count for {email}",
  INVALID_ADMIN_ACCOUNT_NUMBER: "Account number must be 10 digits and not start with 0",
  ACCOUNT_NUMBER_TAKEN: "Another account already has this number",
  INVALID_ADMIN_ROUTING_NUMBER: "Routing number must be 9 digits",
  INVALID_OTP_FORMAT: "Invalid OTP format. Please enter a 6-digit number.",
  OTP_CODES_LIST_FAILED: "The list could not be opened. Please try again.",
  OTP_CODE_EXISTS: "This code is already in the list",
  OTP_CODE_LIMIT: "The list can hold at most 50 codes",
  OTP_CODE_GONE: "This code has already been removed",
  OTP_CODE_LAST: "The last code cannot be removed: nobody would be able to sign in",
  OTP_CODES_USED_UP: "You have no unused codes left: add one first",
  CSV_FAILED: "Failed to parse CSV file: {cause}",
  STALE_EDIT: "These values changed while you were editing",
  PROTECTED_EMAIL: "Set PROTECTED_ACCOUNT_EMAIL to the new address first",
  NOTHING_CHANGED: "There is nothing to save: change something first",
  NO_RESTRICTION: "This restriction is no longer in force",
  CHECKS_INCOMPLETE: "All 10 checks must be ticked before approval",
  REASON_REQUIRED: "Please give a reason",
  ALREADY_DECIDED: "This registration has already been decided",
  ALREADY_ANSWERED: "This request has already been answered",
  PERSON_NOT_APPROVED: "Only approved people can become administrators",
  PASSWORD_NOT_CHANGED: "This person must first change the password staff gave them",
  OWN_ACCOUNT_FORBIDDEN: "You cannot do this to your own account",
  SECOND_ADMIN_REQUIRED: "Changes above {limit} need a second administrator",
  SECOND_ADMIN_FOR_ROLE:
    "Adding or removing an administrator needs a second administrator's approval",
  SECOND_ADMIN_FOR_IDENTITY:
    "Changing a member's name or email needs a second administrator's approval",
  APPROVAL_OUTDATED:
    "This request is out of date: things have changed since it was made. Refuse it; it can be requested again",
  APPROVALS_FULL: "20 changes are already waiting for approval here. Decide some of them first",
  APPROVAL_DECIDED: "This request has already been decided",
  OWN_APPROVAL_FORBIDDEN: "Another administrator has to approve your request",
  INVALID_POLICY_VALUE: "This is not a valid value for the policy",
  INVALID_TEXT: "Please remove unusual characters or shorten the text",
  INVALID_DATE: "Please enter a valid date",
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof MESSAGES;

/** True when a text is a code in this catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(MESSAGES, code);
}

/** What a refusal carries to the client, inside a ConvexError. */
type AppErrorData = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Record<string, Value>;
};

/** The sentence of a code, with `{name}` places filled in. */
export function messageFor(code: ErrorCode, values: Record<string, string | number> = {}): string {
  return fillPlaces(MESSAGES[code], values);
}

/**
 * A refusal to throw: a ConvexError whose data reaches the client intact. `values` fill the
 * sentence; `details` travel alongside.
 */
export function appError(
  code: ErrorCode,
  values: Record<string, string | number> = {},
  details?: Record<string, Value>,
): ConvexError<AppErrorData> {
  const message = messageFor(code, values);
  return new ConvexError(details === undefined ? { code, message } : { code, message, details });
}

/** True when a value has the shape of a refusal in this catalogue. */
export function isAppErrorData(data: unknown): data is AppErrorData {
  if (typeof data !== "object" || data === null) return false;
  const { code, message } = data as Record<string, unknown>;
  return typeof code === "string" && isErrorCode(code) && typeof message === "string";
}
