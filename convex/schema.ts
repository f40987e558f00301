/**
 * Every table, who writes it and who reads it.
 *
 * Money is `v.int64()` cents. Times are numbers, milliseconds since epoch; calendar dates are ISO
 * text (`YYYY-MM-DD`) and months `YYYY-MM`, both in the credit union's time zone. Field names that
 * the specification gives (section 3) are kept.
 *
 * Not here: rules (shared/rules), behaviour (model).
 * Long because one page must show the whole database.
 */
import { authTables } from "@convex-dev/auth/server";
import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";
import { cardFields, contactMessageFields, externalTransferFields } from "./shared/answers";
import { vWaitingChange } from "./shared/moneyChanges";
import { vContactDetails, vDocuments, vFlatAddress, vPersonalInfo } from "./shared/personFields";
import {
  vAccountType,
  vApprovalStatus,
  vBillProvider,
  vBillStatus,
  vCategory,
  vCategoryTotal,
  vChequeSide,
  vDepositStatus,
  vInternalAccount,
  vJournalKind,
  vOutboxStatus,
  vRole,
  vTransactionStatus,
  vTransactionType,
  vTransferType,
  vUserStatus,
  vVerificationCheck,
} from "./shared/validators";

const userFields = {
  /** Canonical form (shared/email.ts); unique. */
  email: v.string(),
  name: v.optional(v.string()),
  phone: v.optional(v.string()),
  role: v.optional(vRole),
  status: v.optional(vUserStatus),
  registrationDate: v.optional(v.number()),
  createdAt: v.number(),
  createdBy: v.optional(v.string()),
  /** Who decided that an applicant becomes a member. */
  approvedBy: v.optional(v.string()),
  lastModified: v.optional(v.number()),
  updatedAt: v.optional(v.number()),
  /** Three historical names; the first non-zero one counts, writes set all three. */
  transferCount: v.optional(v.number()),
  transfers: v.optional(v.number()),
  transfer_count: v.optional(v.number()),
  /** Creation time of the newest transfer that no longer counts (0: none); written with each reset. */
  transferCountResetAt: v.optional(v.number()),
  /** The part of the count brought along from elsewhere, with no transfers here behind it. */
  transferCountBase: v.optional(v.number()),
  /** The one account without a count limit (product decisions, section 3). */
  isProtected: v.optional(v.boolean()),
  /** Somebody else set the password, and it must be changed first: a reset, an operator, policy `adminSetsPassword`. */
  mustChangePassword: v.optional(v.boolean()),
  /** The last password that somebody else gave the person, and so knows; kept even if changed since. */
  passwordGiven: v.optional(v.object({ by: v.string(), at: v.number(), credential: v.string() })),
  /** When the role, the status, the right to sign in or a given password last changed: after the request made then. */
  standingSince: v.optional(v.number()),
  /** The same for the role alone. */
  roleSince: v.optional(v.number()),
  /** Sign-in is disabled, by staff or after too many wrong passwords or codes; cleared by staff. */
  disabledAt: v.optional(v.number()),
  personalInfo: v.optional(vPersonalInfo),
  address: v.optional(vFlatAddress),
  contactDetails: v.optional(vContactDetails),
  documents: v.optional(vDocuments),
  rejectionReason: v.optional(v.string()),
  rejectedAt: v.optional(v.number()),
};

const linkFields = {
  /** Keyed hash of the address it came from, where the backend knows one. */
  addressKey: v.optional(v.string()),
  /** Place in its chain; absent in entries from before there were chains. */
  seq: v.optional(v.number()),
  hash: v.optional(v.string()),
};

