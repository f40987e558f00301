/** The peer's tables (`../peerSchema.ts`) as Convex tables with the same data and indexes, and the table of row 13. */
import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";

const accountType = v.union(v.literal("Checking"), v.literal("Savings"));

export default defineSchema({
  users: defineTable({
    email: v.string(),
    name: v.string(),
    status: v.string(),
    transferCount: v.int64(),
    isProtected: v.boolean(),
  }).index("by_email", ["email"]),
  accounts: defineTable({
    userId: v.id("users"),
    type: accountType,
    balanceCents: v.int64(),
    availableCents: v.int64(),
  }).index("by_user", ["userId", "type"]),
  transfers: defineTable({
    userId: v.id("users"),
    recipientId: v.id("users"),
    amountCents: v.int64(),
    reference: v.string(),
  }).index("by_user", ["userId"]),
  transactions: defineTable({
    userId: v.id("users"),
    accountId: v.id("accounts"),
    type: v.union(v.literal("debit"), v.literal("credit")),
    amountCents: v.int64(),
    description: v.string(),
    category: v.string(),
    status: v.string(),
    reference: v.string(),
  })
    .index("by_user", ["userId"])
    .index("by_account", ["accountId"]),
  journals: defineTable({ kind: v.string() }),
  postings: defineTable({
    journalId: v.id("journals"),
    accountId: v.id("accounts"),
    amountCents: v.int64(),
  })
    .index("by_journal", ["journalId"])
    .index("by_account", ["accountId"]),
  audit: defineTable({ actorId: v.id("users"), action: v.string() }),
  slowWork: defineTable({}),
  quickWork: defineTable({}),
});
