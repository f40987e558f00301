/**
 * Writes the demo data set (product decisions, section 4) through the same model functions that
 * serve real people, in one transaction: all of it or nothing.
 *
 * Not here: who the people are (model/demoPeople), Maya's history (model/demoHistory).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { addDays, dateOf, momentOf } from "../shared/dates";
import { MS } from "../shared/limits";
import type { Cents } from "../shared/money";
import type { AccountType } from "../shared/validators";
import type { Caller } from "./access";
import { accountsOf, openPair } from "./accounts";
import * as audit from "./audit";
import { schedule } from "./billPayments";
import { issuePair } from "./cards";
import { demoEvents, demoNetCents, type DemoEvent } from "./demoHistory";
import {
  DEMO_ADMIN,
  DEMO_APPLICANTS,
  DEMO_CODES,
  DEMO_EMAILS,
  DEMO_REJECTION_REASON,
  type DemoApplicant,
} from "./demoPeople";
import { addUnpostedRows, openingBalance, post } from "./ledger";
import type { JournalDraft } from "./ledgerWrites";
import { addCode } from "./otp";
import { makeApproved, makeRejected, recordOf } from "./registrations";
import * as restrictions from "./restrictions";
import { endSession } from "./sessions";
import { submitTransfer } from "./transfers";
import { change, createWithPassword } from "./users";

const SYSTEM = "demo data set";

type AccountPair = Record<AccountType, Doc<"accounts">>;

async function pairOf(ctx: MutationCtx, userId: Id<"users">): Promise<AccountPair> {
  const [checking, savings] = await accountsOf(ctx, userId);
  if (checking === undefined || savings === undefined) throw new Error("A member without accounts");
  return { Checking: checking, Savings: savings };
}

async function open(ctx: MutationCtx, account: Doc<"accounts">, cents: Cents, atMs: number) {
  await openingBalance(ctx, account, { balanceCents: cents, availableCents: cents }, atMs);
}

/** Runs something as a person would, in a session that ends with it. */
async function actAs<T>(
  ctx: MutationCtx,
  user: Doc<"users">,
  act: (ctx: MutationCtx & Caller) => Promise<T>,
): Promise<T> {
  const expiresAt = Date.now() + MS.MINUTE_MS;
  const sessionId = await ctx.db.insert("authSessions", {
    userId: user._id,
    expirationTime: expiresAt,
  });
  const result = await act({ ...ctx, user, session: { sessionId, expiresAt, factor: null } });
  await endSession(ctx, sessionId);
  return result;
}

// --- Maya's history -------------------------------------------------------------------------------

async function settledBill(
  ctx: MutationCtx,
  userId: Id<"users">,
  event: DemoEvent,
  { provider, accountNumber }: NonNullable<DemoEvent["bill"]>,
): Promise<Id<"billPayments">> {
  return await ctx.db.insert("billPayments", {
    userId,
    fromAccount: "Checking",
    provider,
    accountNumber,
    amountCents: -event.amountCents,
    scheduleDate: dateOf(event.atMs),
    status: "Completed",
    createdAt: event.atMs - 3 * MS.DAY_MS,
    settledAt: event.atMs,
  });
}

async function draftOf(
  ctx: MutationCtx,
  pair: AccountPair,
  event: DemoEvent,
): Promise<JournalDraft> {
  const { amountCents, description, category, reference, atMs } = event;
  const account = pair[event.account];
  const billPaymentId =
    event.bill === undefined
      ? undefined
      : await settledBill(ctx, account.userId, event, event.bill);
  const row = { description, category, reference, billPaymentId };
  const own = { account, amountCents, row };
  const base = { memo: description, effectiveAt: atMs };
  if (event.isToSavings === true) {
    const arrival = { description: "Transfer from Checking", category, reference };
    const other = { account: pair.Savings, amountCents: -amountCents, row: arrival };
    return { ...base, kind: "transfer", legs: [own, other] };
  }
  const internalAccount = event.bill === undefined ? "postings" : "billClearing";
  const kind = event.bill === undefined ? "adminPosting" : "billPayment";
  return { ...base, kind, legs: [own, { internalAccount, amountCents: -amountCents }] };
}

