/**
 * Answers of mutations already applied, by client session and request: a mutation re-sent after a lost
 * connection is answered from here and not applied again. Written in the mutation's own commit.
 */
import type { Transaction } from "../db/types.ts";
import { SESSION_REQUESTS } from "./systemTables.ts";
import { parseDocument, readIndex } from "./tableReads.ts";

export interface ResendKey {
  readonly sessionId: string;
  readonly requestId: number;
  readonly path: string;
}

/** Answers longer than this are kept in several rows: a document holds 1 MiB at most. */
const ROW_MAX_CHARS = 200_000;
const ROWS_MAX = 1_000;

/**
 * The recorded answer of this very request: same session and number, same person, function and
 * arguments (`fingerprint`). Null when it has not been applied.
 */
export function findAnswer(txn: Transaction, key: ResendKey, fingerprint: string): string | null {
  const rows = readIndex(
    txn,
    `${SESSION_REQUESTS}.by_session`,
    [
      ["sessionId", key.sessionId],
      ["requestId", key.requestId],
      ["fingerprint", fingerprint],
    ],
    { limit: ROWS_MAX },
  );
  if (rows.length === 0) return null;
  return rows.map((row) => parseDocument<{ result: string }>(row).result).join("");
}

/** Records an answer (encoded JSON text) in the transaction that applies the mutation. */
export function recordAnswer(
  txn: Transaction,
  key: ResendKey,
  fingerprint: string,
  result: string,
): void {
  let start = 0;
  while (start < result.length) {
    let end = Math.min(start + ROW_MAX_CHARS, result.length);
    // A row must not end in the middle of a surrogate pair.
    if (end < result.length && /[\udc00-\udfff]/.test(result.charAt(end))) end -= 1;
    txn.insert(SESSION_REQUESTS, {
      sessionId: key.sessionId,
      requestId: key.requestId,
      fingerprint,
      result: result.slice(start, end),
    });
    start = end;
  }
}
