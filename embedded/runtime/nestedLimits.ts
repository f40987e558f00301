/** The limits that a caller sets for a nested call (`transactionLimits`): they only lower those of the transaction. */
import type { TransactionLimits } from "../db/types.ts";
import { isJsonObject } from "./safeJson.ts";
import type { SchedulingLimits } from "./scheduling.ts";
import type { TransactionScope } from "./scope.ts";

/** How much more may be used of each. */
export type NestedLimits = Partial<TransactionLimits & SchedulingLimits>;

/** Limits as the SDK passes them; null without any. @throws Error for what is not a whole number */
export function nestedLimits(given: unknown): NestedLimits | null {
  if (given === undefined || given === null) return null;
  const isValid =
    isJsonObject(given) &&
    Object.values(given).every((limit) => Number.isSafeInteger(limit) && Number(limit) >= 0);
  if (isValid) return given;
  throw new Error("Invalid argument `transactionLimits`: expected nonnegative integers");
}

/** Applies limits to a scope; returns the function that sets the earlier ones again. */
export function restrict(scope: TransactionScope, limits: NestedLimits): () => void {
  const { txn, schedulingLimits: before, scheduledCount, scheduledBytes } = scope;
  const restore = txn.restrict(limits);
  const { functionsScheduled = Infinity, scheduledFunctionArgsBytes = Infinity } = limits;
  scope.schedulingLimits = {
    functionsScheduled: Math.min(before.functionsScheduled, scheduledCount + functionsScheduled),
    scheduledFunctionArgsBytes: Math.min(
      before.scheduledFunctionArgsBytes,
      scheduledBytes + scheduledFunctionArgsBytes,
    ),
  };
  return () => {
    restore();
    scope.schedulingLimits = before;
  };
}