const HISTORY_ROWS_MAX = 2_000;

/** Links settled payments to their rows, as settling one does. */
async function linkBills(ctx: MutationCtx, userId: Id<"users">): Promise<void> {
  const rows = await ctx.db
    .query("transactions")
    .withIndex("by_userId_and_isVisible_and_date", (q) =>
      q.eq("userId", userId).eq("isVisible", true),
    )
    .take(HISTORY_ROWS_MAX);
  for (const { _id: transactionId, billPaymentId } of rows) {
    if (billPaymentId !== undefined) {
      await ctx.db.patch("billPayments", billPaymentId, { transactionId });
    }
  }
}

async function writePending(ctx: MutationCtx, pair: AccountPair, nowMs: number): Promise<void> {
  const account = pair.Checking;
  const yesterday = momentOf(addDays(dateOf(nowMs), -1), "18:20");
  const base = { account, date: yesterday, status: "Pending" as const };
  await addUnpostedRows(
    ctx,
    [
      {
        ...base,
        type: "debit",
        amountCents: 6_418n,
        description: "Green Basket",
        category: "Food",
      },
      {
        ...base,
        type: "debit",
        amountCents: 2_199n,
        description: "Harbor Books",
        category: "Shopping",
      },
      {
        ...base,
        type: "credit",
        amountCents: 24_500n,
        description: "Mobile check deposit",
        category: "Deposit",
      },
    ],
    nowMs,
  );
}

async function writeUpcomingBills(
  ctx: MutationCtx,
  maya: Doc<"users">,
  nowMs: number,
): Promise<void> {
  const today = dateOf(nowMs);
  const bills = [
    { provider: "electric", amountCents: 8_734n, accountNumber: "884210337", inDays: 4 },
    { provider: "internet", amountCents: 5_999n, accountNumber: "20117745", inDays: 9 },
    { provider: "streaming", amountCents: 1_599n, accountNumber: "MT-40921", inDays: 13 },
  ] as const;
  await actAs(ctx, maya, async (asMaya) => {
    for (const { inDays, ...payment } of bills) {
      const scheduleDate = addDays(today, inDays);
      const requestKey = `demo-${payment.provider}`;
      await schedule(asMaya, { ...payment, fromAccount: "Checking", scheduleDate, requestKey });
    }
  });
}

async function writeNotices(ctx: MutationCtx, userId: Id<"users">, nowMs: number): Promise<void> {
  const notices = [
    ["registration", "Welcome", "Your membership is approved. Your accounts are ready.", 428],
    ["security", "New sign-in", "Your account was signed in to from a new browser.", 9],
    ["statement", "Statement ready", "Your statement for last month is ready.", 3],
    ["deposit", "Check deposit received", "Your deposit of $245.00 is under review.", 1],
  ] as const;
  for (const [kind, title, body, daysAgo] of notices) {
    await ctx.db.insert("notifications", {
      userId,
      kind,
      title,
      body,
      createdAt: nowMs - daysAgo * MS.DAY_MS,
      isRead: daysAgo > 3,
    });
  }
}

async function writeHistory(
  ctx: MutationCtx,
  maya: Doc<"users">,
  person: DemoApplicant,
  nowMs: number,
): Promise<void> {
  const pair = await pairOf(ctx, maya._id);
  const events = demoEvents(nowMs);
  const net = demoNetCents(events);
  await open(ctx, pair.Checking, person.checkingCents - net.Checking, maya.createdAt);
  await open(ctx, pair.Savings, person.savingsCents - net.Savings, maya.createdAt);
  const drafts: JournalDraft[] = [];
  for (const event of events) drafts.push(await draftOf(ctx, pair, event));
  await post(ctx, drafts, nowMs);
  await linkBills(ctx, maya._id);
  await writePending(ctx, pair, nowMs);
  await writeUpcomingBills(ctx, maya, nowMs);
  await writeNotices(ctx, maya._id, nowMs);
}

