import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import type { RowArgs } from "../../convex/model/adminPostings";
import {
  balancesOf,
  bellOf,
  expectRefusal,
  expectSoundLedger,
  freshKey,
  internal,
  newRow,
  rowsOf,
  submit,
  toUser,
  waitingBill,
} from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let ben: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  ben = await person(t, "ben@bank.example");
  root = await admin(t);
});

const auditActions = () =>
  t.run(async (ctx) => (await ctx.db.query("auditLog").take(500)).map(({ action }) => action));

const add = (rows: RowArgs[], options: { updateBalance?: boolean; fileHash?: string } = {}) =>
  root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows,
    updateBalance: true,
    requestKey: freshKey(),
    ...options,
  });
const rowIds = async (who: Person): Promise<Id<"transactions">[]> =>
  (await who.as.query(api.transactions.recent, {})).map(({ _id }) => _id);
const securityTextsOf = async (who: Person): Promise<string[]> =>
  (await who.as.query(api.profile.securityEvents, {})).map(({ text }) => text);
const remove = (transactionId: string) =>
  root.as.mutation(api.admin.transactions.remove, { transactionId });

describe("account edits", () => {
  const accountOf = async () => {
    const [account] = await ada.as.query(api.accounts.listMine, {});
    if (account === undefined) throw new Error("No account");
    const { _id: accountId, accountNumber, routingNumber, balanceCents, availableCents } = account;
    return { accountId, accountNumber, routingNumber, balanceCents, availableCents };
  };
  const update = async (changes: object) => {
    const args = { ...(await accountOf()), ...changes };
    return await root.as.mutation(api.admin.accounts.update, args);
  };

  test("post the difference as an adjustment without a transaction row", async () => {
    await update({ balanceCents: 12_345n, availableCents: 12_000n, reason: "Branch deposit" });
    expect(await accountOf()).toMatchObject({ balanceCents: 12_345n, availableCents: 12_000n });
    expect(await rowsOf(ada)).toEqual([]);
    expect(await auditActions()).toEqual(["account.update"]);
    await expectSoundLedger(t);
    await submit(ada, internal({ amountCents: 12_000n }));
    expect(await accountOf()).toMatchObject({ balanceCents: 345n, availableCents: 0n });
    await expectSoundLedger(t);
  });

  test("an available amount above the balance cannot be spent", async () => {
    await update({ balanceCents: 100n, availableCents: 5_000n });
    expect(await accountOf()).toMatchObject({ balanceCents: 100n, availableCents: 5_000n });
    await expectRefusal(
      t,
      () => submit(ada, internal({ amountCents: 101n })),
      "INSUFFICIENT_FUNDS",
    );
    await submit(ada, internal({ amountCents: 100n }));
    await expectSoundLedger(t);
  });

  test("change account numbers, record when, and notify the member", async () => {
    const before = Date.now();
    await update({ accountNumber: "123-456-7890", routingNumber: "990 050 652" });
    const member = await t.run((ctx) => ctx.db.get("users", ada.userId));
    const detail = await root.as.query(api.admin.users.get, { userId: ada.userId });
    const times = [member?.lastModified, detail?.accounts[0]?.updatedAt];
    for (const time of times) expect(time).toBeGreaterThanOrEqual(before);
    expect(await securityTextsOf(ada)).toEqual(["Your Checking account was updated."]);
    expect(await accountOf()).toMatchObject({
      accountNumber: "1234567890",
      routingNumber: "990050652",
    });
  });

  test.each([
    ["a number starting with 0", { accountNumber: "0123456789" }, "INVALID_ADMIN_ACCOUNT_NUMBER"],
    ["nine digits", { accountNumber: "123456789" }, "INVALID_ADMIN_ACCOUNT_NUMBER"],
    ["eight routing digits", { routingNumber: "12345678" }, "INVALID_ADMIN_ROUTING_NUMBER"],
    ["a balance below zero", { balanceCents: -1n }, "INVALID_AMOUNT"],
    [
      "a stale form",
      {
        expected: { balanceCents: 1n, availableCents: 1n, accountNumber: "1", routingNumber: "1" },
      },
      "STALE_EDIT",
    ],
    ["an account that is none", { accountId: "nonsense" }, "ACCOUNT_NOT_FOUND"],
    ["a reason nobody can read", { reason: "\u202e" }, "INVALID_TEXT"],
  ])("refuse %s and write nothing", async (_what, changes, code) => {
    const args = { ...(await accountOf()), ...changes };
    await expectRefusal(t, () => root.as.mutation(api.admin.accounts.update, args), code);
  });

  test("refuse another account's number, and one's own account", async () => {
    await update({ accountNumber: "1234567890" });
    const [other] = await ben.as.query(api.accounts.listMine, {});
    const [own] = await root.as.query(api.accounts.listMine, {});
    const args = { ...(await accountOf()) };
    await expectRefusal(
      t,
      () =>
        root.as.mutation(api.admin.accounts.update, {
          ...args,
          accountId: other?._id ?? "",
          routingNumber: other?.routingNumber ?? "",
        }),
      "ACCOUNT_NUMBER_TAKEN",
    );
    await expectRefusal(
      t,
      () => root.as.mutation(api.admin.accounts.update, { ...args, accountId: own?._id ?? "" }),
      "OWN_ACCOUNT_FORBIDDEN",
    );
  });
});

