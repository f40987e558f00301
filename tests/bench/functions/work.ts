/** Row 13: a mutation and an action that wait for real work on another thread, and a mutation that only writes. */
import {
  actionGeneric,
  internalMutationGeneric,
  makeFunctionReference,
  mutationGeneric,
} from "convex/server";
import { v } from "convex/values";

/** Takes about 150 ms on another thread on an ordinary core. */
const ROUNDS = 500_000;

async function hashPassword(): Promise<void> {
  const password = new TextEncoder().encode("a password");
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const salt = new Uint8Array(16);
  await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS },
    key,
    256,
  );
}

export const slow = mutationGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await hashPassword();
    await ctx.db.insert("slowWork", {});
    return null;
  },
});

export const note = internalMutationGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await ctx.db.insert("slowWork", {});
    return null;
  },
});

export const slowAction = actionGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    await hashPassword();
    return await ctx.runMutation(
      makeFunctionReference<"mutation", Record<string, never>, null>("work:note"),
      {},
    );
  },
});

export const quick = mutationGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await ctx.db.insert("quickWork", {});
    return null;
  },
});
