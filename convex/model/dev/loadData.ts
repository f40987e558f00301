/**
 * Many plausible members with history, for load tests. Written through the same model functions as
 * everything else, so that the ledger check holds.
 */
import { v, type ObjectType } from "convex/values";
import type { MutationCtx, QueryCtx } from "../../_generated/server";
import { MS } from "../../shared/limits";
import { CATEGORIES } from "../../shared/validators";
import { openPair } from "../accounts";
import { openingBalance, post } from "../ledger";
import type { JournalDraft } from "../ledgerWrites";
import { createWithPassword, findByEmail } from "../users";

/** The arguments of dev/seed:writeLoad. */
export const loadBatchFields = {
  firstNumber: v.number(),
  users: v.number(),
  transactionsEach: v.number(),
  passwordHash: v.string(),
};
type LoadBatch = ObjectType<typeof loadBatchFields>;

const FIRST_NAMES = ["Ada", "Ben", "Cleo", "Dara", "Eli", "Fay", "Gus", "Hana", "Ivo", "June"];
const LAST_NAMES = ["Abel", "Brook", "Cole", "Dunn", "Ellis", "Frost", "Gray", "Hale", "Ives"];
const STATUSES = ["approved", "approved", "approved", "approved", "pending", "rejected"] as const;
const OPENING_CENTS = 100_000_000n;

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

const emailOf = (number: number): string => `load${number}@load.example`;

/** Number of people added so far. They are numbered without gaps, so a binary search finds the first free number. */
export async function loadedCount(ctx: QueryCtx): Promise<number> {
  const isThere = async (number: number) => (await findByEmail(ctx, emailOf(number))) !== null;
  let free = 1;
  while (await isThere(free - 1)) free *= 2;
  let there = Math.floor(free / 2);
  while (there < free - 1) {
    const middle = Math.floor((there + free) / 2);
    if (await isThere(middle - 1)) there = middle;
    else free = middle;
  }
  return there;
}

async function writeMember(
  ctx: MutationCtx,
  number: number,
  batch: LoadBatch,
  nowMs: number,
): Promise<void> {
  const status = pick(STATUSES, number);
  const createdAt = nowMs - (number % 400) * MS.DAY_MS;
  const user = await createWithPassword(
    ctx,
    {
      email: emailOf(number),
      name: `${pick(FIRST_NAMES, number)} ${pick(LAST_NAMES, Math.floor(number / 10))}`,
      role: status === "approved" ? "user" : "pending",
      status,
      createdAt,
    },
    batch.passwordHash,
  );
  if (status !== "approved") return;
  const [checking] = await openPair(ctx, user._id, createdAt);
  if (checking === undefined) throw new Error("A member without accounts");
  const opening = { balanceCents: OPENING_CENTS, availableCents: OPENING_CENTS };
  await openingBalance(ctx, checking, opening, createdAt);
  const drafts: JournalDraft[] = [];
  for (let count = 0; count < batch.transactionsEach; count++) {
    const amountCents = BigInt(100 + ((number * 31 + count * 17) % 20_000));
    const signedCents = count % 3 === 0 ? amountCents : -amountCents;
    const description = `Load row ${count}`;
    const row = { description, category: pick(CATEGORIES, number + count) };
    drafts.push({
      kind: "adminPosting",
      memo: description,
      effectiveAt: nowMs - count * (MS.DAY_MS / 2),
      legs: [
        { account: checking, amountCents: signedCents, row },
        { internalAccount: "postings", amountCents: -signedCents },
      ],
    });
  }
  await post(ctx, drafts, nowMs);
}

/** Adds one batch of numbered people. */
export async function writeLoadBatch(
  ctx: MutationCtx,
  batch: LoadBatch,
  nowMs: number,
): Promise<void> {
  for (let offset = 0; offset < batch.users; offset++) {
    await writeMember(ctx, batch.firstNumber + offset, batch, nowMs);
  }
}
