/**
 * What money queries and mutations return: the validators of their results, and fields that a document or the
 * arguments share with them.
 *
 * Deliberately minimal: no ids of other people, no internal fields. Not here: whole documents (schema).
 */
import { v, type Infer } from "convex/values";
import {
  vAccountType,
  vBillProvider,
  vBillStatus,
  vCardKind,
  vCardStatus,
  vCategory,
  vContactMethod,
  vContactSubject,
  vDepositStatus,
  vTransactionStatus,
  vTransactionType,
  vTransferType,
} from "./validators";

/** A member's own account, with its full numbers; amounts in cents, `createdAt` in ms. */
export const vAccount = v.object({
  _id: v.id("accounts"),
  type: vAccountType,
  accountNumber: v.string(),
  routingNumber: v.string(),
  balanceCents: v.int64(),
  availableCents: v.int64(),
  holderName: v.string(),
  createdAt: v.number(),
});

const txRowFields = {
  _id: v.id("transactions"),
  accountType: vAccountType,
  type: vTransactionType,
  amountCents: v.int64(),
  description: v.string(),
  category: vCategory,
  status: vTransactionStatus,
  date: v.number(),
  reference: v.optional(v.string()),
  scheduledDate: v.optional(v.string()),
  /** Completed, but entered by staff without moving the balance: it is in no statement. */
  isMemo: v.optional(v.literal(true)),
  /** Balance of the row's account right after it; only when a single account is requested. */
  balanceAfterCents: v.optional(v.int64()),
};

/** A transaction as a member sees it. */
export const vTxRow = v.object(txRowFields);
export type TxRow = Infer<typeof vTxRow>;

/** A transaction in a member's history; `transferId` is on the sender's row only: the receipt is theirs. */
export const vHistoryRow = v.object({
  ...txRowFields,
  transferId: v.optional(v.id("transfers")),
});
export type HistoryRow = Infer<typeof vHistoryRow>;

/** A transaction as an administrator sees it. */
export const vAdminTxRow = v.object({
  ...txRowFields,
  createdBy: v.optional(v.string()),
  isDeleted: v.literal(false),
  /** It moved the balance: deleting it is a reversal. Pending, Failed and memo rows did not. */
  isPosted: v.boolean(),
});

/** What a transfer gives the member to keep. */
export const vReceipt = v.object({
  transferId: v.id("transfers"),
  transferType: vTransferType,
  amountCents: v.int64(),
  fromAccount: vAccountType,
  toLabel: v.string(),
  reference: v.string(),
  createdAt: v.number(),
  availableCents: v.int64(),
});
export type Receipt = Infer<typeof vReceipt>;

/** A refusal that is returned instead of thrown, because it must leave a trace. */
export const vReturnedRefusal = v.object({
  ok: v.literal(false),
  code: v.string(),
  message: v.string(),
});
export type ReturnedRefusal = Infer<typeof vReturnedRefusal>;

/** Of a one-time code: `attemptsLeft` says how many tries the session has left; at 0 it has ended. */
export const vCodeRefusal = v.object({
  ...vReturnedRefusal.fields,
  attemptsLeft: v.optional(v.number()),
});
export type CodeRefusal = Infer<typeof vCodeRefusal>;

/** A member's own payment. `scheduleDate` is YYYY-MM-DD; `failureReason` says why it failed or staff canceled it. */
export const vBill = v.object({
  _id: v.id("billPayments"),
  provider: vBillProvider,
  fromAccount: vAccountType,
  /** Last four characters only. */
  accountNumber: v.string(),
  amountCents: v.int64(),
  scheduleDate: v.string(),
  memo: v.optional(v.string()),
  status: vBillStatus,
  failureReason: v.optional(v.string()),
});

export type Bill = Infer<typeof vBill>;

