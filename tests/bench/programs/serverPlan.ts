/** What the product's server of the benchmark is told, and what it answers about itself. */

export interface SeedPlan {
  /** Numbered members of `dev/seed:large`; two thirds of them are approved. */
  readonly users: number;
  /** As many of the approved ones are signed in, and free of the gate. */
  readonly sessions: number;
  readonly transactionsEach: number;
}

export interface ServerPlan {
  readonly root: string;
  readonly dataDir: string;
  readonly port: number;
  readonly seed?: SeedPlan;
}

/** Somebody with a live session past its second step. */
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

/** The most that one transaction has used of something that is limited. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** Answers of the server about itself; each also starts counting anew. */
export interface Answers {
  readonly heap: {
    readonly heapUsedBytes: number;
    readonly withCacheBytes: number;
    readonly rssBytes: number;
  };
  readonly ledger: { readonly sumCents: string; readonly transfers: number };
  readonly runs: number;
  /** Longest time the event loop stood still, in ms. */
  readonly loop: number;
  /** By what is limited: `documentsRead`, `bytesRead` … */
  readonly limits: Readonly<Record<string, Usage>>;
  /** Tries that had been counted against somebody: folders are used again within a day. */
  readonly forgetTries: number;
}
