/** A ledger with one of everything: transfers, a waiting bill, and a row that was deleted again. */
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import type { MutationCtx } from "../../convex/_generated/server";
import { addDays, dateOf } from "../../convex/shared/dates";
import { freshKey, internal, submit, toUser } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

export const bill = () => ({
  fromAccount: "Checking" as const,
  provider: "water" as const,
  accountNumber: "1",
  amountCents: 5n,
  scheduleDate: addDays(dateOf(Date.now()), 2),
  requestKey: freshKey(),
});

/** A row that an administrator adds. */
export const interestOf = (date: number) => ({
  accountType: "Checking" as const,
  type: "credit" as const,
  amountCents: 1n,
  description: "Interest",
  category: "Income" as const,
  date,
  status: "Completed" as const,
});

/** @returns Ada, whose money it is mostly, and the administrator */
export async function writtenLedger(): Promise<{ t: Backend; ada: Person; root: Person }> {
  const t = newBackend();
  const ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  await person(t, "ben@bank.example");
  const root = await admin(t);
  await submit(ada, internal());
  await submit(ada, toUser("ben@bank.example"));
  await ada.as.mutation(api.billPayments.schedule, bill());
  const rows = await ada.as.query(api.transactions.recent, {});
  const moved = rows.find(({ status }) => status === "Completed");
  await root.as.mutation(api.admin.transactions.remove, { transactionId: moved?._id ?? "" });
  return { t, ada, root };
}

export async function some<T>(found: Promise<T | null>): Promise<T> {
  const document = await found;
  if (document === null) throw new Error("Nothing to damage");
  return document;
}

export async function rowThat(
  ctx: MutationCtx,
  isMeant: (row: Doc<"transactions">) => boolean,
): Promise<Doc<"transactions">> {
  const rows = await ctx.db.query("transactions").take(50);
  return await some(Promise.resolve(rows.find(isMeant) ?? null));
}
