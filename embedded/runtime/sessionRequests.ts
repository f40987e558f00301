/**
 * Answers of mutations already applied, by client session and request: a mutation re-sent after a lost
 * connection is answered from here and not applied again. Written in the mutation's own commit.
 *
 * Clients number their requests upwards, so that nearly every request is newer than all that its session
 * has had answered. That number is remembered: such a request has no answer, without asking the store.
 */
import type { Transaction } from "../db/types.ts";
import { SESSION_REQUESTS } from "./systemTables.ts";
import { assumeNone, parseDocument, readIndex } from "./tableReads.ts";

export interface ResendKey {
  readonly sessionId: string;
  readonly requestId: number;
  readonly path: string;
}

/** Answers longer than this are kept in several rows: a document holds 1 MiB at most. */
const ROW_MAX_CHARS = 200_000;
const ROWS_MAX = 1_000;
/** Sessions whose newest answered request is remembered. */
const SESSIONS_MAX = 20_000;
const BY_SESSION = `${SESSION_REQUESTS}.by_session`;

/** One per database: it must hear of every commit that recorded an answer. */
export class SessionRequests {
  /** By session: no request with a higher number has an answer. Oldest sessions first. */
  private readonly newestAnswered = new Map<string, number>();
  private readonly sessionsMax: number;

  constructor(sessionsMax = SESSIONS_MAX) {
    this.sessionsMax = sessionsMax;
  }

  /**
   * The recorded answer of this very request: same session and number, same person, function and
   * arguments (`fingerprint`). Null when it has not been applied. `txn` has only just begun: the newest
   * number is read in it, and remembered.
   */
  findAnswer(txn: Transaction, key: ResendKey, fingerprint: string): string | null {
    const equal = [
      ["sessionId", key.sessionId],
      ["requestId", key.requestId],
      ["fingerprint", fingerprint],
    ] as const;
    if (key.requestId > this.newestOf(txn, key.sessionId)) {
      // Another connection of the session may be applying it: then this transaction conflicts.
      assumeNone(txn, BY_SESSION, equal);
      return null;
    }
    const rows = readIndex(txn, BY_SESSION, equal, { limit: ROWS_MAX });
    if (rows.length === 0) return null;
    return rows.map((row) => parseDocument<{ result: string }>(row).result).join("");
  }

  /** Records an answer (encoded JSON text) in the transaction that applies the mutation. */
  recordAnswer(txn: Transaction, key: ResendKey, fingerprint: string, result: string): void {
    const { sessionId, requestId } = key;
    let start = 0;
    while (start < result.length) {
      let end = Math.min(start + ROW_MAX_CHARS, result.length);
      // A row must not end in the middle of a surrogate pair.
      if (end < result.length && /[\udc00-\udfff]/.test(result.charAt(end))) end -= 1;
      const part = result.slice(start, end);
      txn.insert(SESSION_REQUESTS, { sessionId, requestId, fingerprint, result: part });
      start = end;
    }
  }

  /**
   * To be told as soon as such a transaction is committed, before any other begins. A session forgotten
   * since it was looked up is asked for each time from now on: others may have looked it up anew, without
   * this answer.
   */
  committed({ sessionId, requestId }: ResendKey): void {
    this.remember(sessionId, Math.max(requestId, this.newestAnswered.get(sessionId) ?? Infinity));
  }

  private newestOf(txn: Transaction, sessionId: string): number {
    const known = this.newestAnswered.get(sessionId);
    if (known !== undefined) return known;
    const order = "desc";
    const [row] = readIndex(txn, BY_SESSION, [["sessionId", sessionId]], { limit: 1, order });
    const newest = row === undefined ? -1 : parseDocument<{ requestId: number }>(row).requestId;
    this.remember(sessionId, newest);
    return newest;
  }

  private remember(sessionId: string, requestId: number): void {
    this.newestAnswered.delete(sessionId);
    this.newestAnswered.set(sessionId, requestId);
    if (this.newestAnswered.size <= this.sessionsMax) return;
    for (const oldest of this.newestAnswered.keys()) {
      this.newestAnswered.delete(oldest);
      return;
    }
  }
}
