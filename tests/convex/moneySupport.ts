/** Helpers of the money tests: balances, transfers, the ledger check, refusals that change nothing. */
import { expect } from "vitest";
import { api } from "../../convex/_generated/api";
import type { SubmitArgs } from "../../convex/model/transfers";
import { CHECK_START, checkPage, type CheckPosition } from "../../convex/model/ledgerCheckPages";
import type { Backend, Person } from "./support";
import { refusalOf, snapshot } from "./support";
import type { RowArgs } from "../../convex/model/adminPostings";

let keyCount = 0;
/** A request key that no other call uses. */
export const freshKey = (): string => `key-${++keyCount}`;

/** All problems that the ledger check finds. */
export async function ledgerProblems(t: Backend): Promise<string[]> {
  const problems: string[] = [];
  let position: CheckPosition | null = CHECK_START;
  while (position !== null) {
    const from: CheckPosition = position;
    const checked: Awaited<ReturnType<typeof checkPage>> = await t.run((ctx) =>
      checkPage(ctx, from),
    );
    problems.push(...checked.problems);
    position = checked.next;
  }
  return problems;
}

/** The ledger check finds nothing. */
export async function expectSoundLedger(t: Backend): Promise<void> {
  expect(await ledgerProblems(t)).toEqual([]);
}

/** A call is refused with this code, and no document of any table changed. */
export async function expectRefusal(
  t: Backend,
  call: () => Promise<unknown>,
  code: string,
): Promise<void> {
  const before = await snapshot(t);
  expect(await refusalOf(call())).toBe(code);
  expect(await snapshot(t)).toBe(before);
}

/** Balances in cents: `[checking, savings]`. */
export async function balancesOf(t: Backend, { userId }: Person): Promise<bigint[]> {
  const accounts = await t.run((ctx) =>
    ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", userId))
      .take(2),
  );
  return accounts.map((account) => account.balanceCents);
}

/** The person's transfer count. */
export async function countOf(t: Backend, { userId }: Person): Promise<number> {
  const user = await t.run((ctx) => ctx.db.get("users", userId));
  return user?.transferCount ?? 0;
}

const common = { fromAccount: "Checking", amountCents: 1_000n, reference: "rent" } as const;

/** A valid transfer between own accounts, with changes. */
export const internal = (changes: Partial<SubmitArgs> = {}): SubmitArgs => ({
  ...common,
  transferType: "internal",
  toAccount: "Savings",
  requestKey: freshKey(),
  ...changes,
});

/** A valid transfer to another person, with changes. */
export const toUser = (recipientEmail: string, changes: Partial<SubmitArgs> = {}): SubmitArgs => ({
  ...common,
  transferType: "user",
  recipientEmail,
  requestKey: freshKey(),
  ...changes,
});

/** A valid international transfer, with changes. */
export const international = (changes: Partial<SubmitArgs> = {}): SubmitArgs => ({
  ...common,
  transferType: "international",
  recipientName: "Ilse Ahn",
  bankName: "Nordbank",
  swiftCode: "deutdeff",
  accountNumber: "DE 1234 5678",
  country: "DE",
  currency: "EUR",
  requestKey: freshKey(),
  ...changes,
});

/** A valid transfer to a US bank, with changes. */
export const external = (
  changes: Partial<{ amountCents: bigint; accountNumber: string }> = {},
) => ({
  ...common,
  toBank: "Granite Bay Federal",
  routingNumber: "990070917",
  accountNumber: "12345678",
  accountName: "Ben Ode",
  requestKey: freshKey(),
  ...changes,
});

/** A bill that waits for its date for ever. */
export const waitingBill = () =>
  ({
    fromAccount: "Checking",
    provider: "water",
    accountNumber: "1",
    amountCents: 5n,
    scheduleDate: "2999-01-01",
    requestKey: freshKey(),
  }) as const;

/** Submits a transfer as a person. */
export const submit = (person: Person, args: SubmitArgs) =>
  person.as.mutation(api.transfers.submit, args);

/** A person's notifications, newest first. */
export async function bellOf(person: Person): Promise<string[]> {
  const notifications = await person.as.query(api.notifications.mine, {});
  return notifications.map(({ body }) => body);
}

/** Subjects of the e-mails to a person, oldest first. */
export async function mailsTo(t: Backend, { userId }: Person): Promise<string[]> {
  const mails = await t.run((ctx) => ctx.db.query("outbox").take(10));
  return mails.filter((mail) => mail.userId === userId).map(({ subject }) => subject);
}

/** Rows of a person, newest first, as texts. */
export async function rowsOf(person: Person): Promise<string[]> {
  const rows = await person.as.query(api.transactions.recent, {});
  return rows.map(
    (row) =>
      `${row.accountType} ${row.type} ${row.amountCents} ${row.description} ${row.category} ${row.status}`,
  );
}

/** A transaction row that an administrator adds: a salary of ten dollars, a second ago. */
export const newRow = (changes: Partial<RowArgs> = {}): RowArgs => ({
  accountType: "Checking",
  type: "credit",
  amountCents: 1_000n,
  description: "Salary",
  category: "Income",
  date: Date.now() - 1_000,
  status: "Completed",
  ...changes,
});
