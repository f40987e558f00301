/**
 * Rows entered or uploaded by administrators, in batches: all of a batch or none.
 *
 * With `updateBalance` a Completed row is posted; without it, and for Pending and Failed rows, the
 * row is a memo that moves nothing. Not here: deleting rows (model/removals), the rules
 * (shared/rules/transactionRow).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import type { Infer } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import type { vAdminTxRow } from "../shared/answers";
import { pluralWas } from "../shared/counts";
import { appError } from "../shared/errors";
import { signedCents } from "../shared/ledger";
import { ROWS_PER_BATCH_MAX } from "../shared/limits";
import { sumCents } from "../shared/money";
import type { ArgsOf } from "../shared/moneyChanges";
import { shapeText } from "../shared/plainText";
import { firstRefusal } from "../shared/rules/rule";
import { TRANSACTION_ROW_RULES } from "../shared/rules/transactionRow";
import { accountsOf } from "./accounts";
import { toTxRow } from "./activity";
import { findById } from "./byId";
import { addUnpostedRows, post } from "./ledger";
import type { JournalDraft, UnpostedRow } from "./ledgerWrites";
import { findOutcome, recordOutcome, requestOf } from "./requests";
import { requireSecondAdmin } from "./secondAdmin";
import { recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { isThere } from "./transactionBatches";
import { getUser } from "./users";

const FILE_HASH_LENGTH_MAX = 200;
/** Spec section 3: createdBy of admin-made rows. */
const CREATED_BY_ADMIN = "admin";

type AddManyArgs = ArgsOf<"transactions.add">;
export type RowArgs = AddManyArgs["rows"][number];
type BatchAnswer = { batchId: Id<"transactionBatches">; count: number };

/**
 * Adds a batch of rows for a person. A row's refusal carries the row's number, from 0, in its details.
 * @throws AppError those of `requestOf` and `findOutcome`, BATCH_GONE, USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, those of
 *   `judgeRows`, ACCOUNT_NOT_FOUND, INVALID_TEXT (the file's hash), SECOND_ADMIN_REQUIRED, those of `post`
 */
export async function addMany(ctx: StaffCtx, given: AddManyArgs): Promise<BatchAnswer> {
  const nowMs = Date.now();
  const args = { ...given, rows: shapedRows(given.rows) };
  const { requestKey, ...payload } = args;
  const { rows } = payload;
  // The key is the requester's, whoever carries the request out: two equal requests add rows once.
  const maker = ctx.approval?.requestedBy ?? ctx.user._id;
  const request = requestOf(maker, "transactionBatch", requestKey, payload);
  const earlier = await findOutcome(ctx, request);
  if (earlier !== null) return await repeat(ctx, earlier);
  const member = await getUser(ctx, args.userId);
  refuseOneself(ctx, member._id);
  judgeRows(rows, nowMs);
  const placed = await placedRows(ctx, member._id, rows);
  judgeFileHash(args.fileHash);
  const posted = rows.filter((row) => isPosted(row, args.updateBalance));
  await requireSecondAdmin(ctx, sumCents(posted.map((row) => row.amountCents)));

  const batchId = await writeBatch(ctx, member, args, placed, nowMs);
  await recordOutcome(ctx, request, batchId, nowMs);
  const netCents = sumCents(posted.map((row) => signedCents(row.type, row.amountCents)));
  const { length: count } = rows;
  const told = `${pluralWas(count, "transaction")} added`;
  await recordAct(ctx, member, {
    event: `${told} to your accounts.`,
    notice: {
      kind: "staffChange",
      title: "Transactions added",
      body: `${told} to your accounts by the credit union.`,
    },
    action: "transactions.add",
    after: { batchId, count, updateBalance: args.updateBalance, netCents },
  });
  return { batchId, count };
}

/** Rows as they would be written. */
export const shapedRows = (rows: readonly RowArgs[]): RowArgs[] =>
  rows.map((row) => ({ ...row, description: shapeText(row.description) }));

/** @throws AppError INVALID_TEXT */
export function judgeFileHash(fileHash: string | undefined): void {
  if ((fileHash?.length ?? 0) > FILE_HASH_LENGTH_MAX) throw appError("INVALID_TEXT");
}

/** Whether a row moves money. */
export const isPosted = (row: RowArgs, updateBalance: boolean): boolean =>
  updateBalance && row.status === "Completed";

