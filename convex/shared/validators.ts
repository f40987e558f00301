/**
 * Convex validators built from the same tuples as the types, so that schema, arguments and
 * selects can never name different values. Each `v…` accepts exactly the values of the tuple above it;
 * where a tuple names a section of the spec, the values are that section's.
 *
 * Not here: rules (shared/rules) and numbers (shared/limits).
 */
import { v, type VLiteral, type VUnion } from "convex/values";

type LiteralUnion<T extends string> = VUnion<T, VLiteral<T>[]>;

/** A union of string literals from an `as const` tuple. */
function literals<const T extends readonly string[]>(values: T): LiteralUnion<T[number]> {
  return v.union(...values.map((value: T[number]) => v.literal(value)));
}

/** Spec section 3 "User": roles. `pending` is also set on rejected accounts. */
export const ROLES = ["user", "pending", "admin"] as const;
export type Role = (typeof ROLES)[number];
export const vRole = literals(ROLES);

/** Spec section 5 "Admin": the roles that administrators give. */
export const SETTABLE_ROLES = ["user", "admin"] as const;
export const vSettableRole = literals(SETTABLE_ROLES);

/** Spec section 4; "active" is the status of admin-created users. */
export const USER_STATUSES = ["pending", "approved", "rejected", "active"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];
export const vUserStatus = literals(USER_STATUSES);

/** Spec section 2 "Admin dashboard": the statuses by which the list of people is filtered. */
export const FILTER_STATUSES = ["pending", "approved", "rejected"] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];
export const vFilterStatus = literals(FILTER_STATUSES);

/** Spec section 3 "Account". */
export const ACCOUNT_TYPES = ["Checking", "Savings"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];
export const vAccountType = literals(ACCOUNT_TYPES);

/** Spec section 3 "Transaction"; section 9 "Money rules": a credit adds, a debit subtracts. */
export const TRANSACTION_TYPES = ["credit", "debit"] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
export const vTransactionType = literals(TRANSACTION_TYPES);

/** Spec section 3 "Transaction". */
export const TRANSACTION_STATUSES = ["Completed", "Pending", "Failed"] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export const vTransactionStatus = literals(TRANSACTION_STATUSES);

/** Spec section 3 "Transaction". */
export const CATEGORIES = [
  "Transfer",
  "Bill Pay",
  "Deposit",
  "Withdrawal",
  "Income",
  "Shopping",
  "Food",
  "Transportation",
  "Entertainment",
  "Other",
] as const;
export type Category = (typeof CATEGORIES)[number];
export const vCategory = literals(CATEGORIES);

/** Rows of one type and category in a month, like `CategoryTotal` in `shared/ledger`. */
export const vCategoryTotal = v.object({
  type: vTransactionType,
  category: vCategory,
  totalCents: v.int64(),
  count: v.number(),
});

/** Spec section 3 "Transfer payloads collected by the forms". */
export const TRANSFER_TYPES = ["internal", "user", "external", "international"] as const;
export type TransferType = (typeof TRANSFER_TYPES)[number];
export const vTransferType = literals(TRANSFER_TYPES);

/** Spec section 2 "Bill Pay": the six quick-pick providers. */
export const BILL_PROVIDERS = [
  "electric",
  "water",
  "internet",
  "mobile",
  "insurance",
  "streaming",
] as const;
export type BillProvider = (typeof BILL_PROVIDERS)[number];
export const vBillProvider = literals(BILL_PROVIDERS);

/** Spec section 4 "Bill payment and deposit". Spec silent: how a payment ends (model/billSettlement). */
const BILL_STATUSES = ["Scheduled", "Completed", "Failed", "Canceled"] as const;
export type BillStatus = (typeof BILL_STATUSES)[number];
export const vBillStatus = literals(BILL_STATUSES);

/** Spec section 4 "Bill payment and deposit". Spec silent: how a deposit ends (model/depositReview). */
export const DEPOSIT_STATUSES = ["Pending Review", "Completed", "Failed"] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];
export const vDepositStatus = literals(DEPOSIT_STATUSES);

/** Spec section 2 "Signup form". */
export const MARITAL_STATUSES = ["Single", "Married", "Divorced", "Widowed"] as const;
export type MaritalStatus = (typeof MARITAL_STATUSES)[number];
export const vMaritalStatus = literals(MARITAL_STATUSES);

/** Spec section 2 "Signup form". */
export const ID_CARD_TYPES = ["Passport", "National ID", "Driver's License"] as const;
export type IdCardType = (typeof ID_CARD_TYPES)[number];
export const vIdCardType = literals(ID_CARD_TYPES);

/**
 * Spec section 4: of the documents, initially pending. Spec silent: how a decision changes it
 * (model/registrations).
 */
