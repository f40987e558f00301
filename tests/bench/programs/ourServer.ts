/**
 * The product's server as `npm start` runs it, in a process of the benchmark: on a given folder and port. It
 * answers its parent's questions about itself, and ends with its parent.
 *
 * With `seed` it fills an empty folder with people who are signed in, and ends.
 * Arguments: a JSON plan. Prints `ready PORT`.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import type * as Backend from "../../../embedded/main";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import type { DocumentValue, Metric, Transaction } from "../../../embedded/db/types";
import { readPlan } from "./plan";
import {
  ADMIN_EMAIL,
  PEOPLE_FILE,
  type Answers,
  type Question,
  type SeededPeople,
  type SeededPerson,
  type SeedPlan,
  type ServerPlan,
  type Usage,
} from "./serverPlan";

type BackendModule = typeof Backend;

const SESSION_LIFE_MS = 24 * 3_600_000;
const PER_COMMIT = 500;
/** Number of people created before waiting for the store, and the commits it may then be behind. */
const PEOPLE_AT_ONCE = 2_000;
const UNAPPLIED_BYTES_MAX = 32 * 1024 * 1024;
/** The e-mail addresses of `dev/seed:large`. */
const MEMBER_PREFIX = "load";
const LOOP_RESOLUTION_MS = 1;

const plan = readPlan<ServerPlan>();
const fromRoot = (...parts: string[]): string => path.join(plan.root, ...parts);
const backendModule = (await import(
  pathToFileURL(fromRoot("dist", "server", "main.js")).href
)) as BackendModule;
const product = (await import(pathToFileURL(fromRoot("scripts", "lib", "product.mjs")).href)) as {
  productOptions(backend: BackendModule, what: object): Promise<Backend.ServeOptions>;
};

const options = await product.productOptions(backendModule, {
  functions: { bundleDir: fromRoot("dist", "functions") },
  staticDir: fromRoot("dist", "client"),
  port: plan.port,
  host: "127.0.0.1",
  dataDir: plan.dataDir,
  isDemo: true,
  log: (line: string) => {
    if (line.startsWith("Unhandled")) console.error(line);
  },
});
const serving = backendModule.serve({
  ...options,
  // The benchmark has its own people instead of the demo data set.
  beforeServing: async () => undefined,
});
backendModule.superviseProcess(serving, (line) => console.error(line));
const server = await serving;
process.on("disconnect", () => process.exit(0));

if (plan.seed !== undefined) {
  await seed(server, plan.seed);
  await server.close();
  console.log("seeded");
  process.exit(0);
}

/** Documents of a table, decoded, oldest first; all of them, or until `isEnough` with the last one. */
function documents(
  tableName: string,
  isEnough: (doc: DocumentValue) => boolean = () => false,
): DocumentValue[] {
  const tx = server.backend.db.beginQuery();
  try {
    const source = { type: "FullTableScan", tableName, order: "asc" } as const;
    const stream = tx.openStream({ source, operators: [] });
    const found: DocumentValue[] = [];
    for (let doc = stream.next(); doc !== null; doc = stream.next()) {
      const value = doc.value();
      found.push(value);
      if (isEnough(value)) break;
    }
    return found;
  } finally {
    tx.close();
  }
}

async function seed(running: Backend.RunningServer, wanted: SeedPlan): Promise<void> {
  const { runtime } = running.backend;
  const db = running.backend.db as EmbeddedDatabase;
  const run = async (name: string, args: Record<string, string | number>): Promise<string> => {
    const outcome = await runtime.runInternal(`dev/seed:${name}`, args);
    if ("failure" in outcome) throw new Error(`dev/seed:${name}: ${outcome.failure.text}`);
    return outcome.json;
  };
  await run("firstAdmin", { email: ADMIN_EMAIL });
  const { users: count, transactionsEach } = wanted;
  for (let done = Number(await run("loadedCount", {})); done < count; done += PEOPLE_AT_ONCE) {
    const users = Math.min(PEOPLE_AT_ONCE, count - done);
    await run("large", { firstNumber: done, users, transactionsEach });
    await db.follower.caughtUp(UNAPPLIED_BYTES_MAX);
  }
  let approvedCount = 0;
  const isMember = ({ email, status }: DocumentValue): boolean =>
    status === "approved" && (email as string).startsWith(MEMBER_PREFIX);
  const people = documents("users", (person) => {
    if (isMember(person)) approvedCount += 1;
    return approvedCount === wanted.sessions;
  });
  const admin = people.find((person) => person.role === "admin");
  if (admin === undefined) throw new Error("no administrator was made");
  const chosen = [admin, ...people.filter(isMember)];
  const [signedInAdmin, ...members] = await openSessions(db, chosen, admin._id as string);
  if (signedInAdmin === undefined) throw new Error("nobody is signed in");
  const seeded: SeededPeople = { admin: signedInAdmin, members };
  writeFileSync(path.join(plan.dataDir, PEOPLE_FILE), JSON.stringify(seeded));
}

