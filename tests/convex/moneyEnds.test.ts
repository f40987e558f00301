/** Final states of payments, deposits and restrictions, what is kept, and who is notified. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import { issuePair } from "../../convex/model/cards";
import { MS, PENDING_TRANSFER_LIFE_MS, ROWS_PER_BATCH_MAX } from "../../convex/shared/limits";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import {
  balancesOf,
  bellOf,
  expectRefusal,
  external,
  freshKey,
  international,
  submit,
  toUser,
} from "./moneySupport";
import { addCodes, admin, newBackend, person, type Backend, type Person } from "./support";

const NOON = Date.parse("2026-03-10T16:00:00Z");
const PAGE = { paginationOpts: { numItems: 20, cursor: null } };

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  root = await admin(t);
});
afterEach(() => {
  vi.useRealTimers();
});

const scheduleBill = (amountCents = 500n) =>
  ada.as.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "water",
    accountNumber: "12345678",
    amountCents,
    scheduleDate: "2026-03-11",
    requestKey: freshKey(),
  });

/** A waiting deposit of 50.00; its pictures are database rows without files. */
async function submitCheque() {
  const imageOf = (side: "front" | "back") =>
    t.run(async (ctx) => {
      const storageId = await ctx.storage.store(new Blob([side]));
      const file = { storageId, contentType: "image/png", sizeBytes: 5, createdAt: Date.now() };
      return await ctx.db.insert("depositImages", { userId: ada.userId, side, ...file });
    });
  return await ada.as.mutation(api.mobileDeposits.submit, {
    toAccount: "Checking",
    amountCents: 5_000n,
    frontImageId: await imageOf("front"),
    backImageId: await imageOf("back"),
    requestKey: freshKey(),
  });
}
const deposits = async () => (await ada.as.query(api.mobileDeposits.mine, PAGE)).page;
const bills = async () => (await ada.as.query(api.billPayments.history, PAGE)).page;

async function deleteNewestRow(): Promise<void> {
  const [row] = await ada.as.query(api.transactions.recent, {});
  await root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" });
}

const rowsArgs = (count: number, changes: { userId?: string; fileHash?: string } = {}) => ({
  userId: ada.userId as string,
  rows: Array.from({ length: count }, () => ({
    accountType: "Checking" as const,
    type: "credit" as const,
    amountCents: 1n,
    description: "Interest",
    category: "Income" as const,
    date: NOON,
    status: "Completed" as const,
  })),
  updateBalance: true,
  requestKey: freshKey(),
  ...changes,
});
const addRows = (...args: Parameters<typeof rowsArgs>) =>
  root.as.mutation(api.admin.transactions.addMany, rowsArgs(...args));

// --- Final states stay final --------------------------------------------------------------------------

test("a rejected deposit keeps its reason when its row is deleted, and nobody is notified again", async () => {
  const { depositId } = await submitCheque();
  await root.as.mutation(api.admin.deposits.reject, { depositId, reason: "Not endorsed" });
  const told = await bellOf(ada);
  await deleteNewestRow();
  expect(await deposits()).toMatchObject([{ status: "Failed", reason: "Not endorsed" }]);
  expect(await bellOf(ada)).toEqual(told);
});

test("a failed payment keeps its reason when its row is deleted, and nobody is notified again", async () => {
  await scheduleBill(10_000n);
  await submit(ada, international());
  vi.setSystemTime(NOON + MS.DAY_MS);
  await t.mutation(functions.billPayments.settleDue, {});
  vi.setSystemTime(NOON);
  const told = await bellOf(ada);
  expect(told).toContain("$100.00 for your water bill was not paid: Insufficient funds.");
  const { page } = await root.as.query(api.admin.transactions.listForUser, {
    userId: ada.userId,
    ...PAGE,
  });
  const transactionId = page.find(({ status }) => status === "Failed")?._id ?? "";
  await root.as.mutation(api.admin.transactions.remove, { transactionId });
  expect(await bills()).toMatchObject([{ status: "Failed", failureReason: "Insufficient funds" }]);
  expect(await bellOf(ada)).toEqual(told);
});

test("removing the row of an approved deposit or a paid bill sends no notification about the deposit or bill", async () => {
  const { depositId } = await submitCheque();
  await root.as.mutation(api.admin.deposits.approve, { depositId });
  const toldOfDeposit = await bellOf(ada);
  await deleteNewestRow();
  expect(await bellOf(ada)).toEqual(toldOfDeposit);
  await scheduleBill();
  vi.setSystemTime(NOON + MS.DAY_MS);
  await t.mutation(functions.billPayments.settleDue, {});
  vi.setSystemTime(NOON);
  const toldOfBill = await bellOf(ada);
  await deleteNewestRow();
  expect(await bellOf(ada)).toEqual(toldOfBill);
});

