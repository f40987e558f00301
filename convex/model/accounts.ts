/**
 * Member accounts: opening, looking up, numbers.
 *
 * Members name their own accounts by type, so another person's account cannot be expressed. Not
 * here: balances (model/ledger), edits by administrators (model/accountEdits).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { needsNumber, newAccountNumber, replacementAccountNumber } from "../shared/accountNumbers";
import { appError, type ErrorCode } from "../shared/errors";
import { INSTITUTION } from "../shared/institution";
import { displayName } from "../shared/names";
import { ACCOUNT_TYPES, type AccountType } from "../shared/validators";
import { randomUnit } from "./crypto";

/** Most accounts in need of a number that one run of the job picks up. */
const MASKED_BATCH_MAX = 100;

/** A person's account of a type, or null. One indexed read. */
export async function findOwn(
  ctx: QueryCtx,
  userId: Id<"users">,
  type: AccountType,
): Promise<Doc<"accounts"> | null> {
  return await ctx.db
    .query("accounts")
    .withIndex("by_userId_and_type", (q) => q.eq("userId", userId).eq("type", type))
    .unique();
}

/**
 * A person's account of a type.
 * @throws AppError `missing` (default ACCOUNT_NOT_FOUND)
 */
export async function getOwn(
  ctx: QueryCtx,
  userId: Id<"users">,
  type: AccountType,
  missing: ErrorCode = "ACCOUNT_NOT_FOUND",
): Promise<Doc<"accounts">> {
  const account = await findOwn(ctx, userId, type);
  if (account === null) throw appError(missing);
  return account;
}

/** All accounts of a person, Checking first. At most one of each type. */
export async function accountsOf(ctx: QueryCtx, userId: Id<"users">): Promise<Doc<"accounts">[]> {
  return await ctx.db
    .query("accounts")
    .withIndex("by_userId_and_type", (q) => q.eq("userId", userId))
    .take(ACCOUNT_TYPES.length);
}

/** Spec section 2: an account without a routing number shows the institution's. */
export function shownRoutingNumber({ routingNumber }: Doc<"accounts">): string {
  return routingNumber === "" ? INSTITUTION.routingNumber : routingNumber;
}

/** Own accounts as the member sees them. */
export async function listOwn(ctx: QueryCtx, user: Doc<"users">) {
  const holderName = displayName(user);
  const accounts = await accountsOf(ctx, user._id);
  return accounts.map((account) => ({
    _id: account._id,
    type: account.type,
    accountNumber: account.accountNumber,
    routingNumber: shownRoutingNumber(account),
    balanceCents: account.balanceCents,
    availableCents: account.availableCents,
    holderName,
    createdAt: account.createdAt,
  }));
}

/**
 * Opens a Checking and a Savings account with zero balances, for a person who has none.
 *
 * Spec section 4 "Approve": random 8-digit numbers (`numberOf`), routing number 021000021. Returns
 * the person's accounts, Checking first; existing accounts are left alone.
 */
export async function openPair(
  ctx: MutationCtx,
  userId: Id<"users">,
  nowMs: number,
  numberOf: (random: () => number) => string = newAccountNumber,
): Promise<Doc<"accounts">[]> {
  const existing = await accountsOf(ctx, userId);
  if (existing.length > 0) return existing;
  for (const type of ACCOUNT_TYPES) {
    await ctx.db.insert("accounts", {
      userId,
      type,
      balanceCents: 0n,
      availableCents: 0n,
      holdCents: 0n,
      accountNumber: await unusedNumber(ctx, numberOf),
      routingNumber: INSTITUTION.routingNumber,
      id: `${type.toLowerCase()}-${nowMs}`,
      createdAt: nowMs,
    });
  }
  return await accountsOf(ctx, userId);
}

/** True when no account has the number. */
export async function isNumberFree(ctx: QueryCtx, accountNumber: string): Promise<boolean> {
  const holder = await ctx.db
    .query("accounts")
    .withIndex("by_accountNumber", (q) => q.eq("accountNumber", accountNumber))
    .first();
  return holder === null;
}

/**
 * Spec section 3: accounts without a number or with a masked one get a generated 10-digit number.
 * Numbers that do not start with a digit sort before "0" or after "9", so two short reads find them.
 * Returns whether there may be more.
 */
export async function replaceMaskedNumbers(ctx: MutationCtx): Promise<boolean> {
  const before = await ctx.db
    .query("accounts")
    .withIndex("by_accountNumber", (q) => q.lt("accountNumber", "0"))
    .take(MASKED_BATCH_MAX);
  const after = await ctx.db
    .query("accounts")
    .withIndex("by_accountNumber", (q) => q.gte("accountNumber", ":"))
    .take(MASKED_BATCH_MAX);
  const masked = [...before, ...after].filter((account) => needsNumber(account.accountNumber));
  for (const account of masked) {
    await ctx.db.patch("accounts", account._id, {
      accountNumber: await unusedNumber(ctx, replacementAccountNumber),
    });
  }
  return before.length === MASKED_BATCH_MAX || after.length === MASKED_BATCH_MAX;
}

async function unusedNumber(
  ctx: QueryCtx,
  generate: (random: () => number) => string,
): Promise<string> {
  for (;;) {
    const accountNumber = generate(randomUnit);
    if (await isNumberFree(ctx, accountNumber)) return accountNumber;
  }
}
