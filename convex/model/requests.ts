/**
 * Exactly once: the outcome of each (person, request key), kept for good.
 *
 * The browser makes a key per intended operation and repeats it until answered; this table makes
 * the repetition harmless on every deployment. Not here: what the operations do.
 */
import { v, type Infer } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { REQUEST_KEY_LENGTH_MAX } from "../shared/limits";
import { payloadText } from "../shared/payloadText";
import { isPlainText } from "../shared/plainText";
import { sha256Hex } from "./crypto";

/** Payloads up to this length are their own fingerprint, and cost no hash. */
const PLAIN_FINGERPRINT_LENGTH_MAX = 2_000;

/** One intended operation of a person, as an action hands it to its mutation. */
export const vRequest = v.object({
  userId: v.id("users"),
  kind: v.string(),
  requestKey: v.string(),
  fingerprint: v.string(),
});
export type Request = Readonly<Infer<typeof vRequest>>;

/** @throws AppError INVALID_TEXT when the key is empty or no key */
export function judgeRequestKey(requestKey: string): void {
  const isKey = requestKey !== "" && isPlainText(requestKey, REQUEST_KEY_LENGTH_MAX);
  if (!isKey) throw appError("INVALID_TEXT");
}

/**
 * Identifies an operation by its key and by what it asks for.
 * @throws AppError INVALID_TEXT when the key is empty or no key
 */
export function requestOf(
  userId: Id<"users">,
  kind: string,
  requestKey: string,
  payload: unknown,
): Request {
  judgeRequestKey(requestKey);
  const text = payloadText(payload);
  const fingerprint = text.length <= PLAIN_FINGERPRINT_LENGTH_MAX ? text : sha256Hex(text);
  return { userId, kind, requestKey, fingerprint };
}

/**
 * The outcome of an earlier call with this key, or null.
 * @throws AppError REQUEST_KEY_REUSED when that call asked for something else
 */
export async function findOutcome(ctx: QueryCtx, request: Request): Promise<string | null> {
  const { kind, fingerprint } = request;
  const earlier = await findRequest(ctx, request);
  if (earlier === null) return null;
  if (earlier.kind !== kind || earlier.fingerprint !== fingerprint) {
    throw appError("REQUEST_KEY_REUSED");
  }
  return earlier.outcome;
}

/** The outcome that a person's key has now, whatever was asked for; null for an unused key. */
export async function outcomeOfKey(
  ctx: QueryCtx,
  key: Pick<Request, "userId" | "requestKey">,
): Promise<string | null> {
  return (await findRequest(ctx, key))?.outcome ?? null;
}

/** Remembers the outcome (an id), in the mutation that made it. */
export async function recordOutcome(
  ctx: MutationCtx,
  request: Request,
  outcome: string,
  nowMs: number,
): Promise<void> {
  const { userId, kind, requestKey, fingerprint } = request;
  await ctx.db.insert("requests", {
    userId,
    requestKey,
    kind,
    fingerprint,
    outcome,
    at: nowMs,
  });
}

/** Replaces the outcome of the same call, where the earlier one came to nothing. */
export async function replaceOutcome(
  ctx: MutationCtx,
  request: Request,
  outcome: string,
  nowMs: number,
): Promise<void> {
  const earlier = await findRequest(ctx, request);
  if (earlier !== null) await ctx.db.patch("requests", earlier._id, { outcome, at: nowMs });
}

async function findRequest(
  ctx: QueryCtx,
  { userId, requestKey }: Pick<Request, "userId" | "requestKey">,
): Promise<Doc<"requests"> | null> {
  return await ctx.db
    .query("requests")
    .withIndex("by_userId_and_requestKey", (q) =>
      q.eq("userId", userId).eq("requestKey", requestKey),
    )
    .unique();
}
