/**
 * What postings and rows do to the projections: balances, account months, pending totals.
 *
 * Collects the changes of one operation and writes each document once. Only model/ledger uses it.
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { monthOf } from "../shared/dates";
import { appError, type ErrorCode } from "../shared/errors";
import { addToTotals, BALANCE_MAX_CENTS, type CategoryTotal } from "../shared/ledger";
import type { Cents } from "../shared/money";
import type { JournalDraft } from "./ledgerWrites";

type AccountKey = Pick<Doc<"accounts">, "_id" | "userId">;
/** The fields of a row that projections depend on. */
type CountedRow = Pick<
  Doc<"transactions">,
  "userId" | "accountId" | "type" | "category" | "amountCents" | "status" | "date"
>;

type MonthChange = {
  readonly account: AccountKey;
  readonly month: string;
  netCents: Cents;
  totals: CategoryTotal[];
};
type PendingChange = { totalCents: Cents; count: number };

/** The changes of one operation. Fill it, then call `write` once. */
export class LedgerEffects {
  readonly #balances = new Map<Id<"accounts">, Cents>();
  readonly #months = new Map<string, MonthChange>();
  readonly #pending = new Map<Id<"users">, PendingChange>();

  /** A journal: each posting of a member moves the balance now, and the net of the month it counts for. */
  addJournal({ legs, effectiveAt }: Pick<JournalDraft, "legs" | "effectiveAt">): void {
    for (const leg of legs) {
      if (!("account" in leg)) continue;
      const { account, amountCents } = leg;
      this.#balances.set(account._id, (this.#balances.get(account._id) ?? 0n) + amountCents);
      this.#month(account, effectiveAt).netCents += amountCents;
    }
  }

  /** A row appears (`sign` 1) or disappears (-1); failed rows count nowhere. */
  countRow(row: CountedRow, sign: 1 | -1): void {
    if (row.status === "Failed") return;
    const totalCents = sign === 1 ? row.amountCents : -row.amountCents;
    const month = this.#month({ _id: row.accountId, userId: row.userId }, row.date);
    const { type, category } = row;
    month.totals = addToTotals(month.totals, { type, category, totalCents, count: sign });
    if (row.status !== "Pending") return;
    const pending = this.#pending.get(row.userId) ?? { totalCents: 0n, count: 0 };
    pending.totalCents += totalCents;
    pending.count += sign;
    this.#pending.set(row.userId, pending);
  }

  /** True when `write` would accept every balance. Writes nothing. */
  async isPossible(ctx: MutationCtx): Promise<boolean> {
    for (const [accountId, deltaCents] of this.#balances) {
      const account = await accountOf(ctx, accountId);
      if (isOverdrawnBy(account, deltaCents) || isTooMuchFor(account, deltaCents)) return false;
    }
    return true;
  }

  /**
   * Writes every touched document once.
   * @throws AppError `overdrawn` when a balance or available amount would fall below zero,
   *   INVALID_AMOUNT when a balance would pass the upper bound
   */
  async write(ctx: MutationCtx, overdrawn: ErrorCode): Promise<void> {
    for (const [accountId, deltaCents] of this.#balances) {
      if (deltaCents !== 0n) await writeBalance(ctx, accountId, deltaCents, overdrawn);
    }
    for (const change of this.#months.values()) await writeMonth(ctx, change);
    for (const [userId, change] of this.#pending) await writePending(ctx, userId, change);
  }

  #month(account: AccountKey, atMs: number): MonthChange {
    const month = monthOf(atMs);
    const key = `${account._id} ${month}`;
    const known = this.#months.get(key);
    if (known !== undefined) return known;
    const fresh: MonthChange = { account, month, netCents: 0n, totals: [] };
    this.#months.set(key, fresh);
    return fresh;
  }
}

function isOverdrawnBy(account: Doc<"accounts">, deltaCents: Cents): boolean {
  if (deltaCents >= 0n) return false;
  return account.balanceCents + deltaCents < 0n || account.availableCents + deltaCents < 0n;
}

function isTooMuchFor(account: Doc<"accounts">, deltaCents: Cents): boolean {
  if (deltaCents <= 0n) return false;
  const { balanceCents, availableCents } = account;
  return [balanceCents, availableCents].some((cents) => cents + deltaCents > BALANCE_MAX_CENTS);
}

async function accountOf(ctx: MutationCtx, accountId: Id<"accounts">): Promise<Doc<"accounts">> {
  const account = await ctx.db.get("accounts", accountId);
  if (account === null) throw new Error("A posting names an account that does not exist");
  return account;
}

async function writeBalance(
  ctx: MutationCtx,
  accountId: Id<"accounts">,
  deltaCents: Cents,
  overdrawn: ErrorCode,
): Promise<void> {
  const account = await accountOf(ctx, accountId);
  if (isOverdrawnBy(account, deltaCents)) throw appError(overdrawn);
  if (isTooMuchFor(account, deltaCents)) throw appError("INVALID_AMOUNT");
  const balanceCents = account.balanceCents + deltaCents;
  const availableCents = account.availableCents + deltaCents;
  await ctx.db.patch("accounts", accountId, { balanceCents, availableCents });
}

async function writeMonth(ctx: MutationCtx, change: MonthChange): Promise<void> {
  const { account, month } = change;
  const old = await ctx.db
    .query("accountMonths")
    .withIndex("by_accountId_and_month", (q) => q.eq("accountId", account._id).eq("month", month))
    .unique();
  if (old === null) {
    await ctx.db.insert("accountMonths", {
      userId: account.userId,
      accountId: account._id,
      month,
      netCents: change.netCents,
      totals: change.totals,
    });
    return;
  }
  await ctx.db.patch("accountMonths", old._id, {
    netCents: old.netCents + change.netCents,
    totals: change.totals.reduce(addToTotals, old.totals),
  });
}

async function writePending(
  ctx: MutationCtx,
  userId: Id<"users">,
  change: PendingChange,
): Promise<void> {
  if (change.count === 0 && change.totalCents === 0n) return;
  const old = await ctx.db
    .query("pendingTotals")
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .unique();
  if (old === null) {
    await ctx.db.insert("pendingTotals", { userId, ...change });
    return;
  }
  await ctx.db.patch("pendingTotals", old._id, {
    totalCents: old.totalCents + change.totalCents,
    count: old.count + change.count,
  });
}
