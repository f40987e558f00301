/**
 * The policy values in force: an administrator's override, or as specified.
 *
 * Not here: the policies themselves (shared/policies).
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import {
  POLICIES,
  POLICY_KEYS,
  isPolicyKey,
  isPolicyValue,
  type PolicyKey,
  type PolicyValues,
} from "../shared/policies";
import type { Caller } from "./access";
import * as audit from "./audit";

async function findOverride(
  ctx: Pick<QueryCtx, "db">,
  key: PolicyKey,
): Promise<Doc<"policies"> | null> {
  return await ctx.db
    .query("policies")
    .withIndex("by_key", (q) => q.eq("key", key))
    .unique();
}

/** The value in force of one policy. One indexed read. */
export async function policyValue<K extends PolicyKey>(
  ctx: Pick<QueryCtx, "db">,
  key: K,
): Promise<PolicyValues[K]> {
  const override = await findOverride(ctx, key);
  return override === null
    ? POLICIES[key].asSpecified
    : (JSON.parse(override.value) as PolicyValues[K]);
}

/** Since when (ms) an override has been in force; 0 for a policy as specified. */
export async function policySetAt(ctx: Pick<QueryCtx, "db">, key: PolicyKey): Promise<number> {
  return (await findOverride(ctx, key))?._creationTime ?? 0;
}

/** Every policy, with both known values and the one in force (as JSON text). */
export async function list(ctx: QueryCtx) {
  return await Promise.all(
    POLICY_KEYS.map(async (key) => {
      const override = await findOverride(ctx, key);
      const { asSpecified, recommended, specSection, text } = POLICIES[key];
      return {
        key,
        value: override?.value ?? JSON.stringify(asSpecified),
        asSpecified: JSON.stringify(asSpecified),
        recommended: JSON.stringify(recommended),
        specSection,
        text,
        isOverridden: override !== null,
      };
    }),
  );
}

/**
 * Writes an override; the specified value needs none, and one already in force keeps its age. Returns the
 * previous value, as JSON text.
 */
async function write(ctx: MutationCtx & Caller, key: PolicyKey, value: string): Promise<string> {
  const override = await findOverride(ctx, key);
  const asSpecified = JSON.stringify(POLICIES[key].asSpecified);
  if (override?.value === value) return value;
  if (override !== null) await ctx.db.delete("policies", override._id);
  if (value !== asSpecified) {
    await ctx.db.insert("policies", { key, value, setAt: Date.now(), setBy: ctx.user.email });
  }
  return override?.value ?? asSpecified;
}

/**
 * A policy and one of its two known values as JSON text, from unchecked texts.
 * @throws AppError NOT_FOUND, INVALID_POLICY_VALUE
 */
export function policyChange(key: string, valueJson: string): { key: PolicyKey; value: string } {
  if (!isPolicyKey(key)) throw appError("NOT_FOUND");
  let value: unknown;
  try {
    value = JSON.parse(valueJson);
  } catch {
    throw appError("INVALID_POLICY_VALUE");
  }
  if (!isPolicyValue(key, value)) throw appError("INVALID_POLICY_VALUE");
  return { key, value: JSON.stringify(value) };
}

/**
 * Switches one policy to one of its two known values, given as JSON text.
 * @throws AppError NOT_FOUND, INVALID_POLICY_VALUE
 */
export async function set(
  ctx: MutationCtx & Caller,
  keyText: string,
  valueJson: string,
): Promise<void> {
  const { key, value: after } = policyChange(keyText, valueJson);
  const before = await write(ctx, key, after);
  const entry = { action: "policy.set", targetLabel: key, before, after };
  await audit.append(ctx, { actor: ctx.user, ...entry });
}

/** Switches every policy to its recommended value, as one audited action. */
export async function applyRecommended(ctx: MutationCtx & Caller): Promise<void> {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const key of POLICY_KEYS) {
    after[key] = JSON.stringify(POLICIES[key].recommended);
    before[key] = await write(ctx, key, after[key]);
  }
  await audit.append(ctx, {
    actor: ctx.user,
    action: "policy.applyRecommended",
    targetLabel: "all policies",
    before,
    after,
  });
}