const VERIFICATION_STATUSES = ["pending", "verified", "info_requested", "rejected"] as const;
export const vVerificationStatus = literals(VERIFICATION_STATUSES);

/** Spec section 5 "Admin": the ten checks that enable Approve, in the spec's order. */
export const VERIFICATION_CHECKS = [
  "emailValid",
  "dobValid",
  "nationalityValid",
  "addressComplete",
  "maritalStatusValid",
  "phoneValid",
  "emergencyContactValid",
  "idCardPresent",
  "idCardClear",
  "idCardValid",
] as const;
export type VerificationCheck = (typeof VERIFICATION_CHECKS)[number];
export const vVerificationCheck = literals(VERIFICATION_CHECKS);

/** Spec section 2 "Public pages", Contact. */
export const CONTACT_SUBJECTS = ["general", "account", "loan", "technical"] as const;
export type ContactSubject = (typeof CONTACT_SUBJECTS)[number];
export const vContactSubject = literals(CONTACT_SUBJECTS);

/** Spec section 2 "Public pages", Contact. */
export const CONTACT_METHODS = ["email", "phone"] as const;
export type ContactMethod = (typeof CONTACT_METHODS)[number];
export const vContactMethod = literals(CONTACT_METHODS);

/** Spec section 2 "Cards": the two sample cards, in this order. */
export const CARD_KINDS = ["debit", "credit"] as const;
export const vCardKind = literals(CARD_KINDS);

/** Spec silent: what Lock Card and Report Lost do (model/cards). The last one is final. */
const CARD_STATUSES = ["Active", "Locked", "Reported lost"] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];
export const vCardStatus = literals(CARD_STATUSES);

/** Spec section 2 "Cards": the quick actions that ask for a code. */
export const CARD_ACTIONS = ["Change PIN", "Set Limits", "Get Details"] as const;
export type CardAction = (typeof CARD_ACTIONS)[number];
export const vCardAction = literals(CARD_ACTIONS);

/** The other side of a member's posting: the institution's own accounts. */
const INTERNAL_ACCOUNTS = [
  "bankClearing",
  "internationalClearing",
  "billClearing",
  "depositClearing",
  "adjustments",
  "openingBalances",
  "postings",
] as const;
export type InternalAccount = (typeof INTERNAL_ACCOUNTS)[number];
export const vInternalAccount = literals(INTERNAL_ACCOUNTS);

/** Ours: why money moved. A reversal names the journal it undoes. */
const JOURNAL_KINDS = [
  "opening",
  "transfer",
  "billPayment",
  "deposit",
  "adminPosting",
  "adjustment",
  "reversal",
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];
export const vJournalKind = literals(JOURNAL_KINDS);

/** Ours: waiting -> approved | rejected, decided once (model/approvals). */
const APPROVAL_STATUSES = ["waiting", "approved", "rejected"] as const;
export const vApprovalStatus = literals(APPROVAL_STATUSES);

/** Ours: queued -> sent | failed, after the last attempt (model/outbox). */
const OUTBOX_STATUSES = ["queued", "sent", "failed"] as const;
export type OutboxStatus = (typeof OUTBOX_STATUSES)[number];
export const vOutboxStatus = literals(OUTBOX_STATUSES);

/** A person's status as shown: 'unknown' if there is none (spec section 2). */
export const vShownStatus = literals([...USER_STATUSES, "unknown"]);

/** Where the router puts a signed-in person (shared/roles). */
export const PLACES = [
  "pending",
  "rejected",
  "otp",
  "member",
  "admin",
  "mustChangePassword",
] as const;
export type Place = (typeof PLACES)[number];
export const vPlace = literals(PLACES);

/** Spec section 2 "Login": the path of a person's first page. */
export const HOMES = ["/dashboard", "/admin", "/pending-approval", "/login"] as const;
export type Home = (typeof HOMES)[number];
export const vHome = literals(HOMES);

/** Spec section 2 "Mobile Deposit": both sides of a cheque. */
const CHEQUE_SIDES = ["front", "back"] as const;
export type ChequeSide = (typeof CHEQUE_SIDES)[number];
export const vChequeSide = literals(CHEQUE_SIDES);

/** The application that travels with a sign-up; its rules are in shared/rules/signup. */
export const vApplication = v.object({
  firstName: v.string(),
  lastName: v.string(),
  dateOfBirth: v.string(),
  nationality: v.string(),
  maritalStatus: v.string(),
  street: v.string(),
  city: v.string(),
  state: v.string(),
  country: v.string(),
  postalCode: v.string(),
  phoneNumber: v.string(),
  alternativeEmail: v.optional(v.string()),
  emergencyName: v.string(),
  emergencyRelationship: v.string(),
  emergencyPhone: v.string(),
  idCardType: v.string(),
  idCardNumber: v.string(),
});
