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

/** The refusal inside an error; the fallback's sentence for anything else. */
export function refusalOf(error: unknown, fallback: ErrorCode): Refusal {
  if (error instanceof ConvexError && isAppErrorData(error.data)) {
    const { code, message, details } = error.data;
    return details === undefined ? { code, message } : { code, message, details };
  }
  return { code: fallback, message: messageFor(fallback) };
}

/** The sentence of an error. */
export function errorText(error: unknown, fallback: ErrorCode): string {
  return refusalOf(error, fallback).message;
}
