/** Two mutations of row 13: one that waits for real work on another thread, one that only writes. */
import { mutationGeneric } from "convex/server";
import { v } from "convex/values";

/** Takes about 150 ms of another thread on an ordinary core. */
const ROUNDS = 500_000;

export const slow = mutationGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    const password = new TextEncoder().encode("a password");
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const salt = new Uint8Array(16);
    await crypto.subtle.deriveBits(
      { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS },
      key,
      256,
    );
    await ctx.db.insert("slowWork", {});
    return null;
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
