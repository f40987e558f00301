/**
 * Monthly statements: opening balance, every movement with running balance, closing balance.
 *
 * The opening balance is the net of all earlier months, so it always equals the previous closing
 * balance. Not here: the files made of a statement (shared/statementExport).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { lastFour } from "../shared/accountNumbers";
import type { Statement, StatementRow } from "../shared/answers";
import { addMonths, monthLabel, monthOf, monthsBack } from "../shared/dates";
import { appError } from "../shared/errors";
import { typeOf } from "../shared/ledger";
import { MS, STATEMENT_MAILS_PER_HOUR_MAX } from "../shared/limits";
import { formatUsd, magnitude, sumCents } from "../shared/money";
import { displayName } from "../shared/names";
import type { AccountType } from "../shared/validators";
import type { Caller } from "./access";
import { getOwn, shownRoutingNumber } from "./accounts";
import { requireToken } from "./limits";
import { readMonth, type MonthEntry } from "./monthEntries";
import { mail, notify } from "./notify";
import { policyValue } from "./policies";
import { recordAct, type StaffCtx } from "./staffActs";
import { getUser } from "./users";

/** Spec section 9 "Statement months": 13, March 2024 to March 2025. */
const OLDEST_PERIOD = "2024-03";
const NEWEST_FIXED_PERIOD = "2025-03";

/** A month (`YYYY-MM`) with its name. */
type Period = { readonly period: string; readonly label: string };

const labelled = (months: readonly string[]): Period[] =>
  months.map((period) => ({ period, label: monthLabel(period) }));

/**
 * The periods on offer, newest first. Under the recommended policy, every closed month: the current
 * month is that of the session's second step, because a query that reads the clock goes stale.
 */
export async function periods(ctx: QueryCtx & Caller): Promise<Period[]> {
  return labelled(await offeredPeriods(ctx));
}

/**
 * One account's statement.
 * @throws AppError STATEMENT_NOT_AVAILABLE (a period not on offer), ACCOUNT_NOT_FOUND,
 *   STATEMENT_TOO_LONG (never a part of one: its closing balance would be wrong)
 */
export async function statement(
  ctx: QueryCtx & Caller,
  accountType: AccountType,
  period: string,
): Promise<Statement> {
  const isOffered = (await offeredPeriods(ctx)).includes(period);
  if (!isOffered) throw appError("STATEMENT_NOT_AVAILABLE");
  return await statementOf(ctx, ctx.user, accountType, period);
}

async function statementOf(
  ctx: QueryCtx,
  person: Doc<"users">,
  accountType: AccountType,
  period: string,
): Promise<Statement> {
  const account = await getOwn(ctx, person._id, accountType);
  const month = await readMonth(ctx, account._id, period);
  if (month === null) throw appError("STATEMENT_TOO_LONG");
  const { openingCents, closingCents, entries } = month;
  const rows: StatementRow[] = [];
  for (const entry of entries) rows.push(await toStatementRow(ctx, entry));
  const sumOf = (type: StatementRow["type"]) =>
    sumCents(rows.filter((row) => row.type === type).map((row) => row.amountCents));
  return {
    period,
    label: monthLabel(period),
    accountType,
    accountNumber: account.accountNumber,
    routingNumber: shownRoutingNumber(account),
    holderName: displayName(person),
    openingCents,
    closingCents,
    creditsCents: sumOf("credit"),
    debitsCents: sumOf("debit"),
    rows,
  };
}

/** For staff: every closed month since the person's first entry, newest first; members are referred to them for older ones. */
export async function allPeriods(ctx: QueryCtx & Caller, userId: Id<"users">): Promise<Period[]> {
  const first = await ctx.db
    .query("accountMonths")
    .withIndex("by_userId_and_month", (q) => q.eq("userId", userId))
    .first();
  const newest = newestClosed(ctx);
  return first === null || newest === null ? [] : labelled(monthsBack(newest, first.month));
}

/**
 * A person's statement for staff, audited.
 * @throws AppError USER_NOT_FOUND, STATEMENT_NOT_AVAILABLE (no month of `allPeriods`), ACCOUNT_NOT_FOUND,
 *   STATEMENT_TOO_LONG
 */
export async function openForStaff(
  ctx: StaffCtx,
  userId: Id<"users">,
  accountType: AccountType,
  period: string,
): Promise<Statement> {
  const person = await getUser(ctx, userId);
  const isKept = (await allPeriods(ctx, userId)).some((month) => month.period === period);
  if (!isKept) throw appError("STATEMENT_NOT_AVAILABLE");
  const found = await statementOf(ctx, person, accountType, period);
  await recordAct(ctx, person, {
    action: "statement.open",
    targetLabel: `${accountType} of ${person.email}, ${found.label}`,
  });
  return found;
}

/**
 * Spec section 2 "Statements": "Your statement will be sent to your registered email address."
 * @throws AppError as `statement`, then RATE_LIMITED
 */
export async function request(
  ctx: MutationCtx & Caller,
  accountType: AccountType,
  period: string,
): Promise<null> {
  const found = await statement(ctx, accountType, period);
  await requireToken(ctx, {
    name: "statementMail",
    key: ctx.user._id,
    max: STATEMENT_MAILS_PER_HOUR_MAX,
    windowMs: MS.HOUR_MS,
  });
  const name = `${accountType} ending ${lastFour(found.accountNumber)}`;
  await mail(ctx, ctx.user, {
    subject: `Your ${found.label} statement`,
    text: [
      `Statement of ${name}, ${found.label}`,
      `Opening balance: ${formatUsd(found.openingCents)}`,
      `Credits: ${formatUsd(found.creditsCents)}`,
      `Debits: ${formatUsd(found.debitsCents)}`,
      `Closing balance: ${formatUsd(found.closingCents)}`,
      `Transactions: ${found.rows.length}`,
      "",
      "The complete statement is in your online banking under Statements.",
    ].join("\n"),
  });
  await notify(ctx, ctx.user._id, {
    kind: "statement",
    title: "Statement sent",
    body: `Your ${found.label} statement of ${name} is on its way to your email address.`,
  });
  return null;
}

async function offeredPeriods(ctx: QueryCtx & Caller): Promise<string[]> {
  const policy = await policyValue(ctx, "statementPeriods");
  const newest = policy === "fixed13Months" ? null : newestClosed(ctx);
  return monthsBack(newest ?? NEWEST_FIXED_PERIOD, OLDEST_PERIOD);
}

/** The month before that of the session's second step; null before it. */
function newestClosed({ session }: Caller): string | null {
  const passedAt = session.factor?.passedAt;
  return passedAt === undefined ? null : addMonths(monthOf(passedAt), -1);
}

async function toStatementRow(ctx: QueryCtx, entry: MonthEntry): Promise<StatementRow> {
  const { row, amountCents } = entry;
  const shown =
    row === undefined
      ? { description: await memoOf(ctx, entry.posting), category: "Other" as const }
      : { description: row.description, category: row.category };
  return {
    id: entry.id,
    date: entry.atMs,
    type: typeOf(amountCents),
    amountCents: magnitude(amountCents),
    balanceAfterCents: entry.balanceAfterCents,
    ...shown,
    ...(row?.reference === undefined ? {} : { reference: row.reference }),
  };
}

async function memoOf(ctx: QueryCtx, posting: Doc<"postings"> | undefined): Promise<string> {
  const journal = posting === undefined ? null : await ctx.db.get("journals", posting.journalId);
  return journal?.memo ?? "Balance adjustment";
}
