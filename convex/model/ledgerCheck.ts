/**
 * Proves the ledger's invariants, a bounded page at a time.
 *
 * Postings of each journal sum to zero and have two or more legs; a balance is the sum of its
 * postings; available is balance minus hold and neither is below zero; a journal is reversed at most
 * once; every projection equals its source; one outcome per request key; transfer counts equal the
 * transfers made. Each check looks at one document and its sources in one transaction, so transfers
 * that happen meanwhile cause no false alarm. Not here: months (model/ledgerCheckMonth), the pages
 * (model/ledgerCheckPages), progress and results (model/ledgerCheckRun).
 */
import type { Doc, Id, TableNames } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { monthOf } from "../shared/dates";
import { isBalanced, signedCents } from "../shared/ledger";
import { magnitude, sumCents, type Cents } from "../shared/money";
import { isCountOurs, readTransferCount } from "../shared/transferCount";

/** Most documents read behind one checked document. */
const SOURCES_MAX = 8_000;
/** Pending rows of a person are read until they near what one function may read. */
const PENDING_BYTES_MAX = 11 * 1024 * 1024;
/** A row without its texts, at most, and a character of them: stored twice, with up to three bytes each. */
const ROW_BYTES = 500;
const CHARACTER_BYTES = 6;
const LEGS_MAX = 10;

/** A finding: what is wrong, with ids for whoever investigates. */
export type Problem = string;

/** How many documents a page has read behind those it checked. */
export type Tally = { sources: number };

/** Returns the problems of one document. */
type Checker<T extends TableNames> = (
  ctx: QueryCtx,
  doc: Doc<T>,
  tally: Tally,
) => Promise<Problem[]>;

/** Two or more legs, sum zero; a reversal mirrors its origin and is the only one. */
export const checkJournal: Checker<"journals"> = async (ctx, journal) => {
  const postings = await postingsOf(ctx, journal._id);
  const problems = isBalanced(postings) ? [] : [`journal ${journal._id} does not balance`];
  if (journal.reverses === undefined) return problems;
  return [...problems, ...(await checkReversal(ctx, journal, journal.reverses, postings))];
};

/** Belongs to a journal and to one account; a member's posting is in its account's month. */
export const checkPosting: Checker<"postings"> = async (ctx, posting) => {
  const { _id, accountId, internalAccount, effectiveAt, journalId } = posting;
  const hasJournal = (await ctx.db.get("journals", journalId)) !== null;
  const hasOneOwner = (accountId === undefined) !== (internalAccount === undefined);
  const isInMonth =
    accountId === undefined || (await monthDoc(ctx, accountId, monthOf(effectiveAt))) !== null;
  return [
    ...(hasJournal ? [] : [`posting ${_id} has no journal`]),
    ...(hasOneOwner ? [] : [`posting ${_id} has no single account`]),
    ...(isInMonth ? [] : [`posting ${_id} is in no account month`]),
  ];
};

async function checkReversal(
  ctx: QueryCtx,
  journal: Doc<"journals">,
  originId: Id<"journals">,
  postings: Doc<"postings">[],
): Promise<Problem[]> {
  const fingerprint = (list: readonly Doc<"postings">[], sign: bigint): string =>
    list
      .map((one) => `${one.accountId ?? one.internalAccount}:${one.amountCents * sign}`)
      .sort()
      .join();
  const origin = await postingsOf(ctx, originId);
  const problems: Problem[] = [];
  if (fingerprint(origin, 1n) !== fingerprint(postings, -1n)) {
    problems.push(`journal ${journal._id} does not mirror ${originId}`);
  }
  const rows = await rowsOf(ctx, originId);
  const isOnlyOne = rows.every((row) => row.reversalId === journal._id);
  if (!isOnlyOne) problems.push(`journal ${originId} is not reversed exactly once`);
  return problems;
}

/** Balance, available amount and hold fit; one account per type and number. */
export const checkAccount: Checker<"accounts"> = async (ctx, account) => {
  const { _id, userId, type, balanceCents, availableCents, holdCents, accountNumber } = account;
  const months = await ctx.db
    .query("accountMonths")
    .withIndex("by_accountId_and_month", (q) => q.eq("accountId", _id))
    .take(SOURCES_MAX);
  const ofType = await ctx.db
    .query("accounts")
    .withIndex("by_userId_and_type", (q) => q.eq("userId", userId).eq("type", type))
    .take(2);
  const ofNumber = await ctx.db
    .query("accounts")
    .withIndex("by_accountNumber", (q) => q.eq("accountNumber", accountNumber))
    .take(2);
  return [
    ...(balanceCents === sumCents(months.map((month) => month.netCents))
      ? []
      : [`account ${_id}: balance is not the sum of its postings`]),
    ...(availableCents === balanceCents - holdCents
      ? []
      : [`account ${_id}: available is not balance minus hold`]),
    ...(balanceCents >= 0n && availableCents >= 0n ? [] : [`account ${_id} is below zero`]),
    ...(ofType.length === 1 ? [] : [`account ${_id}: two of one type`]),
    ...(ofNumber.length === 1 ? [] : [`account ${_id}: its number is not its own`]),
  ];
};

