/** Health of a running backend, for load balancers and people. */
import type { Database } from "../db/types.ts";

/** A store batch that takes longer while all writers wait is reported: even a slow disk is faster. */
const STALL_MS = 30_000;
const MS_PER_S = 1000;

interface Health {
  readonly status: "ok" | "read-only" | "stalled";
  /** Why it cannot work. */
  readonly reason?: string;
}

/** Reads work in every status. */
export function healthOf(db: Pick<Database, "isReadOnly" | "storeLag">): Health {
  if (db.isReadOnly !== null) return { status: "read-only", reason: db.isReadOnly };
  const { isFull, batchMs } = db.storeLag;
  if (!isFull || batchMs < STALL_MS) return { status: "ok" };
  const seconds = Math.round(batchMs / MS_PER_S);
  const reason = `The store has not taken its last commits for ${seconds} s, and those who write wait: look at the disk, then restart.`;
  return { status: "stalled", reason };
}