describe("adding rows", () => {
  test("moves the balance by completed rows only, and only when asked to", async () => {
    await add([newRow(), newRow({ status: "Pending" }), newRow({ status: "Failed" })]);
    expect(await balancesOf(t, ada)).toEqual([11_000n, 0n]);
    await add([newRow()], { updateBalance: false });
    expect(await balancesOf(t, ada)).toEqual([11_000n, 0n]);
    const total = await ada.as.query(api.transactions.pendingTotals, {});
    expect(total).toEqual({ totalCents: 1_000n, count: 1 });
    const listed = await root.as.query(api.admin.transactions.listForUser, {
      userId: ada.userId,
      paginationOpts: { numItems: 10, cursor: null },
    });
    expect(listed.page.map(({ isPosted }) => isPosted).filter(Boolean)).toHaveLength(1);
    expect(await bellOf(ada)).toEqual([
      "1 transaction was added to your accounts by the credit union.",
      "3 transactions were added to your accounts by the credit union.",
    ]);
    await expectSoundLedger(t);
  });

  test("checks balances after the whole batch, so the order of rows does not matter", async () => {
    await add([newRow({ type: "debit", amountCents: 10_500n }), newRow({ amountCents: 600n })]);
    expect(await balancesOf(t, ada)).toEqual([100n, 0n]);
    await expectSoundLedger(t);
  });

  test.each([
    ["no row", [], "FILL_ALL_FIELDS"],
    ["a row without a description", [newRow(), newRow({ description: " " })], "FILL_ALL_FIELDS"],
    ["a row of zero", [newRow(), newRow({ amountCents: 0n })], "INVALID_AMOUNT"],
    ["a row of the year 9999", [newRow(), newRow({ date: Date.UTC(9999, 1) })], "INVALID_DATE"],
    ["a row of no moment", [newRow({ date: Number.NaN })], "INVALID_DATE"],
    [
      "a debit beyond the balance",
      [newRow(), newRow({ type: "debit", amountCents: 11_001n })],
      "INSUFFICIENT_FUNDS",
    ],
    ["501 rows", Array.from({ length: 501 }, () => newRow()), "TOO_MANY_ROWS"],
  ] as const)("refuses %s and adds none of the rows", async (_what, rows, code) => {
    await expectRefusal(t, () => add([...rows]), code);
  });

  test("adds rows once per request key, and recognises a file added before", async () => {
    const args = {
      userId: ada.userId,
      rows: [newRow()],
      updateBalance: true,
      requestKey: freshKey(),
    };
    const withFile = { ...args, fileHash: "abc" };
    const first = await root.as.mutation(api.admin.transactions.addMany, withFile);
    expect(await root.as.mutation(api.admin.transactions.addMany, withFile)).toEqual(first);
    const duplicate = { userId: ada.userId, fileHash: "abc" };
    expect(await root.as.query(api.admin.transactions.findDuplicateFile, duplicate)).toMatchObject({
      count: 1,
    });
    await root.as.mutation(api.admin.transactions.removeBatch, { batchId: first.batchId });
    expect(await root.as.query(api.admin.transactions.findDuplicateFile, duplicate)).toBeNull();
    expect(await auditActions()).toEqual(["transactions.add", "transactions.removeBatch"]);
  });
});