// --- People ---------------------------------------------------------------------------------------

/** Her two transfers are real ones, so that her count of 2 is true. */
async function writeBlocked(
  ctx: MutationCtx,
  nora: Doc<"users">,
  person: DemoApplicant,
): Promise<void> {
  const pair = await pairOf(ctx, nora._id);
  const movedCents = 2_500n;
  await open(ctx, pair.Checking, person.checkingCents + 2n * movedCents, nora.createdAt);
  await open(ctx, pair.Savings, person.savingsCents - 2n * movedCents, nora.createdAt);
  for (const reference of ["Rainy day", "Holiday"]) {
    // The count is raised from what the caller's record says: read it anew for each transfer.
    const noraNow = (await ctx.db.get("users", nora._id)) ?? nora;
    await actAs(ctx, noraNow, async (asNora) => {
      await submitTransfer(asNora, {
        transferType: "internal",
        fromAccount: "Checking",
        toAccount: "Savings",
        amountCents: movedCents,
        reference,
        requestKey: `demo-${reference}`,
      });
    });
  }
}

async function writeApproved(
  ctx: MutationCtx,
  applicant: Doc<"users">,
  person: DemoApplicant,
  nowMs: number,
): Promise<void> {
  const member = await makeApproved(ctx, applicant);
  if (person.email === DEMO_EMAILS.withHistory) {
    await writeHistory(ctx, member, person, nowMs);
    return;
  }
  if (person.email === DEMO_EMAILS.blocked) {
    await writeBlocked(ctx, member, person);
    return;
  }
  const pair = await pairOf(ctx, member._id);
  await open(ctx, pair.Checking, person.checkingCents, member.createdAt);
  await open(ctx, pair.Savings, person.savingsCents, member.createdAt);
  if (person.email === DEMO_EMAILS.isProtected) await change(ctx, member, { isProtected: true });
  if (person.email === DEMO_EMAILS.restricted) {
    await restrictions.set(ctx, member._id, {
      reason: "Unusual activity is being reviewed",
      setBy: DEMO_ADMIN.email,
    });
  }
}

async function writeApplicant(
  ctx: MutationCtx,
  person: DemoApplicant,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  const applicant = await createWithPassword(
    ctx,
    {
      email: person.email,
      role: "pending",
      status: "pending",
      createdAt: nowMs - person.joinedDaysAgo * MS.DAY_MS,
      ...recordOf(person.application),
    },
    passwordHash,
  );
  if (person.standing === "approved") await writeApproved(ctx, applicant, person, nowMs);
  if (person.standing === "rejected") await makeRejected(ctx, applicant, DEMO_REJECTION_REASON);
}

/** Creates the first administrator with accounts of their own; also for real deployments. */
export async function writeAdmin(
  ctx: MutationCtx,
  admin: { email: string; name: string; phone?: string; address?: Doc<"users">["address"] },
  passwordHash: string,
  createdAt: number,
): Promise<void> {
  const user = await createWithPassword(
    ctx,
    { ...admin, role: "admin", status: "active", createdBy: "system", createdAt },
    passwordHash,
  );
  await openPair(ctx, user._id, createdAt);
  await issuePair(ctx, user._id, createdAt);
}

/** Writes everyone. For an empty database; `passwordHash` is of the demo password. */
export async function writeDemo(
  ctx: MutationCtx,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  await writeAdmin(ctx, DEMO_ADMIN, passwordHash, nowMs - 440 * MS.DAY_MS);
  for (const code of DEMO_CODES) await addCode(ctx, code, SYSTEM);
  for (const person of DEMO_APPLICANTS) await writeApplicant(ctx, person, passwordHash, nowMs);
  await audit.append(ctx, { action: "demo.seed", targetLabel: SYSTEM });
}
