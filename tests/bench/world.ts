/**
 * Shared by all rows: prepared data, the peer, fresh servers of ours, and the wrong sums found so far. Each
 * part is created when it is first needed.
 */
import path from "node:path";
import { prepareBank, type Bank } from "./bank";
import { startPeer, type Peer } from "./peer";
import { seedFolder, type SeededFolder, type Served } from "./people";
import { freePort } from "../support/freePort";
import { ROOT, startServer, type Program } from "./processes";
import type { Answers, Question, ServerPlan } from "./programs/serverPlan";
import { progress } from "./report";
import type { Pace } from "./rounds";

export const USERS = 10_000;
/** Numbers of people between which some costs must not differ. */
export const FEW = 1_000;
export const MANY = 100_000;
/** Approved members with a session: senders, recipients and onlookers. */
const SESSIONS = 3_000;
/** Rows of history of each member where nothing depends on them. */
const FEW_TRANSACTIONS = 2;
/** As in `npm run seed:large`: ten per person, all of them for the approved two thirds. */
const MANY_TRANSACTIONS = 15;

/** A fresh server of ours on a copy of prepared data. */
export interface OurServer {
  readonly url: string;
  readonly program: Program;
  ask<Asked extends Question>(question: Asked): Promise<Answers[Asked]>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export class World {
  readonly pace: Pace;
  /** Messages about money that does not add up; the benchmark then fails. */
  readonly wrongSums: string[] = [];
  readonly #peopleMax: number;
  readonly #keptDir: string | null;
  readonly #folders = new Map<number, Promise<SeededFolder>>();
  #peer: Promise<Peer | null> | null = null;
  #bank: Promise<Bank> | null = null;

  /**
   * @param peopleMax limits the size of every prepared folder, for a quick run
   * @param keptDir where prepared folders are kept for the next run, by number of people; null for nowhere
   */
  constructor(pace: Pace, peopleMax: number, keptDir: string | null) {
    this.pace = pace;
    this.#peopleMax = peopleMax;
    this.#keptDir = keptDir;
  }

  /** The number of people, limited in a quick run. */
  atMost(users: number): number {
    return Math.min(users, this.#peopleMax);
  }

  /** Prepared data with this many numbered people. */
  folder(users: number = USERS): Promise<SeededFolder> {
    const known = this.#folders.get(users);
    if (known !== undefined) return known;
    const made = this.#seed(
      this.atMost(users),
      users === USERS ? FEW_TRANSACTIONS : MANY_TRANSACTIONS,
    );
    this.#folders.set(users, made);
    return made;
  }

  async #seed(users: number, transactionsEach: number): Promise<SeededFolder> {
    const startedAt = performance.now();
    progress(`preparing ${users} people`);
    const sessions = Math.min(SESSIONS, users);
    const name = transactionsEach === MANY_TRANSACTIONS ? `${users}` : `${users}-short`;
    const kept = this.#keptDir === null ? null : path.join(this.#keptDir, name);
    const seed = { users, sessions, transactionsEach };
    const folder = await seedFolder(await freePort(), seed, kept);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    progress("");
    console.log(`prepared ${users} people in ${seconds} s`);
    return folder;
  }

  /** PostgreSQL with the peer's people; null where it is not installed. */
  peer(): Promise<Peer | null> {
    return (this.#peer ??= startPeer(USERS));
  }

  /** The peer's work on the embedded backend, with the same number of people. */
  bank(): Promise<Bank> {
    return (this.#bank ??= freePort().then((port) => prepareBank(port, USERS)));
  }

  /** Starts our server on a fresh copy of `folder`, which is removed with it. */
  async startOurs(folder: SeededFolder, nodeOptions: string[] = []): Promise<OurServer> {
    const copy = folder.copy();
    const server = await this.startOn(copy, nodeOptions);
    return {
      ...server,
      async stop(signal) {
        await server.stop(signal);
        copy.remove();
      },
    };
  }

  /** Starts our server on the folder itself. */
  async startOn({ dir, port }: Served, nodeOptions: string[] = []): Promise<OurServer> {
    const plan: ServerPlan = { root: ROOT, dataDir: dir, port };
    const program = startServer("ourServer", plan, nodeOptions);
    await program.line("ready");
    return {
      url: `http://127.0.0.1:${port}`,
      program,
      ask: (question) => program.ask(question) as Promise<never>,
      stop: (signal) => program.stop(signal),
    };
  }
}
