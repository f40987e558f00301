/**
 * Inserts journals, postings and rows, for model/ledger and model/ledgerRemoval alone.
 *
 * Not here: what they do to balances (model/ledgerEffects), settlement (model/ledger), reversal
 * (model/ledgerRemoval).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { isBalanced } from "../shared/ledger";
import type { Cents } from "../shared/money";
import { shapeText } from "../shared/plainText";
import type {
  Category,
  InternalAccount,
  JournalKind,
  TransactionStatus,
  TransactionType,
} from "../shared/validators";
import type { LedgerEffects } from "./ledgerEffects";

/** What a posting or a row needs to know about its account. */
export type Account = Pick<Doc<"accounts">, "_id" | "userId" | "type">;

/** What a member's row says beyond what its posting already says. */
type RowTexts = {
  readonly description: string;
  readonly category: Category;
  readonly reference?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly scheduledDate?: string | undefined;
  readonly depositId?: Id<"mobileDeposits"> | undefined;
  readonly billPaymentId?: Id<"billPayments"> | undefined;
  readonly batchId?: Id<"transactionBatches"> | undefined;
};

/**
 * One side of a journal: a member's account, or one of ours. `row` is what shows a member's: the row to write, or one
 * that is there already. Without it the posting is rowless: an opening, an adjustment.
 */
export type Leg =
  | {
      readonly account: Account;
      readonly amountCents: Cents;
      readonly row?: RowTexts | "isThere" | undefined;
    }
  | { readonly internalAccount: InternalAccount; readonly amountCents: Cents };

export type JournalDraft = {
  readonly kind: JournalKind;
  readonly memo: string;
  readonly actorId?: Id<"users"> | undefined;
  readonly transferId?: Id<"transfers"> | undefined;
  /** The row's date, which statements go by. */
  readonly effectiveAt: number;
  readonly legs: readonly Leg[];
};

/** A row without a journal. */
export type UnpostedRow = RowTexts & {
  readonly account: Account;
  readonly type: TransactionType;
  readonly amountCents: Cents;
  readonly date: number;
  readonly status: TransactionStatus;
};

/**
 * Inserts a journal with its postings. What they move, the caller tells the effects: a removal is judged before it is
 * written.
 */
export async function insertJournal(
  ctx: MutationCtx,
  draft: JournalDraft & { reverses?: Id<"journals"> },
  nowMs: number,
): Promise<Id<"journals">> {
  const { kind, memo, actorId, transferId, reverses, effectiveAt, legs } = draft;
  if (!isBalanced(legs)) throw new Error("A journal must balance");
  const journalId = await ctx.db.insert("journals", {
    kind,
    at: nowMs,
    memo,
    ...(actorId === undefined ? {} : { actorId }),
    ...(transferId === undefined ? {} : { transferId }),
    ...(reverses === undefined ? {} : { reverses }),
  });
  for (const leg of legs) {
    const isMember = "account" in leg;
    await ctx.db.insert("postings", {
      journalId,
      amountCents: leg.amountCents,
      effectiveAt,
      isRowless: isMember && leg.row === undefined,
      ...(isMember ? { accountId: leg.account._id } : { internalAccount: leg.internalAccount }),
    });
  }
  return journalId;
}

/** Inserts a visible row and tells `effects` to count it. */
export async function insertRow(
  ctx: MutationCtx,
  effects: LedgerEffects,
  nowMs: number,
  draft: UnpostedRow & {
    journalId?: Id<"journals">;
    transferId?: Id<"transfers"> | undefined;
  },
): Promise<Id<"transactions">> {
  const { account, ...fields } = draft;
  const row = {
    userId: account.userId,
    accountId: account._id,
    accountType: account.type,
    createdAt: nowMs,
    isVisible: true,
    searchText: shapeText(`${draft.description} ${draft.reference ?? ""}`).toLowerCase(),
    ...fields,
  };
  effects.countRow(row, 1);
  return await ctx.db.insert("transactions", row);
}
