/**
 * What rows share: prepared data, the peer, fresh servers of ours, and the wrong sums found so far.
 * Each part is made when the first row asks for it.
 */
import { prepareBank, type Bank } from "./bank";
import { startPeer, type Peer } from "./peer";
import { seedFolder, type SeededFolder } from "./people";
import { freePort, ROOT, start, type Program } from "./processes";
import type { Answers, Question, ServerPlan } from "./programs/serverPlan";
import { progress } from "./report";
import type { Pace } from "./rounds";

export const USERS = 10_000;
/** Approved members with a session: senders, recipients and onlookers. */
const SESSIONS = 3_000;
/** Rows of history, where people are not too many to wait for. */
const TRANSACTIONS_EACH = 2;

/** A fresh server of ours on a copy of prepared data. */
export interface OurServer {
  readonly url: string;
  readonly program: Program;
  ask<Asked extends Question>(question: Asked): Promise<Answers[Asked]>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export class World {
  readonly pace: Pace;
  /** Sentences about money that does not add up: the benchmark then fails. */
  readonly wrongSums: string[] = [];
  readonly #peopleMax: number;
  readonly #port: Promise<number>;
  readonly #folders = new Map<number, Promise<SeededFolder>>();
  #peer: Promise<Peer | null> | null = null;
  #bank: Promise<Bank> | null = null;

  /** `peopleMax` makes every prepared folder smaller, for a quick look. */
  constructor(pace: Pace, peopleMax: number) {
    this.pace = pace;
    this.#peopleMax = peopleMax;
    this.#port = freePort();
  }

  /** Prepared data with so many numbered people. */
  folder(users: number = USERS): Promise<SeededFolder> {
    const known = this.#folders.get(users);
    if (known !== undefined) return known;
    const made = this.#seed(Math.min(users, this.#peopleMax));
    this.#folders.set(users, made);
    return made;
  }

  async #seed(users: number): Promise<SeededFolder> {
    const startedAt = performance.now();
    progress(`preparing ${users} people`);
    const sessions = Math.min(SESSIONS, users);
    const transactionsEach = users > USERS ? 0 : TRANSACTIONS_EACH;
    const seed = { users, sessions, transactionsEach };
    const folder = await seedFolder(await this.#port, seed);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    progress("");
    console.log(`prepared ${users} people in ${seconds} s`);
    return folder;
  }

  /** PostgreSQL with the peer's people; null where it is not installed. */
  peer(): Promise<Peer | null> {
    return (this.#peer ??= startPeer(USERS));
  }

  /** The peer's work on the embedded backend, with as many people. */
  bank(): Promise<Bank> {
    return (this.#bank ??= this.#port.then((port) => prepareBank(port, USERS)));
  }

  /** Starts our server on a fresh copy of `folder`, which goes with it. */
  async startOurs(folder: SeededFolder, nodeOptions: string[] = []): Promise<OurServer> {
    const copy = folder.copy();
    const server = await this.startOn(copy.dir, nodeOptions);
    return {
      ...server,
      async stop(signal) {
        await server.stop(signal);
        copy.remove();
      },
    };
  }

  /** Starts our server on a folder. */
  async startOn(dataDir: string, nodeOptions: string[] = [], root = ROOT): Promise<OurServer> {
    const port = await this.#port;
    const plan: ServerPlan = { root, dataDir, port };
    const program = start("ourServer", plan, nodeOptions);
    await program.line("ready");
    return {
      url: `http://127.0.0.1:${port}`,
      program,
      ask: (question) => program.ask(question) as Promise<never>,
      stop: (signal) => program.stop(signal),
    };
  }
}