test("deleting all rows also ends their bills and deposits", async () => {
  vi.useFakeTimers({ now: NOON });
  await scheduleBill();
  await submitCheque();
  await root.as.mutation(api.admin.transactions.removeAllForUser, { email: ada.email });
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  const reason = "Removed by the credit union";
  expect(await bills()).toMatchObject([{ status: "Canceled", failureReason: reason }]);
  expect(await deposits()).toMatchObject([{ status: "Failed", reason }]);
});

test("a member who is approved again after a rejection keeps the former accounts and cards", async () => {
  await t.run((ctx) => issuePair(ctx, ada.userId, NOON));
  const { userId } = ada;
  const accounts = await ada.as.query(api.accounts.listMine, {});
  const cards = await t.run((ctx) => ctx.db.query("cards").take(10));
  await root.as.mutation(api.admin.registrations.reject, { userId, reason: "Left" });
  for (const check of VERIFICATION_CHECKS) {
    await root.as.mutation(api.admin.registrations.setCheck, { userId, check, isChecked: true });
  }
  await root.as.mutation(api.admin.registrations.approve, { userId });
  const kept = await t.run((ctx) => ctx.db.query("accounts").take(10));
  expect(kept.filter((account) => account.userId === userId).map(({ _id }) => _id)).toEqual(
    accounts.map(({ _id }) => _id),
  );
  expect(await t.run((ctx) => ctx.db.query("cards").take(10))).toEqual(cards);
  expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
});

// --- Notifications --------------------------------------------------------------------------------

test("members are notified of transfers out, canceled bills and card changes", async () => {
  await addCodes(t, "204816");
  await submit(ada, international());
  const { pendingId } = await ada.as.mutation(api.transfers.startExternal, external());
  await ada.as.mutation(api.transfers.confirmExternal, { pendingId, code: "204816" });
  const { billPaymentId } = await scheduleBill();
  await ada.as.mutation(api.billPayments.cancel, { billPaymentId });
  await t.run((ctx) => issuePair(ctx, ada.userId, NOON));
  const [debit, credit] = await ada.as.query(api.cards.listMine, {});
  if (debit === undefined || credit === undefined) throw new Error("no cards");
  for (const change of [api.cards.lock, api.cards.lock, api.cards.unlock]) {
    await ada.as.mutation(change, { cardId: debit._id });
  }
  await ada.as.mutation(api.cards.reportLost, { cardId: credit._id });
  const ending = (card: typeof debit) => `card ending ${card.maskedNumber.slice(-4)}`;
  const told = await ada.as.query(api.notifications.mine, {});
  expect(told.map(({ title, body }) => `${title}: ${body}`).reverse()).toEqual([
    "International transfer sent: $10.00 sent to Ilse Ahn, Nordbank from Checking.",
    "External transfer sent: $10.00 sent to Ben Ode at Granite Bay Federal.",
    "Payment scheduled: $5.00 for your water bill on Mar 11, 2026.",
    "Payment canceled: $5.00 for your water bill will not be paid.",
    `Card locked: Debit ${ending(debit)} was locked.`,
    `Card active: Debit ${ending(debit)} was unlocked.`,
    `Card reported lost: Credit ${ending(credit)} has been reported lost.`,
  ]);
});

test("rows that are added or removed as a batch show on the member's security page", async () => {
  const { batchId } = await addRows(2);
  await root.as.mutation(api.admin.transactions.removeBatch, { batchId });
  const events = await ada.as.query(api.profile.securityEvents, {});
  expect(events.map(({ text }) => text)).toEqual([
    "2 transactions were removed from your accounts.",
    "2 transactions were added to your accounts.",
  ]);
});

test("the audit entry of a deleted transfer names the person on its other side", async () => {
  const ben = await person(t, "ben@bank.example");
  await submit(ada, toUser(ben.email));
  const [row] = await ada.as.query(api.transactions.recent, {});
  await root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" });
  const [entry] = (await root.as.query(api.admin.audit.page, PAGE)).page;
  expect(entry?.targetLabel).toBe(ada.email);
  expect(JSON.parse(entry?.after ?? "")).toMatchObject({ rowsHidden: 2, otherPerson: ben.email });
});

