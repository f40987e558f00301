/**
 * The demo member with history: rows since before the first statement period, settled and upcoming
 * bills, Pending rows, a check awaiting review, notifications. And what any demo member needs:
 * accounts, opening balances, acting as somebody.
 *
 * Not here: the events (model/dev/demoHistory), everyone else (model/dev/demoData).
 */
import type { Doc, Id } from "../../_generated/dataModel";
import type { MutationCtx } from "../../_generated/server";
import { addDays, dateOf, momentOf } from "../../shared/dates";
import { MS } from "../../shared/limits";
import type { Cents } from "../../shared/money";
import type { AccountType, ChequeSide } from "../../shared/validators";
import type { Caller } from "../access";
import { accountsOf } from "../accounts";
import { schedule } from "../billPayments";
import { recordImage } from "../depositImages";
import { addUnpostedRows, openingBalance, post } from "../ledger";
import type { JournalDraft } from "../ledgerWrites";
import * as mobileDeposits from "../mobileDeposits";
import { endSession } from "../sessions";
import { demoEvents, demoNetCents, type DemoEvent } from "./demoHistory";
import type { DemoApplicant } from "./demoPeople";

/** Both sides of the waiting check, already stored: mutations cannot store files. */
export type CheckImages = Record<
  ChequeSide,
  { readonly storageId: Id<"_storage">; readonly sizeBytes: number }
>;

type AccountPair = Record<AccountType, Doc<"accounts">>;

/** A member's two accounts. */
export async function pairOf(ctx: MutationCtx, userId: Id<"users">): Promise<AccountPair> {
  const [checking, savings] = await accountsOf(ctx, userId);
  if (checking === undefined || savings === undefined) throw new Error("A member without accounts");
  return { Checking: checking, Savings: savings };
}

/** Opens an account with an amount, all of it available. */
export async function open(ctx: MutationCtx, account: Doc<"accounts">, cents: Cents, atMs: number) {
  await openingBalance(ctx, account, { balanceCents: cents, availableCents: cents }, atMs);
}

/** Runs something as a person would, in a session that ends with it. */
export async function actAs<T>(
  ctx: MutationCtx,
  user: Doc<"users">,
  act: (ctx: MutationCtx & Caller) => Promise<T>,
): Promise<T> {
  const openedAt = Date.now();
  const expiresAt = openedAt + MS.MINUTE_MS;
  const sessionId = await ctx.db.insert("authSessions", {
    userId: user._id,
    expirationTime: expiresAt,
  });
  const session = { sessionId, openedAt, expiresAt, factor: null };
  const result = await act({ ...ctx, user, session });
  await endSession(ctx, sessionId);
  return result;
}

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
    ],
    nowMs,
  );
}

/** A check she has sent in, for administrators to find in the deposit queue. */
async function writeCheckDeposit(
  ctx: MutationCtx,
  maya: Doc<"users">,
  images: CheckImages,
  nowMs: number,
): Promise<void> {
  const record = async (side: ChequeSide) => {
    const image = { ...images[side], userId: maya._id, side, contentType: "image/webp" };
    return (await recordImage(ctx, image, nowMs)).imageId;
  };
  const frontImageId = await record("front");
  const backImageId = await record("back");
  await actAs(ctx, maya, async (asMaya) => {
    await mobileDeposits.submit(asMaya, {
      toAccount: "Checking",
      amountCents: 24_500n,
      frontImageId,
      backImageId,
      requestKey: "demo-check",
    });
  });
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
    ["registration", "Welcome", "Your membership is approved. Your accounts are ready.", 1_228],
    ["security", "New sign-in", "Your account was signed in to from a new browser.", 9],
    ["statement", "Statement ready", "Your statement for last month is ready.", 3],
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

/** Writes it all, so that the balances end as the person's record says. */
export async function writeHistory(
  ctx: MutationCtx,
  maya: Doc<"users">,
  person: DemoApplicant,
  checkImages: CheckImages,
  nowMs: number,
): Promise<void> {
  // Before those of today: the bell shows them in the order in which they were written.
  await writeNotices(ctx, maya._id, nowMs);
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
  await writeCheckDeposit(ctx, maya, checkImages, nowMs);
  await writeUpcomingBills(ctx, maya, nowMs);
}