/** Creates sessions like sign-in and code would, without the password hashing. */
async function openSessions(
  db: Backend.RunningServer["backend"]["db"],
  people: readonly DocumentValue[],
  adminId: string,
): Promise<SeededPerson[]> {
  const nowMs = Date.now();
  const opened: SeededPerson[] = [];
  for (let from = 0; from < people.length; from += PER_COMMIT) {
    const tx = db.beginMutation(nowMs);
    for (const person of people.slice(from, from + PER_COMMIT)) {
      const userId = person._id as string;
      const authSession = tx.insertValue("authSessions", {
        userId,
        expirationTime: nowMs + SESSION_LIFE_MS,
      });
      const handle = authSession;
      tx.insertValue("sessionFactors", { authSession, userId, handle, passedAt: nowMs });
      const isAdmin = userId === adminId;
      tx.insertValue("sessionActivity", { authSession, isAdmin, lastActiveAt: nowMs });
      tx.patchValue(userId, { isProtected: true });
      opened.push({ email: person.email as string, userId, sessionId: authSession });
    }
    await db.commit(tx).durable;
  }
  return opened;
}

let runs = 0;
const { runtime } = server.backend;
const executeClientQuery = runtime.executeClientQuery.bind(runtime);
runtime.executeClientQuery = (...call) => {
  runs += 1;
  return executeClientQuery(...call);
};

let usage: Record<string, Usage> = {};
/** Records the resources that a transaction used when it ends. */
function watched<Watched extends Transaction>(tx: Watched): Watched {
  const close = tx.close.bind(tx);
  tx.close = () => {
    for (const [name, { used, remaining }] of Object.entries<Metric>({ ...tx.metrics })) {
      if (used >= (usage[name]?.used ?? 0)) usage[name] = { used, limit: used + remaining };
    }
    close();
  };
  return tx;
}
let isWatching = false;
/** Started by the first question, because it slows down every transaction a little. */
function watchTransactions(): void {
  if (isWatching) return;
  isWatching = true;
  const { db } = server.backend;
  const beginQuery = db.beginQuery.bind(db);
  const beginMutation = db.beginMutation.bind(db);
  db.beginQuery = () => watched(beginQuery());
  db.beginMutation = (nowMs) => watched(beginMutation(nowMs));
}
/** Wakes the event loop every millisecond, so it starts with the first question to keep idle servers idle. */
const loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

function heapAfterGc(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const ANSWERS: { readonly [Name in Question]: () => Answers[Name] } = {
  heap: () => {
    const withCacheBytes = heapAfterGc();
    const { rss: rssBytes } = process.memoryUsage();
    (server.backend.db as EmbeddedDatabase).emptyCache();
    return { heapUsedBytes: heapAfterGc(), withCacheBytes, rssBytes };
  },
  ledger: () => {
    let sumCents = 0n;
    for (const account of documents("accounts")) sumCents += account.balanceCents as bigint;
    const tx = server.backend.db.beginQuery();
    try {
      return { sumCents: String(sumCents), transfers: tx.count("transfers") };
    } finally {
      tx.close();
    }
  },
  runs: () => {
    const counted = runs;
    runs = 0;
    return counted;
  },
  loop: () => {
    const longestMs = loopDelay.enable() ? 0 : loopDelay.max / 1e6 - LOOP_RESOLUTION_MS;
    loopDelay.reset();
    return longestMs;
  },
  limits: () => {
    watchTransactions();
    const found = usage;
    usage = {};
    return found;
  },
  forgetTries: () => {
    const tries = documents("rateBuckets");
    const tx = server.backend.db.beginMutation(Date.now());
    for (const { _id } of tries) tx.remove(_id as string);
    server.backend.db.commit(tx);
    return tries.length;
  },
};
process.on("message", (question: Question) => {
  process.send?.({ question, answer: ANSWERS[question]() });
});
console.log(`ready ${server.port}`);