/** A member's own deposit, without its images and its reviewer. Amounts in cents, times in ms. */
export const vDeposit = v.object({
  _id: v.id("mobileDeposits"),
  toAccount: vAccountType,
  amountCents: v.int64(),
  status: vDepositStatus,
  createdAt: v.number(),
  reviewedAt: v.optional(v.number()),
  reason: v.optional(v.string()),
});

export type Deposit = Infer<typeof vDeposit>;

/** A deposit in the review queue. */
export const vQueuedDeposit = v.object({
  _id: v.id("mobileDeposits"),
  userId: v.id("users"),
  email: v.string(),
  name: v.string(),
  toAccount: vAccountType,
  amountCents: v.int64(),
  status: vDepositStatus,
  createdAt: v.number(),
  frontImageId: v.id("depositImages"),
  backImageId: v.id("depositImages"),
  /** Front and back are the same file. */
  isOnePicture: v.boolean(),
  /** When another deposit used one of the two files. */
  otherDepositAt: v.optional(v.number()),
  reviewedAt: v.optional(v.number()),
  reviewedBy: v.optional(v.string()),
  reason: v.optional(v.string()),
});

/** The fields of a card that are both stored and shown. */
export const cardFields = {
  kind: vCardKind,
  expiry: v.string(),
  status: vCardStatus,
  linkedAccount: v.optional(vAccountType),
  limitCents: v.optional(v.int64()),
  availableCents: v.optional(v.int64()),
  rewardsPoints: v.optional(v.number()),
  design: v.union(v.literal("petrol"), v.literal("ink")),
};

/** A member's own card, with the last four digits of its number and its linked account's newest three rows. */
export const vCard = v.object({
  _id: v.id("cards"),
  ...cardFields,
  maskedNumber: v.string(),
  holderName: v.string(),
  lastTransactions: v.array(vTxRow),
});

/** A member's card as staff see it. */
export const vStaffCard = v.object({
  _id: v.id("cards"),
  kind: vCardKind,
  lastFour: v.string(),
  expiry: v.string(),
  status: vCardStatus,
  statusChangedAt: v.optional(v.number()),
  holderName: v.string(),
});

/** A card that another one has replaced, as staff see it. */
export const vReplacedCard = v.object({
  _id: v.id("cards"),
  kind: vCardKind,
  lastFour: v.string(),
  replacedAt: v.number(),
});

/** What a member submits for a transfer to a US bank. */
export const externalTransferFields = {
  fromAccount: vAccountType,
  toBank: v.string(),
  routingNumber: v.string(),
  accountNumber: v.string(),
  accountName: v.string(),
  amountCents: v.int64(),
  reference: v.string(),
  requestKey: v.string(),
};

/** A message from the contact page, as stored and as administrators read it. */
export const contactMessageFields = {
  reference: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.optional(v.string()),
  subject: vContactSubject,
  message: v.string(),
  preferredContact: vContactMethod,
  createdAt: v.number(),
  isHandled: v.boolean(),
  handledBy: v.optional(v.string()),
};

/**
 * One line of a statement; `id` is the row's own, which stays when others go, or the posting's for an
 * entry without a row; `reference` is as the member entered it.
 */
const vStatementRow = v.object({
  id: v.string(),
  date: v.number(),
  description: v.string(),
  category: vCategory,
  type: vTransactionType,
  amountCents: v.int64(),
  balanceAfterCents: v.int64(),
  reference: v.optional(v.string()),
});

/**
 * One month (`period`, YYYY-MM) of one account, in cents: opening plus credits less debits is closing.
 * All its rows or none: a part would not add up.
 */
export const vStatement = v.object({
  period: v.string(),
  label: v.string(),
  accountType: vAccountType,
  accountNumber: v.string(),
  routingNumber: v.string(),
  holderName: v.string(),
  openingCents: v.int64(),
  closingCents: v.int64(),
  creditsCents: v.int64(),
  debitsCents: v.int64(),
  rows: v.array(vStatementRow),
});
export type Statement = Infer<typeof vStatement>;
export type StatementRow = Infer<typeof vStatementRow>;
