/**
 * Token buckets per person, per e-mail and per address.
 *
 * A refusal must be returned or thrown before anything else is written: a throw takes nothing from
 * the bucket, and an empty bucket stays empty. Not here: the numbers (shared/limits).
 */
import type { Id } from "../_generated/dataModel";
import type { ActionCtx, MutationCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import {
  DEMO_ADDRESS_LIMIT_FACTOR,
  MS,
  OWN_CHANGES_PER_PERSON_PER_HOUR_MAX,
  WIDER_NETWORK_SHARES,
} from "../shared/limits";
import { networksOf } from "../shared/networks";
import { hmacHex } from "./crypto";
import { isDemo, otpHmacKey } from "./env";

/** One bucket: `max` tokens, refilled evenly over `windowMs`. */
type Limit = {
  /** What is limited, e.g. "recipientLookupMinute". */
  readonly name: string;
  /** Whose bucket it is: a user id, a canonical e-mail, an address key. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
};

/** A limit's bucket and the tokens it holds now; `id` is null while nothing was taken from it. */
async function readBucket(ctx: MutationCtx, limit: Limit, nowMs: number) {
  const key = `${limit.name}:${limit.key}`;
  const bucket = await ctx.db
    .query("rateBuckets")
    .withIndex("by_key", (q) => q.eq("key", key))
    .unique();
  if (bucket === null) return { key, id: null, tokens: limit.max };
  // Forwards or back: where the clock was set back, an empty bucket would stay empty until it has caught up.
  const elapsedMs = Math.abs(nowMs - bucket.updatedAt);
  const refilled = bucket.tokens + (elapsedMs * limit.max) / limit.windowMs;
  return { key, id: bucket._id, tokens: Math.min(limit.max, refilled) };
}

/**
 * Takes one token from the bucket of each limit. False when one of them is empty; then nothing is written.
 */
async function takeTokens(ctx: MutationCtx, limits: readonly Limit[]): Promise<boolean> {
  const nowMs = Date.now();
  const buckets = await Promise.all(limits.map((limit) => readBucket(ctx, limit, nowMs)));
  if (buckets.some(({ tokens }) => tokens < 1)) return false;
  for (const { key, id, tokens } of buckets) {
    const fields = { tokens: tokens - 1, updatedAt: nowMs };
    if (id === null) await ctx.db.insert("rateBuckets", { key, ...fields });
    else await ctx.db.patch("rateBuckets", id, fields);
  }
  return true;
}

/**
 * Takes one token. False when the bucket is empty; then nothing is written.
 */
export async function takeToken(ctx: MutationCtx, limit: Limit): Promise<boolean> {
  return await takeTokens(ctx, [limit]);
}

/** Takes one from a limit beyond which the call is refused. @throws AppError RATE_LIMITED */
export async function requireToken(ctx: MutationCtx, limit: Limit): Promise<void> {
  if (!(await takeToken(ctx, limit))) throw appError("RATE_LIMITED");
}

/**
 * Counts a person's own change that leaves permanent entries, so that no program can fill the store with them.
 * Not for what protects a person: locking a card must never have to wait.
 * @throws AppError RATE_LIMITED
 */
export async function countOwnChange(ctx: MutationCtx, userId: Id<"users">): Promise<void> {
  await requireToken(ctx, {
    name: "ownChange",
    key: userId,
    max: OWN_CHANGES_PER_PERSON_PER_HOUR_MAX,
    windowMs: MS.HOUR_MS,
  });
}

/** Network facts of the current request; nulls where the backend has none. */
type RequestFacts = { readonly address: string | null; readonly userAgent: string | null };

/** Address and browser of the caller, as far as the backend knows them. */
export async function requestFacts(
  ctx: Pick<ActionCtx | MutationCtx, "meta">,
): Promise<RequestFacts> {
  try {
    const { ip, userAgent } = await ctx.meta.getRequestMetadata();
    return { address: ip, userAgent };
  } catch {
    // Test backends lack this call; limits by address then do not apply.
    return { address: null, userAgent: null };
  }
}

/**
 * The caller's networks as stored and counted, the narrowest first: keyed hashes; none when the address is unknown.
 *
 * The actions of sign-in and sign-up hand them to their mutations as an argument: nothing is looked up
 * between a mutation's reads and writes, and tests can name any address.
 */
export async function addressKeys(ctx: Pick<ActionCtx | MutationCtx, "meta">): Promise<string[]> {
  const { address } = await requestFacts(ctx);
  if (address === null) return [];
  const hashOf = (network: string) => hmacHex(otpHmacKey(), `address:${network}`);
  return networksOf(address).map(hashOf);
}

/**
 * Takes a token from the bucket of each network of an address. A wider one has the share of several lines, so that
 * whoever has many lines does not have as many shares. True when the address is unknown.
 */
export async function takeAddressToken(
  ctx: MutationCtx,
  [line, ...wider]: readonly string[],
  { max, ...limit }: Omit<Limit, "key">,
): Promise<boolean> {
  if (line === undefined) return true;
  const share = isDemo() ? max * DEMO_ADDRESS_LIMIT_FACTOR : max;
  return await takeTokens(ctx, [
    { ...limit, key: line, max: share },
    ...wider.map((key) => ({ ...limit, key, max: share * WIDER_NETWORK_SHARES })),
  ]);
}

const SWEEP_ROWS_MAX = 200;

/** Deletes buckets untouched for two days; they would be full again. A batch at a time. */
export async function sweepBuckets(ctx: MutationCtx, nowMs: number): Promise<void> {
  const stale = await ctx.db
    .query("rateBuckets")
    .withIndex("by_updatedAt", (q) => q.lt("updatedAt", nowMs - 2 * MS.DAY_MS))
    .take(SWEEP_ROWS_MAX);
  for (const bucket of stale) await ctx.db.delete("rateBuckets", bucket._id);
}
