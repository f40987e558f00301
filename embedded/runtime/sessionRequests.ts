/**
 * Recorded answers of applied mutations, by client session and request. A mutation resent after a lost
 * connection gets its recorded answer and is not applied again. The answer is written in the mutation's own
 * commit.
 *
 * Clients number their requests upwards, so nearly every request is newer than all answered requests of its
 * session. The highest answered number is cached: a newer request has no answer, without a read from the
 * store.
 */
import type { Transaction } from "../db/types.ts";
import { SESSION_REQUESTS } from "./systemTables.ts";
import { assumeNone, parseDocument, readIndex } from "./tableReads.ts";

export interface ResendKey {
  readonly sessionId: string;
  readonly requestId: number;
  readonly path: string;
}

/** Longer answers are split into several rows, because a document holds at most 1 MiB. */
const ROW_MAX_CHARS = 200_000;
const ROWS_MAX = 1_000;
/** Number of sessions whose newest answered request is cached. */
const SESSIONS_MAX = 20_000;
const BY_SESSION = `${SESSION_REQUESTS}.by_session`;

/** One per database: it must be told of every commit that recorded an answer. */
export class SessionRequests {
  /** By session, the newest answered request: none with a higher number has an answer. Oldest sessions first. */
  private readonly newestAnswered = new Map<string, number>();
  private readonly sessionsMax: number;

  constructor(sessionsMax = SESSIONS_MAX) {
    this.sessionsMax = sessionsMax;
  }

  /**
   * The recorded answer of an identical request: same session and number, same person, function and arguments
   * (`fingerprint`). Null when it has not been applied. `txn` must have just begun: the newest number is read
   * in it and cached.
   */
  findAnswer(txn: Transaction, key: ResendKey, fingerprint: string): string | null {
    const equal = [
      ["sessionId", key.sessionId],
      ["requestId", key.requestId],
      ["fingerprint", fingerprint],
    ] as const;
    if (key.requestId > this.newestOf(txn, key.sessionId)) {
      // Another connection of the session may be applying it at this moment: then this transaction conflicts.
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
      // A row must not split a surrogate pair.
      if (end < result.length && /[\udc00-\udfff]/.test(result.charAt(end))) end -= 1;
      const part = result.slice(start, end);
      txn.insert(SESSION_REQUESTS, { sessionId, requestId, fingerprint, result: part });
      start = end;
    }
  }

  /**
   * Call it right after such a transaction committed, before any other begins. A session that was evicted
   * meanwhile is read from the store for each request from now on: another transaction may have cached an
   * older number without this answer.
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
