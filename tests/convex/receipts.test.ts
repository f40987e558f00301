/** Receipts of earlier transfers: who gets them, and which rows lead to them. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { internal, submit, toUser } from "./moneySupport";
import { newBackend, person, type Person } from "./support";

let ada: Person;
let ben: Person;

beforeEach(async () => {
  const t = newBackend();
  ada = await person(t, "ada@bank.example", { name: "Ada Ode", checkingCents: 10_000n });
  ben = await person(t, "ben@bank.example", { checkingCents: 500n });
});

test("a receipt does not exist for other people's transfers and unknown ids", async () => {
  const { transferId } = await submit(ada, internal());
  expect(await ben.as.query(api.transfers.receipt, { transferId })).toBeNull();
  expect(await ada.as.query(api.transfers.receipt, { transferId: ada.userId })).toBeNull();
  expect(await ada.as.query(api.transfers.receipt, { transferId: "x" })).toBeNull();
});

test("a receipt is named on the sender's row of the history, and on no other", async () => {
  const { transferId } = await submit(ada, internal());
  const { transferId: toBen } = await submit(ada, toUser("ben@bank.example"));
  const namedBy = async ({ as }: Person) => {
    const paginationOpts = { numItems: 9, cursor: null };
    const { page } = await as.query(api.transactions.history, { paginationOpts });
    return page.map((row) => [row.description, row.transferId]);
  };
  expect(await namedBy(ada)).toEqual([
    ["Transfer to ben", toBen],
    ["Transfer from Checking", undefined],
    ["Transfer to Savings", transferId],
  ]);
  expect(await namedBy(ben)).toEqual([["Transfer from Ada Ode", undefined]]);
  for (const row of await ada.as.query(api.transactions.recent, {})) {
    expect(row).not.toHaveProperty("transferId");
  }
});