export default defineSchema({
  ...authTables,

  // --- People -----------------------------------------------------------------------------------

  // Written by model/users; the transfer count by model/transferGate and model/transferCounts, too, and
  // the time of an account edit by model/accountEdits. Read by every guard. Fast-changing numbers other
  // than the transfer count live elsewhere.
  users: defineTable(userFields)
    .index("email", ["email"])
    .index("by_status_and_createdAt", ["status", "createdAt"])
    .index("by_createdAt", ["createdAt"])
    .index("by_role", ["role"]),

  // What a person can be found by (the name begun at each of its words, and the e-mail), lower case,
  // for prefix search by admins. Written by model/users with each change of name, e-mail or status.
  userSearchKeys: defineTable({ userId: v.id("users"), key: v.string(), status: v.string() })
    .index("by_userId", ["userId"])
    .index("by_key", ["key"])
    .index("by_status_and_key", ["status", "key"]),

  // Number of users per status, for the admin tabs. Written by model/userCounts with each change.
  userCounts: defineTable({ status: v.string(), count: v.number() }).index("by_status", ["status"]),

  // Ticks of the verification dialog. Written by model/registrations.
  verificationChecks: defineTable({
    userId: v.id("users"),
    check: vVerificationCheck,
    checkedBy: v.string(),
    checkedAt: v.number(),
  }).index("by_userId_and_check", ["userId", "check"]),

  // Spec section 3 "Info request". Written by model/infoRequests; answered by the applicant.
  infoRequests: defineTable({
    userId: v.id("users"),
    requestDetails: v.string(),
    status: v.union(v.literal("pending"), v.literal("answered")),
    createdAt: v.number(),
    answer: v.optional(v.string()),
    answeredAt: v.optional(v.number()),
  })
    .index("by_userId_and_createdAt", ["userId", "createdAt"])
    .index("by_userId_and_status_and_createdAt", ["userId", "status", "createdAt"]),

  // Copies of the record at the moment of decision. Written by model/registrations, never edited.
  approvedUsers: defineTable({
    ...userFields,
    userId: v.id("users"),
    approvedAt: v.number(),
  }).index("by_userId", ["userId"]),
  rejectedApplications: defineTable({
    ...userFields,
    userId: v.id("users"),
    rejectionReason: v.string(),
    rejectedAt: v.number(),
  }).index("by_userId", ["userId"]),

  // --- Sessions and codes -----------------------------------------------------------------------

  // The library's table with an index of ours, so that the expiry job finds what is due. Written by
  // the library (auth.ts), model/sessions and model/sessionLife.
  authSessions: defineTable({ userId: v.id("users"), expirationTime: v.number() })
    .index("userId", ["userId"])
    .index("by_expirationTime", ["expirationTime"]),
  // The second step of one session. Written by model/sessions when otp.verifyLogin succeeds; a live
  // row is what the guards ask for. At most one per session; its `handle` is what people see.
  sessionFactors: defineTable({
    authSession: v.id("authSessions"),
    userId: v.id("users"),
    handle: v.string(),
    passedAt: v.number(),
    userAgent: v.optional(v.string()),
  })
    .index("by_authSession", ["authSession"])
    .index("by_userId", ["userId"]),
  // Last real input in a session that passed its second step. Separate from the factor row, because
  // every live query reads that one. Written by model/sessions and model/sessionLife.
  sessionActivity: defineTable({
    authSession: v.id("authSessions"),
    isAdmin: v.boolean(),
    lastActiveAt: v.number(),
  })
    .index("by_authSession", ["authSession"])
    .index("by_isAdmin_and_lastActiveAt", ["isAdmin", "lastActiveAt"]),

  // The institution's code list. `mac` finds a code without storing it in the clear; `enc` is for
  // the admin list. Written by model/otpCodes.
  otpCodes: defineTable({
    mac: v.string(),
    enc: v.string(),
    addedBy: v.string(),
    addedAt: v.number(),
  }).index("by_mac", ["mac"]),
  // One row per use: once per session, or once per member (policy `otpReuse`). Written by model/otp, cleared by
  // model/otpCodes.
  otpUses: defineTable({
    userId: v.id("users"),
    authSession: v.id("authSessions"),
    codeId: v.id("otpCodes"),
    purpose: v.union(v.literal("login"), v.literal("externalTransfer")),
    usedAt: v.number(),
  })
    .index("by_authSession_and_codeId", ["authSession", "codeId"])
    .index("by_userId_and_codeId", ["userId", "codeId"])
    .index("by_codeId", ["codeId"]),
  // Wrong codes per session and per person; they outlive the try. Written by model/otp; those of a session go with
  // it (model/sessions).
  otpAttempts: defineTable({
    userId: v.id("users"),
    inRow: v.number(),
    lockedUntil: v.optional(v.number()),
    updatedAt: v.number(),
  }).index("by_userId", ["userId"]),
  otpSessionAttempts: defineTable({
    authSession: v.id("authSessions"),
    wrong: v.number(),
  }).index("by_authSession", ["authSession"]),
  // Wrong passwords per e-mail, whether or not it has an account. Written by model/passwordAttempts.
  passwordAttempts: defineTable({
    email: v.string(),
    inRow: v.number(),
    lockedUntil: v.optional(v.number()),
    updatedAt: v.number(),
  })
    .index("by_email", ["email"])
    .index("by_updatedAt", ["updatedAt"]),
  // Token buckets, mostly by person or by address (HMAC). Written by model/limits.
  rateBuckets: defineTable({ key: v.string(), tokens: v.number(), updatedAt: v.number() })
    .index("by_key", ["key"])
    .index("by_updatedAt", ["updatedAt"]),
  // What a member sees on their security page. Written by model/securityEvents, never edited; one chain
  // (model/chains) per person.
  securityEvents: defineTable({
    userId: v.id("users"),
    kind: v.string(),
    text: v.string(),
    at: v.number(),
    ...linkFields,
  }).index("by_userId_and_seq", ["userId", "seq"]),

  // --- Money ------------------------------------------------------------------------------------

  // Balances are projections of the postings. Balances written by model/ledger only; numbers and
  // routing by model/accounts and model/accountEdits.
  accounts: defineTable({
    userId: v.id("users"),
    type: vAccountType,
    balanceCents: v.int64(),
    availableCents: v.int64(),
    /** Balance minus available: set by openings and account edits only, never by a posting. */
    holdCents: v.int64(),
    accountNumber: v.string(),
    routingNumber: v.string(),
    /** Spec section 3: 'checking-' or 'savings-' plus a timestamp. */
    id: v.string(),
    createdAt: v.number(),
    lastModified: v.optional(v.number()),
  })
    .index("by_userId_and_type", ["userId", "type"])
    .index("by_accountNumber", ["accountNumber"]),

  // One money event. Never updated or deleted. Written by model/ledger.
  journals: defineTable({
    kind: vJournalKind,
    at: v.number(),
    memo: v.string(),
    /** Person whose action caused it; absent for jobs. */
    actorId: v.optional(v.id("users")),
    reverses: v.optional(v.id("journals")),
    transferId: v.optional(v.id("transfers")),
  }),
  // Two or more per journal, sum zero. `accountId` for member accounts, `internalAccount` for the
  // institution's. Never updated or deleted. Written by model/ledger.
  postings: defineTable({
    journalId: v.id("journals"),
    accountId: v.optional(v.id("accounts")),
    internalAccount: v.optional(vInternalAccount),
    amountCents: v.int64(),
    /** When it counts for statements: the row's own date; a reversal counts when its origin did. */
    effectiveAt: v.number(),
    /** No row shows it to the member: openings and account edits. Statements list the posting instead. */
    isRowless: v.boolean(),
  })
    .index("by_journalId", ["journalId"])
    .index("by_accountId_and_isRowless_and_effectiveAt", ["accountId", "isRowless", "effectiveAt"]),

  // The rows a member sees. Written by model/ledger. A deleted row keeps its data and gets
  // `deletedAt`; its journal is reversed.
  transactions: defineTable({
    userId: v.id("users"),
    accountId: v.id("accounts"),
    accountType: vAccountType,
    type: vTransactionType,
    amountCents: v.int64(),
    description: v.string(),
    date: v.number(),
    category: vCategory,
    status: vTransactionStatus,
    createdAt: v.number(),
    createdBy: v.optional(v.string()),
    reference: v.optional(v.string()),
    scheduledDate: v.optional(v.string()),
    depositId: v.optional(v.id("mobileDeposits")),
    billPaymentId: v.optional(v.id("billPayments")),
    transferId: v.optional(v.id("transfers")),
    batchId: v.optional(v.id("transactionBatches")),
    journalId: v.optional(v.id("journals")),
    /** The journal that reversed `journalId`; set once, with `deletedAt`. */
    reversalId: v.optional(v.id("journals")),
    /** false once deleted: every member index starts with it. */
    isVisible: v.boolean(),
    deletedAt: v.optional(v.number()),
    deletedBy: v.optional(v.string()),
    /** Lower-case description and reference, for text filters. */
    searchText: v.string(),
  })
    .index("by_userId_and_isVisible_and_date", ["userId", "isVisible", "date"])
    .index("by_userId_and_isVisible_and_status", ["userId", "isVisible", "status"])
    .index("by_accountId_and_isVisible_and_date", ["accountId", "isVisible", "date"])
    .index("by_batchId_and_isVisible", ["batchId", "isVisible"])
    .index("by_journalId", ["journalId"]),
  // One account's month: the net of all its postings (for opening balances), and the totals of its
  // visible rows that did not fail (for tiles and charts). Written by model/ledger with each posting
  // and row; one document, so that a transfer touches one per account.
  accountMonths: defineTable({
    userId: v.id("users"),
    accountId: v.id("accounts"),
    month: v.string(),
    netCents: v.int64(),
    totals: v.array(vCategoryTotal),
  })
    .index("by_accountId_and_month", ["accountId", "month"])
    .index("by_userId_and_month", ["userId", "month"]),
  // Sum and number of a member's Pending rows. Written by model/ledger.
  pendingTotals: defineTable({
    userId: v.id("users"),
    totalCents: v.int64(),
    count: v.number(),
  }).index("by_userId", ["userId"]),

  // One row per allowed transfer; the receipt. Written by model/transferExecution.
  transfers: defineTable({
    userId: v.id("users"),
    transferType: vTransferType,
    fromAccount: vAccountType,
    toLabel: v.string(),
    amountCents: v.int64(),
    reference: v.string(),
    createdAt: v.number(),
    availableCents: v.int64(),
    toAccount: v.optional(vAccountType),
    recipientId: v.optional(v.id("users")),
    toBank: v.optional(v.string()),
    routingNumber: v.optional(v.string()),
    accountNumber: v.optional(v.string()),
    accountName: v.optional(v.string()),
    recipientName: v.optional(v.string()),
    bankName: v.optional(v.string()),
    swiftCode: v.optional(v.string()),
    iban: v.optional(v.string()),
    country: v.optional(v.string()),
    currency: v.optional(v.string()),
  }).index("by_userId", ["userId"]),
  // External transfers waiting for their code. Written by model/externalTransfers; lapse after 5 minutes.
  pendingTransfers: defineTable({
    userId: v.id("users"),
    authSession: v.id("authSessions"),
    ...externalTransferFields,
    createdAt: v.number(),
    expiresAt: v.number(),
    /** The transfer it became; a second confirmation returns the same receipt. */
    transferId: v.optional(v.id("transfers")),
  })
    .index("by_userId_and_createdAt", ["userId", "createdAt"])
    .index("by_transferId_and_expiresAt", ["transferId", "expiresAt"]),
  // (person, requestKey) -> outcome, kept for good: exactly once. Written by model/requests.
  requests: defineTable({
    userId: v.id("users"),
    requestKey: v.string(),
    kind: v.string(),
    /** What was asked for: the payload as text, or its hash when it is long. */
    fingerprint: v.string(),
    /** Id of what the operation made. */
    outcome: v.string(),
    at: v.number(),
  }).index("by_userId_and_requestKey", ["userId", "requestKey"]),

  // Spec section 3 "Bill payment". Written by model/billPayments and model/billSettlement.
  billPayments: defineTable({
    userId: v.id("users"),
    fromAccount: vAccountType,
    provider: vBillProvider,
    accountNumber: v.string(),
    amountCents: v.int64(),
    scheduleDate: v.string(),
    memo: v.optional(v.string()),
    status: vBillStatus,
    /** Set in the same mutation; absent only while the row is being made. */
    transactionId: v.optional(v.id("transactions")),
    createdAt: v.number(),
    settledAt: v.optional(v.number()),
    failureReason: v.optional(v.string()),
  })
    .index("by_userId_and_status_and_scheduleDate", ["userId", "status", "scheduleDate"])
    .index("by_userId_and_settledAt", ["userId", "settledAt"])
    .index("by_status_and_scheduleDate", ["status", "scheduleDate"]),
  // Spec section 3 "Mobile deposit". Written by model/mobileDeposits and model/depositReview.
  mobileDeposits: defineTable({
    userId: v.id("users"),
    toAccount: vAccountType,
    amountCents: v.int64(),
    status: vDepositStatus,
    /** Set in the same mutation; absent only while the row is being made. */
    transactionId: v.optional(v.id("transactions")),
    createdAt: v.number(),
    frontImageId: v.id("depositImages"),
    backImageId: v.id("depositImages"),
    reviewedAt: v.optional(v.number()),
    reviewedBy: v.optional(v.string()),
    reason: v.optional(v.string()),
  })
    .index("by_userId_and_createdAt", ["userId", "createdAt"])
    .index("by_userId_and_status", ["userId", "status"])
    .index("by_status_and_createdAt", ["status", "createdAt"]),
  // Private cheque images. Written by model/depositImages, put to use by model/mobileDeposits; unused ones
  // are swept.
  depositImages: defineTable({
    userId: v.id("users"),
    storageId: v.id("_storage"),
    side: vChequeSide,
    contentType: v.string(),
    sizeBytes: v.number(),
    /** Of the image's bytes, as the storage reports it. */
    sha256: v.optional(v.string()),
    createdAt: v.number(),
    depositId: v.optional(v.id("mobileDeposits")),
  })
    .index("by_storageId", ["storageId"])
    .index("by_sha256_and_depositId", ["sha256", "depositId"])
    .index("by_depositId_and_createdAt", ["depositId", "createdAt"])
    .index("by_userId_and_depositId", ["userId", "depositId"]),

  // The two cards of an approved member, and those that these have replaced. Written by model/cards and
  // model/staffCards.
  cards: defineTable({
    userId: v.id("users"),
    ...cardFields,
    lastFour: v.string(),
    statusChangedAt: v.optional(v.number()),
    // Missing -> time, once: another card has taken the place of this one, which was reported lost.
    replacedAt: v.optional(v.number()),
  }).index("by_userId_and_replacedAt", ["userId", "replacedAt"]),

  // --- Telling people ---------------------------------------------------------------------------

  // Written by model/notify, in the mutation that caused it; read by the bell, which marks them
  // (model/notifications).
  notifications: defineTable({
    userId: v.id("users"),
    kind: v.string(),
    title: v.string(),
    body: v.string(),
    createdAt: v.number(),
    isRead: v.boolean(),
  })
    // eslint-disable-next-line @convex-dev/no-duplicate-indexes -- the bell shows them in the order of their creation
    .index("by_userId", ["userId"])
    .index("by_userId_and_isRead", ["userId", "isRead"]),
  // E-mails to send. Written by model/notify; delivered by the outbox job (model/outbox).
  outbox: defineTable({
    userId: v.optional(v.id("users")),
    to: v.string(),
    subject: v.string(),
    body: v.string(),
    status: vOutboxStatus,
    attempts: v.number(),
    createdAt: v.number(),
    nextAttemptAt: v.number(),
    sentAt: v.optional(v.number()),
    lastError: v.optional(v.string()),
  }).index("by_status_and_nextAttemptAt", ["status", "nextAttemptAt"]),
  // Spec section 2 "Contact". Written by model/contactMessages; read by admins.
  contactMessages: defineTable({
    ...contactMessageFields,
    /** Made by the page, one per intended message: it is stored once, however often it is sent. */
    requestKey: v.optional(v.string()),
  })
    .index("by_reference", ["reference"])
    .index("by_isHandled", ["isHandled"])
    .index("by_requestKey", ["requestKey"]),

  // --- Running the institution ------------------------------------------------------------------

  // Who, when, what, before, after, why. Written by model/audit, never edited; one chain (model/chains)
  // per actor.
  auditLog: defineTable({
    at: v.number(),
    actorId: v.optional(v.id("users")),
    actorEmail: v.string(),
    action: v.string(),
    targetLabel: v.string(),
    personId: v.optional(v.id("users")),
    accountId: v.optional(v.id("accounts")),
    before: v.optional(v.string()),
    after: v.optional(v.string()),
    reason: v.optional(v.string()),
    requestedBy: v.optional(v.string()),
    ...linkFields,
  })
    .index("by_personId", ["personId"])
    .index("by_accountId", ["accountId"])
    .index("by_action", ["action"])
    .index("by_actorId_and_seq", ["actorId", "seq"]),
  // Overrides of shared/policies.ts. Written by model/policies.
  policies: defineTable({
    key: v.string(),
    value: v.string(),
    setAt: v.number(),
    setBy: v.string(),
  }).index("by_key", ["key"]),
  // Changes above the limit for one administrator. Written by model/approvals; decided once.
  approvals: defineTable({
    change: vWaitingChange,
    targetLabel: v.string(),
    lines: v.array(v.string()),
    personId: v.optional(v.id("users")),
    requestedBy: v.id("users"),
    requestedByEmail: v.string(),
    requestedAt: v.number(),
    status: vApprovalStatus,
    decidedBy: v.optional(v.string()),
    decidedAt: v.optional(v.number()),
  })
    .index("by_status_and_requestedAt", ["status", "requestedAt"])
    .index("by_personId_and_status", ["personId", "status"]),
  // Suspends external and international transfers of a member. Written by model/restrictions.
  restrictions: defineTable({
    userId: v.id("users"),
    reason: v.string(),
    setBy: v.string(),
    setAt: v.number(),
    expiresAt: v.optional(v.number()),
    liftedAt: v.optional(v.number()),
    liftedBy: v.optional(v.string()),
  }).index("by_userId", ["userId"]),
  // Rows entered or uploaded together; can be deleted together. Written by model/adminPostings and
  // model/removals.
  transactionBatches: defineTable({
    userId: v.id("users"),
    createdBy: v.string(),
    createdAt: v.number(),
    count: v.number(),
    updateBalance: v.boolean(),
    fileHash: v.optional(v.string()),
    removedAt: v.optional(v.number()),
  })
    // eslint-disable-next-line @convex-dev/no-duplicate-indexes -- in the order in which they were made
    .index("by_userId", ["userId"])
    .index("by_userId_and_fileHash", ["userId", "fileHash"]),
  // Long admin work in resumable batches. Written by model/removalJob and model/transferCounts.
  jobs: defineTable({
    kind: v.union(v.literal("removeTransactions"), v.literal("resetTransferCounts")),
    userId: v.optional(v.id("users")),
    actorId: v.id("users"),
    /** Who requested what `actorId` approved. */
    requestedBy: v.optional(v.id("users")),
    /** Rows made later stay: whoever approved the deletion has not read about them. */
    madeUntil: v.optional(v.number()),
    startedAt: v.number(),
    doneCount: v.number(),
    skippedCount: v.number(),
    erroredCount: v.number(),
    cursor: v.optional(v.string()),
    finishedAt: v.optional(v.number()),
    failure: v.optional(v.string()),
  })
    .index("by_finishedAt", ["finishedAt"])
    .index("by_userId", ["userId"]),
  // Last result of the ledger check. Written by model/ledgerCheckRun; one row per run, the last one made wins.
  ledgerChecks: defineTable({
    startedAt: v.number(),
    /** When its last page was read. */
    progressedAt: v.optional(v.number()),
    checkedAt: v.optional(v.number()),
    isOk: v.optional(v.boolean()),
    problems: v.array(v.string()),
    journals: v.number(),
    postings: v.number(),
    accounts: v.number(),
    cursor: v.optional(v.string()),
  }),
});