describe("deleting one row", () => {
  test("reverses it exactly and hides it; a second deletion does not find it", async () => {
    await add([newRow({ type: "debit", amountCents: 2_500n })]);
    const [id] = await rowIds(ada);
    if (id === undefined) throw new Error("No row");
    await remove(id);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await rowsOf(ada)).toEqual([]);
    await expectSoundLedger(t);
    const [kept, reversal] = await t.run(async (ctx) => {
      const hidden = await ctx.db.get("transactions", id);
      const { reversalId } = hidden ?? {};
      return [hidden, reversalId ? await ctx.db.get("journals", reversalId) : null];
    });
    expect(kept).toMatchObject({ isVisible: false, deletedBy: root.email });
    expect(reversal).toMatchObject({ reverses: kept?.journalId, actorId: root.userId });
    await expectRefusal(t, () => remove(id), "TRANSACTION_NOT_FOUND");
    await expectRefusal(t, () => remove("nonsense"), "TRANSACTION_NOT_FOUND");
    expect(await auditActions()).toEqual(["transactions.add", "transactions.remove"]);
  });

  test("fifty concurrent deletions reverse it once", async () => {
    await add([newRow({ amountCents: 2_500n })]);
    const [id = ""] = await rowIds(ada);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => remove(id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    await expectSoundLedger(t);
  });

  test("of a transfer reverses both sides", async () => {
    await submit(ada, toUser(ben.email));
    const [id = ""] = await rowIds(ben);
    await remove(id);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await balancesOf(t, ben)).toEqual([0n, 0n]);
    expect([await rowsOf(ada), await rowsOf(ben)]).toEqual([[], []]);
    for (const one of [ada, ben]) {
      const events = await one.as.query(api.profile.securityEvents, {});
      expect(events).toMatchObject([{ text: "1 transaction was removed from your accounts." }]);
    }
    await expectSoundLedger(t);
  });

  test("that would leave an account below zero is refused and changes nothing", async () => {
    await submit(ada, toUser(ben.email));
    await submit(ben, internal({ amountCents: 1n }));
    const [id = ""] = await rowIds(ada);
    await expectRefusal(t, () => remove(id), "REVERSAL_OVERDRAWS");
  });

  test("of a Pending row moves no money and cancels its payment", async () => {
    await ada.as.mutation(api.billPayments.schedule, waitingBill());
    const [id = ""] = await rowIds(ada);
    await remove(id);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await ada.as.query(api.billPayments.upcoming, {})).toEqual([]);
    await expectSoundLedger(t);
  });
});

describe("removing a batch", () => {
  test("removes all rows or none, and only once", async () => {
    const { batchId } = await add([
      newRow(),
      newRow({ accountType: "Savings", amountCents: 700n }),
    ]);
    await submit(ada, internal({ fromAccount: "Savings", toAccount: "Checking", amountCents: 1n }));
    const takeBack = () => root.as.mutation(api.admin.transactions.removeBatch, { batchId });
    await expectRefusal(t, takeBack, "REVERSAL_OVERDRAWS");
    await submit(ada, internal({ amountCents: 1n }));
    expect(await takeBack()).toEqual({ count: 2 });
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    await expectRefusal(t, takeBack, "NOT_FOUND");
    const batches = await root.as.query(api.admin.transactions.batches, { userId: ada.userId });
    expect(batches).toMatchObject([{ count: 2, isRemoved: true }]);
    await expectSoundLedger(t);
  });

  test("is refused for one's own money, whoever added it, as is removing a row of it", async () => {
    const other = await admin(t, "other@bank.example");
    const { batchId } = await other.as.mutation(api.admin.transactions.addMany, {
      userId: root.userId,
      rows: [newRow(), newRow({ status: "Pending" })],
      updateBalance: true,
      requestKey: freshKey(),
    });
    const takeBack = () => root.as.mutation(api.admin.transactions.removeBatch, { batchId });
    await expectRefusal(t, takeBack, "OWN_ACCOUNT_FORBIDDEN");
    for (const id of await rowIds(root)) {
      await expectRefusal(t, () => remove(id), "OWN_ACCOUNT_FORBIDDEN");
    }
  });
});