/** The batch itself: the posted rows first, then the memos. */
async function writeBatch(
  ctx: StaffCtx,
  member: Doc<"users">,
  { updateBalance, fileHash }: AddManyArgs,
  placed: readonly Placed[],
  nowMs: number,
): Promise<Id<"transactionBatches">> {
  const batchId = await ctx.db.insert("transactionBatches", {
    userId: member._id,
    createdBy: ctx.user.email,
    createdAt: nowMs,
    count: placed.length,
    updateBalance,
    ...(fileHash === undefined ? {} : { fileHash }),
  });
  const journals: JournalDraft[] = [];
  const memos: UnpostedRow[] = [];
  for (const { row, account } of placed) {
    if (isPosted(row, updateBalance)) journals.push(toJournal(row, account, batchId, ctx.user._id));
    else memos.push(toUnposted(row, account, batchId));
  }
  await post(ctx, journals, nowMs);
  await addUnpostedRows(ctx, memos, nowMs);
  return batchId;
}

/**
 * A page of a person's visible rows, newest first.
 * @throws AppError USER_NOT_FOUND
 */
export async function listForUserPage(
  ctx: QueryCtx,
  userIdText: string,
  options: PaginationOptions,
): Promise<PaginationResult<Infer<typeof vAdminTxRow>>> {
  const { _id: userId } = await getUser(ctx, userIdText);
  const found = await ctx.db
    .query("transactions")
    .withIndex("by_userId_and_isVisible_and_date", (q) =>
      q.eq("userId", userId).eq("isVisible", true),
    )
    .order("desc")
    .paginate(options);
  const page = found.page.map((row) => ({
    isDeleted: false as const,
    isPosted: row.journalId !== undefined,
    ...toTxRow(row),
    ...(row.createdBy === undefined ? {} : { createdBy: row.createdBy }),
  }));
  return { ...found, page };
}

/**
 * A visible row by an unchecked id.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function getTransaction(
  ctx: QueryCtx,
  transactionId: string,
): Promise<Doc<"transactions">> {
  const row = await findById(ctx, "transactions", transactionId);
  if (row === null || !row.isVisible) throw appError("TRANSACTION_NOT_FOUND");
  return row;
}

/**
 * Whether rows may be added at all.
 * @throws AppError FILL_ALL_FIELDS (no rows), TOO_MANY_ROWS, the row rules' codes with the row's number
 */
export function judgeRows(rows: readonly RowArgs[], nowMs: number): void {
  if (rows.length === 0) throw appError("FILL_ALL_FIELDS");
  if (rows.length > ROWS_PER_BATCH_MAX) throw appError("TOO_MANY_ROWS");
  for (const [index, row] of rows.entries()) {
    const draft = { ...row, dateMs: row.date };
    const code = firstRefusal(TRANSACTION_ROW_RULES, draft, { nowMs });
    if (code !== null) throw appError(code, {}, { row: index });
  }
}

/** A row, and the account that it is for. */
type Placed = { readonly row: RowArgs; readonly account: Doc<"accounts"> };

async function placedRows(
  ctx: QueryCtx,
  userId: Id<"users">,
  rows: readonly RowArgs[],
): Promise<Placed[]> {
  const accounts = await accountsOf(ctx, userId);
  return rows.map((row) => {
    const account = accounts.find(({ type }) => type === row.accountType);
    if (account === undefined) throw appError("ACCOUNT_NOT_FOUND");
    return { row, account };
  });
}

function textsOf(row: RowArgs, batchId: Id<"transactionBatches">) {
  const { description, category } = row;
  return { description, category, createdBy: CREATED_BY_ADMIN, batchId };
}

function toJournal(
  row: RowArgs,
  account: Doc<"accounts">,
  batchId: Id<"transactionBatches">,
  actorId: Id<"users">,
): JournalDraft {
  const amountCents = signedCents(row.type, row.amountCents);
  return {
    kind: "adminPosting",
    memo: row.description,
    actorId,
    effectiveAt: row.date,
    legs: [
      { account, amountCents, row: textsOf(row, batchId) },
      { internalAccount: "postings", amountCents: -amountCents },
    ],
  };
}

function toUnposted(
  row: RowArgs,
  account: Doc<"accounts">,
  batchId: Id<"transactionBatches">,
): UnpostedRow {
  const { type, amountCents, date, status } = row;
  return { ...textsOf(row, batchId), account, type, amountCents, date, status };
}

/**
 * Returns the existing batch. Approving the same request again is logged, and adds no row.
 * @throws AppError BATCH_GONE: "added" would be wrong, and nobody has said that the rows are wanted again
 */
async function repeat(ctx: StaffCtx, outcome: string): Promise<BatchAnswer> {
  const batch = await findById(ctx, "transactionBatches", outcome);
  if (batch === null) throw new Error("A recorded batch is missing");
  if (!(await isThere(ctx, batch))) throw appError("BATCH_GONE");
  const { _id: batchId, count, updateBalance } = batch;
  if (ctx.approval !== undefined) {
    const member = await getUser(ctx, batch.userId);
    const after = { batchId, count: 0, updateBalance, netCents: 0n };
    await recordAct(ctx, member, { action: "transactions.add", after });
  }
  return { batchId, count };
}