// --- Exact limits ---------------------------------------------------------------------------------

test("a batch holds as many rows as allowed, and a file's hash no more than 200 characters", async () => {
  await expectRefusal(t, () => addRows(ROWS_PER_BATCH_MAX + 1), "TOO_MANY_ROWS");
  await expectRefusal(t, () => addRows(1, { fileHash: "x".repeat(201) }), "INVALID_TEXT");
  await addRows(ROWS_PER_BATCH_MAX, { fileHash: "x".repeat(200) });
  expect(await balancesOf(t, ada)).toEqual([10_000n + BigInt(ROWS_PER_BATCH_MAX), 0n]);
});

test("an applicant, who has no accounts, gets no rows", async () => {
  const standing = { role: "pending", status: "pending" } as const;
  const { userId } = await person(t, "lena@bank.example", standing);
  await expectRefusal(t, () => addRows(1, { userId }), "ACCOUNT_NOT_FOUND");
});

test("nobody may delete all of their own rows", async () => {
  const own = { email: root.email };
  const call = () => root.as.mutation(api.admin.transactions.removeAllForUser, own);
  await expectRefusal(t, call, "OWN_ACCOUNT_FORBIDDEN");
});

test("a restriction ends at its end, to the millisecond", async () => {
  const expiresAt = NOON + MS.HOUR_MS;
  const { userId } = ada;
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "Fraud", expiresAt });
  vi.setSystemTime(expiresAt - 1);
  await expectRefusal(t, () => submit(ada, international()), "ACCOUNT_LOCKED");
  vi.setSystemTime(expiresAt);
  await submit(ada, international());
  expect(await balancesOf(t, ada)).toEqual([9_000n, 0n]);
});

test("a restriction that has ended cannot be lifted, and the member is not notified", async () => {
  const expiresAt = NOON + MS.MINUTE_MS;
  const { userId } = ada;
  const restrict = () =>
    root.as.mutation(api.admin.restrictions.set, { userId, reason: "Fraud", expiresAt });
  await restrict();
  vi.setSystemTime(expiresAt);
  await expectRefusal(t, restrict, "INVALID_DATE");
  const lift = () => root.as.mutation(api.admin.restrictions.lift, { userId });
  await expectRefusal(t, lift, "NO_RESTRICTION");
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "Fraud again" });
  await lift();
  await submit(ada, international());
});

test("a restriction holds even if the clock was set back since an earlier one", async () => {
  const { userId } = ada;
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "Fraud" });
  await root.as.mutation(api.admin.restrictions.lift, { userId });
  vi.setSystemTime(NOON - MS.HOUR_MS);
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "Fraud" });
  await expectRefusal(t, () => submit(ada, international()), "ACCOUNT_LOCKED");
});

test("executed transfers to US banks do not count among the five that may be pending", async () => {
  await addCodes(t, "204816", "319527");
  const start = () => ada.as.mutation(api.transfers.startExternal, external({ amountCents: 100n }));
  const confirm = (pendingId: string, code: string) =>
    ada.as.mutation(api.transfers.confirmExternal, { pendingId, code });
  const first = await start();
  await confirm((await start()).pendingId, "204816");
  for (let waiting = 2; waiting <= 5; waiting++) await start();
  expect(await confirm(first.pendingId, "319527")).toMatchObject({ transferType: "external" });
  expect(await balancesOf(t, ada)).toEqual([9_800n, 0n]);
});

test("the key of an expired transfer starts another one in the same session", async () => {
  const args = external();
  const start = () => ada.as.mutation(api.transfers.startExternal, args);
  const lapsed = await start();
  vi.setSystemTime(lapsed.expiresAt - 1);
  expect(await start()).toEqual(lapsed);
  vi.setSystemTime(lapsed.expiresAt);
  const started = await start();
  expect(started.pendingId).not.toBe(lapsed.pendingId);
  expect(started.expiresAt).toBe(lapsed.expiresAt + PENDING_TRANSFER_LIFE_MS);
});

test("a journal names who caused it, and its transfer", async () => {
  const { transferId } = await submit(ada, international());
  const { depositId } = await submitCheque();
  await root.as.mutation(api.admin.deposits.approve, { depositId });
  const journals = await t.run((ctx) => ctx.db.query("journals").take(10));
  expect(journals.map(({ kind, actorId, transferId: of }) => [kind, actorId, of])).toEqual([
    ["opening", undefined, undefined],
    ["transfer", ada.userId, transferId],
    ["deposit", root.userId, undefined],
  ]);
});
