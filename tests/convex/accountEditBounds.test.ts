import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { AMOUNT_MAX_CENTS } from "../../convex/shared/limits";
import { expectRefusal, expectSoundLedger } from "./moneySupport";
import { admin, newBackend, person, refusalOf, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  ada = await person(t, "ada@bank.example", { checkingCents: 2n * AMOUNT_MAX_CENTS });
});

/** Edits Ada's Checking account and returns the account afterwards. */
async function update(changes: { accountNumber?: string; balanceCents?: bigint }) {
  await root.as.mutation(api.admin.accounts.update, { ...(await accountOf()), ...changes });
  return await accountOf();
}

async function accountOf() {
  const [account] = await ada.as.query(api.accounts.listMine, {});
  if (account === undefined) throw new Error("No account");
  const { accountNumber, routingNumber, balanceCents, availableCents } = account;
  return { accountId: account._id, accountNumber, routingNumber, balanceCents, availableCents };
}

test("changing the account number keeps a balance above the largest amount", async () => {
  expect(await update({ accountNumber: "1234567890" })).toMatchObject({
    accountNumber: "1234567890",
    balanceCents: 2n * AMOUNT_MAX_CENTS,
  });
  await expectSoundLedger(t);
});

test("such a balance cannot be set above the largest amount, except to itself", async () => {
  const more = update({ balanceCents: 2n * AMOUNT_MAX_CENTS + 1n });
  expect(await refusalOf(more)).toBe("INVALID_AMOUNT");
  const largest = await update({ balanceCents: AMOUNT_MAX_CENTS });
  expect(largest).toMatchObject({ balanceCents: AMOUNT_MAX_CENTS });
  const [journal] = await t.run((ctx) => ctx.db.query("journals").order("desc").take(1));
  expect(journal).toMatchObject({ kind: "adjustment", actorId: root.userId });
});

test("numbers in another form than the editor's stay as they are unless they are edited", async () => {
  const numbers = { accountNumber: "1234 5678", routingNumber: "021 000 021" };
  const { accountId } = await accountOf();
  await t.run((ctx) => ctx.db.patch("accounts", accountId, numbers));
  expect(await update({ balanceCents: 1n })).toMatchObject({ ...numbers, balanceCents: 1n });
});

test.each([
  { accountNumber: "1234567890" },
  { routingNumber: "011000015" },
  { balanceCents: 1n },
  { availableCents: 1n },
])("an edit based on an outdated value is refused: %o", async (seen) => {
  const { accountId, ...now } = await accountOf();
  const args = { accountId, ...now, expected: { ...now, ...seen } };
  await expectRefusal(t, () => root.as.mutation(api.admin.accounts.update, args), "STALE_EDIT");
  await root.as.mutation(api.admin.accounts.update, { ...args, expected: now });
});
