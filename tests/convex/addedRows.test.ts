/** Rows that staff added: what the member hears of them, and how long the hash of their file may be. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { RowArgs } from "../../convex/model/adminPostings";
import { bellOf, expectRefusal, freshKey } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example");
  root = await admin(t);
});

const ROW: RowArgs = {
  accountType: "Checking",
  type: "credit",
  amountCents: 1_000n,
  description: "Interest",
  category: "Income",
  date: Date.UTC(2026, 1, 2),
  status: "Completed",
};
const add = (rows: RowArgs[], fileHash = "x") =>
  root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows,
    updateBalance: true,
    requestKey: freshKey(),
    fileHash,
  });

test("are told to the member in the bell and on the security page", async () => {
  await add([ROW]);
  await add([ROW, ROW]);
  const [one, two] = ["1 transaction was added", "2 transactions were added"];
  expect(await bellOf(ada)).toEqual(
    [two, one].map((told) => `${told} to your accounts by the credit union.`),
  );
  const events = await ada.as.query(api.profile.securityEvents, {});
  expect(events.map(({ kind, text }) => [kind, text])).toEqual(
    [two, one].map((told) => ["staffChange", `${told} to your accounts.`]),
  );
});

test("are listed newest first, and the audit log says what they moved together", async () => {
  const onDay = (day: number, changes: Partial<RowArgs>): RowArgs => ({
    ...ROW,
    date: Date.UTC(2026, 1, day),
    description: `On day ${day}`,
    ...changes,
  });
  await add([
    onDay(2, {}),
    onDay(3, { status: "Pending" }),
    onDay(1, { type: "debit", amountCents: 300n }),
  ]);
  const paginationOpts = { numItems: 5, cursor: null };
  const args = { userId: ada.userId, paginationOpts };
  const { page } = await root.as.query(api.admin.transactions.listForUser, args);
  expect(page.map((row) => "description" in row && row.description)).toEqual(
    [3, 2, 1].map((day) => `On day ${day}`),
  );
  const log = await root.as.query(api.admin.audit.page, { paginationOpts });
  expect(JSON.parse(log.page[0]?.after ?? "")).toMatchObject({ count: 3, netCents: "700" });
});

test("are stored in the form in which they are looked for", async () => {
  await add([{ ...ROW, description: " Cafe\u0301 " }]);
  const [row] = await ada.as.query(api.transactions.recent, {});
  expect(row?.description).toBe("Caf\u00e9");
});

test("need no second administrator where they move nothing, also when they are deleted", async () => {
  await root.as.mutation(api.admin.policies.applyRecommended, {});
  const large = { ...ROW, amountCents: 10_000_000n };
  const pending: RowArgs = { ...large, status: "Pending" };
  const { batchId } = await add([pending, pending, ROW]);
  await expectRefusal(t, () => add([large]), "SECOND_ADMIN_REQUIRED");
  const [newest] = await ada.as.query(api.transactions.recent, {});
  const remove = { transactionId: newest?._id ?? "" };
  expect(newest?.status).toBe("Pending");
  await root.as.mutation(api.admin.transactions.remove, remove);
  const { removeBatch } = api.admin.transactions;
  expect(await root.as.mutation(removeBatch, { batchId })).toEqual({ count: 2 });
});

test("come from a file whose hash is no text of any length", async () => {
  await add([ROW], "x".repeat(200));
  await expectRefusal(t, () => add([ROW], "x".repeat(201)), "INVALID_TEXT");
});

test("that differ only in the last of very many are another request", async () => {
  const addLast = (description: string) =>
    root.as.mutation(api.admin.transactions.addMany, {
      userId: ada.userId,
      rows: [...Array<RowArgs>(30).fill(ROW), { ...ROW, description }],
      updateBalance: true,
      requestKey: "the same",
    });
  await addLast("Interest");
  await addLast("Interest");
  await expectRefusal(t, () => addLast("Bonus"), "REQUEST_KEY_REUSED");
});
