/** An administrator's work over the wire: many rows for a person, deletions, the ledger check. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { DEMO, DEMO_PASSWORD } from "../e2e/support/people";
import { signedInHttp } from "./wireClient";

const ROWS_AT_ONCE = 500;
const POLL_MS = 20;
/** More than five minutes: a check after many kills on a busy machine takes that long. */
const POLLS_MAX = 15_000;

/** The demo administrator, past both sign-in steps, over plain HTTP. */
export const adminClient = (url: string): Promise<ConvexHttpClient> =>
  signedInHttp(url, DEMO.admin);

/** @throws Error if nobody has the address */
export async function userIdOf(admin: ConvexHttpClient, email: string): Promise<Id<"users">> {
  const found = await admin.mutation(api.admin.users.findByEmail, { email });
  if (found === null) throw new Error(`nobody has ${email}`);
  return found.userId;
}

/** Adds `count` completed one-dollar rows, every third a debit, that change the balance. */
export async function addRows(
  admin: ConvexHttpClient,
  userId: Id<"users">,
  count: number,
): Promise<void> {
  for (let done = 0; done < count; done += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - done) }, (_, at) => ({
      accountType: "Checking" as const,
      type: at % 3 === 2 ? ("debit" as const) : ("credit" as const),
      amountCents: 100n,
      description: `Row ${done + at}`,
      category: "Other" as const,
      date: Date.now() - (done + at) * 1_000,
      status: "Completed" as const,
    }));
    await admin.mutation(api.admin.transactions.addMany, {
      userId,
      rows,
      updateBalance: true,
      requestKey: randomUUID(),
    });
  }
}

/** Number of a person's rows that administrators see. */
export async function countRows(admin: ConvexHttpClient, userId: Id<"users">): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  for (;;) {
    const found: { page: unknown[]; isDone: boolean; continueCursor: string } = await admin.query(
      api.admin.transactions.listForUser,
      { userId, paginationOpts: { cursor, numItems: 200 } },
    );
    count += found.page.length;
    if (found.isDone) return count;
    cursor = found.continueCursor;
  }
}

/** Polls a deletion until `isThere`. @throws Error if it takes too long */
export async function untilRemoved(
  admin: ConvexHttpClient,
  jobId: Id<"jobs">,
  isThere: (job: { deletedCount: number; isDone: boolean }) => boolean,
): Promise<{ deletedCount: number; isDone: boolean; failed?: string }> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const job = await admin.query(api.admin.transactions.removalJob, { jobId });
    if (isThere(job)) return job;
    await delay(POLL_MS);
  }
  throw new Error("the deletion does not get on");
}

/** Runs the ledger check to its end and returns what it found; empty if all is well. */
export async function ledgerProblems(admin: ConvexHttpClient): Promise<string[]> {
  const before = (await admin.query(api.admin.health.get, {})).ledger?.checkedAt;
  await admin.mutation(api.admin.health.runLedgerCheck, {});
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const { ledger } = await admin.query(api.admin.health.get, {});
    if (ledger !== null && ledger.checkedAt !== before) {
      return ledger.isOk ? [] : ["the check failed", ...ledger.problems];
    }
    await delay(POLL_MS);
  }
  throw new Error("the ledger check did not finish");
}

/** A person to create, besides name and e-mail. */
export const NEW_PERSON = {
  phone: "1",
  password: DEMO_PASSWORD,
  role: "user",
  street: "s",
  city: "c",
  state: "s",
  zipCode: "z",
  checking: { balanceCents: 123_456_789n, availableCents: 123_456_789n },
  savings: { balanceCents: 0n, availableCents: 0n },
} as const;
