/** Which connections to cut because of what the server holds in memory for them. */
import { getHeapStatistics } from "node:v8";

const MIB = 1024 * 1024;

interface Limits {
  /** Bytes held for one connection. */
  readonly oneMax: number;
  /** Bytes held for all of them. */
  readonly allMax: number;
}

/** What waits for clients that do not read. Small queries have large results, so a few hundred would fill the memory. */
export const UNSENT: Limits = { oneMax: 64 * MIB, allMax: 512 * MIB };
/**
 * Messages that were begun, or wait for their turn. Nothing ends those begun where their senders answer pings in
 * between, and pages send theirs at once. The limit for one is that of a frame.
 */
export const UNFINISHED: Limits = { oneMax: Infinity, allMax: 256 * MIB };
/**
 * Open queries, results until there are as many as are sent together, and messages until their functions have answered:
 * what takes heap. Queries of a page take some kilobytes; two thousand small ones two megabytes, and strangers can have
 * a thousand such connections. The limit for one is that of a session.
 */
export const KEPT: Limits = { oneMax: Infinity, allMax: getHeapStatistics().heap_size_limit / 4 };

/** Less than this is not counted: a few answers to pings count as the beginning of a message. */
const COUNTED_FROM_BYTES = 4_096;

/** A connection and what is held for it. */
export interface Holder {
  readonly unsentBytes: number;
  /** Of messages that were begun, or wait for their turn. */
  readonly unfinishedBytes: number;
  /** Of open queries, of their results being computed, and of messages until they are answered. */
  readonly keptBytes: number;
  cut(): void;
}

/** Cuts the connections beyond a limit. */
export function cutBeyondLimits(holders: readonly Holder[]): void {
  const beyond = [
    ...beyondLimits(holders, ({ unsentBytes }) => unsentBytes, UNSENT),
    ...beyondLimits(holders, ({ unfinishedBytes }) => unfinishedBytes, UNFINISHED),
    ...beyondLimits(holders, ({ keptBytes }) => keptBytes, KEPT),
  ];
  for (const holder of beyond) holder.cut();
}

/** The connections beyond either limit, those with most bytes first. */
export function beyondLimits<Connection>(
  connections: Iterable<Connection>,
  bytesOf: (connection: Connection) => number,
  { oneMax, allMax }: Limits,
): Connection[] {
  let allBytes = 0;
  const holding: { readonly connection: Connection; readonly bytes: number }[] = [];
  for (const connection of connections) {
    const bytes = bytesOf(connection);
    if (bytes < COUNTED_FROM_BYTES) continue;
    holding.push({ connection, bytes });
    allBytes += bytes;
  }
  const beyond: Connection[] = [];
  for (const { connection, bytes } of holding.sort((one, other) => other.bytes - one.bytes)) {
    if (bytes <= oneMax && allBytes <= allMax) break;
    beyond.push(connection);
    allBytes -= bytes;
  }
  return beyond;
}
