/**
 * The only translator from a caught error to the sentence a person reads.
 *
 * Not here: the sentences (#shared/errors).
 */
import { ConvexError } from "convex/values";
import { isAppErrorData, messageFor, type ErrorCode } from "#shared/errors";

/** A refusal as the interface handles it: switch on `code`, show `message`. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What Convex's client says about an action cut off by a lost connection; it resends mutations. */
const LOST_ACTION = "Connection lost while action was in flight";

/** The refusal inside an error; the fallback's sentence for anything else. */
export function refusalOf(error: unknown, fallback: ErrorCode): Refusal {
  if (error instanceof ConvexError && isAppErrorData(error.data)) {
    const { code, message, details } = error.data;
    return details === undefined ? { code, message } : { code, message, details };
  }
  const isLost = error instanceof Error && error.message.includes(LOST_ACTION);
  const code = isLost ? "CONNECTION_LOST" : fallback;
  return { code, message: messageFor(code) };
}

/** The cause of a failure that names one, where the server has given none: a cut connection, or a fault of its own. */
export const UNKNOWN_CAUSE = "the server did not confirm it";

/** Whether a refusal is about the connection rather than anything that was typed. */
export function isConnectionTrouble(refusal: Refusal | null): boolean {
  return refusal?.code === "OFFLINE" || refusal?.code === "CONNECTION_LOST";
}

/**
 * Whether the operation may have been done after all, by this call or an earlier one: it then keeps its request key.
 */
export function isOutcomeOpen(refusal: Refusal, fallback: ErrorCode): boolean {
  const isUnjudged = refusal.code === fallback || refusal.code === "RATE_LIMITED";
  return isUnjudged || isConnectionTrouble(refusal);
}

/** With a sentence of its own where the answer was lost, for operations that nobody can look up, or do twice. */
export function wordedIfLost(refusal: Refusal | null, message: string): Refusal | null {
  return refusal?.code === "CONNECTION_LOST" ? { ...refusal, message } : refusal;
}

/** The sentence of an error. */
export function errorText(error: unknown, fallback: ErrorCode): string {
  return refusalOf(error, fallback).message;
}
