/** Parameters of the product's server in the benchmark, and its answers about itself. */

export interface SeedPlan {
  /** Numbered members of `dev/seed:large`; two thirds of them are approved. */
  readonly users: number;
  /** This many of the approved ones are signed in and exempt from the transfer limit. */
  readonly sessions: number;
  readonly transactionsEach: number;
}

export interface ServerPlan {
  readonly root: string;
  readonly dataDir: string;
  readonly port: number;
  readonly seed?: SeedPlan;
}

/** Somebody with a live session that has passed the second step. */
export interface SeededPerson {
  readonly email: string;
  readonly userId: string;
  readonly sessionId: string;
}

export interface SeededPeople {
  readonly admin: SeededPerson;
  readonly members: readonly SeededPerson[];
}

export const PEOPLE_FILE = "people.json";
/** The people of the benchmark's own bank. */
export const IDS_FILE = "ids.json";
export const ADMIN_EMAIL = "admin@load.example";

export type Question = "heap" | "ledger" | "runs" | "loop" | "limits" | "forgetTries";

/** The highest use of a limited resource by one transaction. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** Answers of the server about itself; each one also resets its counters. */
export interface Answers {
  readonly heap: {
    readonly heapUsedBytes: number;
    readonly withCacheBytes: number;
    readonly rssBytes: number;
  };
  readonly ledger: { readonly sumCents: string; readonly transfers: number };
  readonly runs: number;
  /** Longest delay of the event loop, in ms. */
  readonly loop: number;
  /** By limit: `documentsRead`, `bytesRead` … */
  readonly limits: Readonly<Record<string, Usage>>;
  /** Number of deleted attempt counters, because folders are reused within a day. */
  readonly forgetTries: number;
}
