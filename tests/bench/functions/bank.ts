/**
 * The transfer of the peer's stored procedure (`../peerSchema.ts`) as a Convex mutation with the same steps,
 * so that both systems can be compared on the same work.
 *
 * There is no request key as in the peer: the sync protocol itself runs a mutation only once.
 */
import {
  type DataModelFromSchemaDefinition,
  type GenericMutationCtx,
  type GenericQueryCtx,
  internalMutationGeneric,
  type MutationBuilder,
  mutationGeneric,
  type QueryBuilder,
  queryGeneric,
} from "convex/server";
import { ConvexError, v } from "convex/values";
import type schema from "./schema";

type Data = DataModelFromSchemaDefinition<typeof schema>;
const query = queryGeneric as QueryBuilder<Data, "public">;
const mutation = mutationGeneric as MutationBuilder<Data, "public">;
const internalMutation = internalMutationGeneric as MutationBuilder<Data, "internal">;
type PersonId = Data["users"]["document"]["_id"];

const OPENING_CENTS = 100_000_000n;
/** Accounts per person. */
const ACCOUNTS_MAX = 2;
const TRANSFERS_FREE = 2n;

async function findPerson(ctx: GenericQueryCtx<Data>) {
  const identity = await ctx.auth.getUserIdentity();
  const person = identity === null ? null : await ctx.db.get(identity.subject as PersonId);
  if (person === null) throw new ConvexError("NOT_SIGNED_IN");
  return person;
}

const checkingOf = (ctx: GenericMutationCtx<Data>, userId: PersonId) =>
  ctx.db
    .query("accounts")
    .withIndex("by_user", (q) => q.eq("userId", userId).eq("type", "Checking"))
    .unique();

async function writeRows(
  ctx: GenericMutationCtx<Data>,
  [sender, recipient]: readonly Data["users"]["document"][],
  [from, to]: readonly Data["accounts"]["document"][],
  { amountCents, reference }: { readonly amountCents: bigint; readonly reference: string },
): Promise<void> {
  if (!sender || !recipient || !from || !to) throw new ConvexError("ACCOUNT_NOT_FOUND");
  const journalId = await ctx.db.insert("journals", { kind: "transfer" });
  for (const [account, cents] of [
    [from, -amountCents],
    [to, amountCents],
  ] as const) {
    await ctx.db.insert("postings", { journalId, accountId: account._id, amountCents: cents });
  }
  const common = { amountCents, category: "Transfer", status: "Completed", reference };
  await ctx.db.insert("transactions", {
    userId: sender._id,
    accountId: from._id,
    type: "debit",
    description: `Transfer to ${recipient.name}`,
    ...common,
  });
  await ctx.db.insert("transactions", {
    userId: recipient._id,
    accountId: to._id,
    type: "credit",
    description: `Transfer from ${sender.name}`,
    ...common,
  });
  await ctx.db.insert("audit", { actorId: sender._id, action: "transfer" });
}

/** Moves money between two people's Checking accounts. Returns the transfer's id. */
export const transfer = mutation({
  args: { recipientEmail: v.string(), amountCents: v.int64(), reference: v.string() },
  returns: v.id("transfers"),
  handler: async (ctx, { recipientEmail, amountCents, reference }) => {
    const sender = await findPerson(ctx);
    if (sender.status !== "approved") throw new ConvexError("NOT_APPROVED");
    const recipient = await ctx.db
      .query("users")
      .withIndex("by_email", (q) => q.eq("email", recipientEmail))
      .unique();
    if (recipient === null) throw new ConvexError("RECIPIENT_NOT_FOUND");
    if (!sender.isProtected && sender.transferCount >= TRANSFERS_FREE) {
      throw new ConvexError("TRANSFER_BLOCKED");
    }
    const from = await checkingOf(ctx, sender._id);
    const to = await checkingOf(ctx, recipient._id);
    if (from === null || to === null) throw new ConvexError("ACCOUNT_NOT_FOUND");
    if (from.availableCents < amountCents) throw new ConvexError("INSUFFICIENT_FUNDS");
    await ctx.db.patch(from._id, {
      balanceCents: from.balanceCents - amountCents,
      availableCents: from.availableCents - amountCents,
    });
    await ctx.db.patch(to._id, {
      balanceCents: to.balanceCents + amountCents,
      availableCents: to.availableCents + amountCents,
    });
    const ids = { userId: sender._id, recipientId: recipient._id };
    const transferId = await ctx.db.insert("transfers", { amountCents, reference, ...ids });
    await writeRows(ctx, [sender, recipient], [from, to], { amountCents, reference });
    return transferId;
  },
});

/** One's own balances, Checking first: the same as the peer's query of row 4. */
export const balances = query({
  args: {},
  returns: v.array(v.int64()),
  handler: async (ctx) => {
    const person = await findPerson(ctx);
    const accounts = await ctx.db
      .query("accounts")
      .withIndex("by_user", (q) => q.eq("userId", person._id))
      .take(ACCOUNTS_MAX);
    return accounts.map((account) => account.availableCents);
  },
});

/** The smallest durable mutation that reads and writes, to measure what the engine adds to protocol and journal. */
export const rename = mutation({
  args: { name: v.string() },
  returns: v.null(),
  handler: async (ctx, { name }) => {
    const person = await findPerson(ctx);
    await ctx.db.patch(person._id, { name });
    return null;
  },
});

/** Creates people numbered from `first` on, with two accounts each. Returns their ids. */
export const fill = internalMutation({
  args: { first: v.number(), count: v.number() },
  returns: v.array(v.id("users")),
  handler: async (ctx, { first, count }) => {
    const ids: PersonId[] = [];
    for (let number = first; number < first + count; number += 1) {
      const userId = await ctx.db.insert("users", {
        email: `load${number}@load.example`,
        name: `Person ${number}`,
        status: "approved",
        transferCount: 0n,
        isProtected: true,
      });
      for (const type of ["Checking", "Savings"] as const) {
        const cents = type === "Checking" ? OPENING_CENTS : 0n;
        const balances = { balanceCents: cents, availableCents: cents };
        await ctx.db.insert("accounts", { userId, type, ...balances });
      }
      ids.push(userId);
    }
    return ids;
  },
});