/** A row and its journal agree; a hidden one is reversed, a visible one is not, and counts in its account's month. */
export const checkRow: Checker<"transactions"> = async (ctx, row) => {
  const problems: Problem[] = [];
  if (row.isVisible !== (row.deletedAt === undefined)) problems.push("hidden without deletion");
  if (row.amountCents <= 0n) problems.push("amount is not above zero");
  if (row.journalId === undefined) {
    if (row.reversalId !== undefined) problems.push("reversed without a journal");
    // The months of the others are those of their postings.
    const isCounted = row.isVisible && row.status !== "Failed";
    const isLost = isCounted && (await monthDoc(ctx, row.accountId, monthOf(row.date))) === null;
    if (isLost) problems.push("is in no account month");
  } else {
    const signed = signedCents(row.type, row.amountCents);
    const postings = await postingsOf(ctx, row.journalId);
    const own = postings.find(
      (posting) => posting.accountId === row.accountId && posting.amountCents === signed,
    );
    if (own?.effectiveAt !== row.date) problems.push("its journal says something else");
    if (row.status !== "Completed") problems.push("posted but not Completed");
    if (row.isVisible === (row.reversalId !== undefined)) problems.push("visible and reversed");
  }
  return problems.map((problem) => `transaction ${row._id}: ${problem}`);
};

/** Pending totals equal their rows; the transfer count matches the transfers since the last reset. */
export const checkPerson: Checker<"users"> = async (ctx, user, tally) => {
  const found = await pendingOf(ctx, user._id);
  tally.sources += found.count;
  const stored = await ctx.db
    .query("pendingTotals")
    .withIndex("by_userId", (q) => q.eq("userId", user._id))
    .unique();
  const count = stored?.count ?? 0;
  const totalCents = stored?.totalCents ?? 0n;
  // A person with more rows than one check may read has at least those.
  const hasTotals = found.isWhole
    ? count === found.count && totalCents === found.totalCents
    : count >= found.count && totalCents >= found.totalCents;
  return [
    ...(hasTotals ? [] : [`person ${user._id}: pending totals differ`]),
    ...(await checkTransferCount(ctx, user)),
  ];
};

/** A person's Pending rows, as many as one check may read. */
async function pendingOf(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<{ count: number; totalCents: Cents; isWhole: boolean }> {
  const pending = ctx.db
    .query("transactions")
    .withIndex("by_userId_and_isVisible_and_status", (q) =>
      q.eq("userId", userId).eq("isVisible", true).eq("status", "Pending"),
    );
  let [count, totalCents, bytes] = [0, 0n, 0];
  for await (const row of pending) {
    if (bytes > PENDING_BYTES_MAX) return { count, totalCents, isWhole: false };
    count += 1;
    totalCents += magnitude(row.amountCents);
    bytes += ROW_BYTES + CHARACTER_BYTES * row.searchText.length;
  }
  return { count, totalCents, isWhole: true };
}

/** No transfer was left uncounted, and no count lacks its transfer. */
async function checkTransferCount(ctx: QueryCtx, user: Doc<"users">): Promise<Problem[]> {
  if (user.isProtected === true) return [];
  // Until our first write, a count from elsewhere has no starting point known to us.
  if (!isCountOurs(user)) return [];
  const count = readTransferCount(user) - (user.transferCountBase ?? 0);
  const transfers = await ctx.db
    .query("transfers")
    .withIndex("by_userId", (q) =>
      q.eq("userId", user._id).gt("_creationTime", user.transferCountResetAt ?? -1),
    )
    .take(Math.min(Math.max(count, 0) + 1, SOURCES_MAX));
  if (transfers.length > count) return [`person ${user._id}: a transfer was not counted`];
  return transfers.length === Math.min(count, SOURCES_MAX)
    ? []
    : [`person ${user._id}: more transfers counted than there were`];
}

/** One outcome per person and key. */
export const checkRequest: Checker<"requests"> = async (ctx, request) => {
  const same = await ctx.db
    .query("requests")
    .withIndex("by_userId_and_requestKey", (q) =>
      q.eq("userId", request.userId).eq("requestKey", request.requestKey),
    )
    .take(2);
  return same.length === 1 ? [] : [`request ${request._id}: two outcomes for one key`];
};

async function postingsOf(ctx: QueryCtx, journalId: Id<"journals">): Promise<Doc<"postings">[]> {
  return await ctx.db
    .query("postings")
    .withIndex("by_journalId", (q) => q.eq("journalId", journalId))
    .take(LEGS_MAX);
}

async function rowsOf(ctx: QueryCtx, journalId: Id<"journals">): Promise<Doc<"transactions">[]> {
  return await ctx.db
    .query("transactions")
    .withIndex("by_journalId", (q) => q.eq("journalId", journalId))
    .take(LEGS_MAX);
}

async function monthDoc(ctx: QueryCtx, accountId: Id<"accounts">, month: string) {
  return await ctx.db
    .query("accountMonths")
    .withIndex("by_accountId_and_month", (q) => q.eq("accountId", accountId).eq("month", month))
    .unique();
}
