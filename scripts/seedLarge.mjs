/**
 * `npm run seed:large`: creates many people with history, for load tests and measurements. Calls
 * `dev/seed:large` in slices, on a running server or its own. Existing people are counted and left alone, so
 * that an interrupted run continues where it ended.
 */
import { amountOf, originOf, parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";
import { dataDirHere, runCommand } from "./lib/operator.mjs";
import { STOP_SIGNALS } from "./lib/signals.mjs";

const USAGE = `usage: npm run seed:large -- [options]

Adds people load0@load.example, load1@load.example, ... (four of six approved, one pending, one
rejected) with transactions of the approved ones. Stopped runs continue where they ended.

  --users N          people there shall be (100000)
  --transactions N   transactions of all of them together, rounded up to the same for each (1000000)
  --url URL          a server that is running; without it one is started on DATA_DIR for the time
  --admin-key K      the running server's key (default: the one kept in DATA_DIR)

Environment: DATA_DIR (.data), DEMO and the others of npm start.`;

const USERS = 100_000;
const TRANSACTIONS = 1_000_000;
/** People per call: a call hashes one password and stays far below an action's ten minutes. */
const SLICE = 2_000;
/** Bytes of commits that may be unapplied before the next slice. */
const UNAPPLIED_BYTES_MAX = 32 * 1024 * 1024;
/** Of every six people, this many are approved and have transactions. */
const APPROVED_OF_SIX = 4;

const options = parseOptions(process.argv.slice(2), USAGE, {
  values: ["users", "transactions", "url", "admin-key"],
});
const users = amountOf(options.users ?? USERS, "--users");
const transactions = amountOf(options.transactions ?? TRANSACTIONS, "--transactions");
const transactionsEach = Math.ceil(transactions / Math.max(1, (users * APPROVED_OF_SIX) / 6));
const given = options.url === undefined ? null : originOf(options.url, "--url");
const dataDir = dataDirHere();

await ensurePackages();
const { loadServer } = await import("./lib/builds.mjs");
const backend = await loadServer();
let isStopping = false;
await runCommand(async () => {
  const server = given === null ? await ownServer() : null;
  // The slice under way is finished, and our own server closed in order; a second signal ends both at once.
  for (const signal of STOP_SIGNALS) process.once(signal, () => (isStopping = true));
  try {
    await seed(given ?? server.origin, adminKey(), server);
  } finally {
    await server?.close();
  }
});
process.exit(isStopping ? 1 : 0);

function adminKey() {
  if (options["admin-key"] !== undefined) return options["admin-key"];
  if (process.env.ADMIN_KEY !== undefined) return process.env.ADMIN_KEY;
  try {
    return backend.readSecrets(dataDir, ["ADMIN_KEY"]).ADMIN_KEY;
  } catch (error) {
    throw new Error(`${error.message}. Give the server's key: --admin-key.`, { cause: error });
  }
}

async function ownServer() {
  const { ensureFunctions, FUNCTIONS_DIST } = await import("./lib/builds.mjs");
  const { productOptions } = await import("./lib/product.mjs");
  await ensureFunctions();
  try {
    return await backend.serve({
      ...(await productOptions(backend, {
        functions: { bundleDir: FUNCTIONS_DIST },
        staticDir: null,
        port: 0,
        host: "127.0.0.1",
        dataDir,
        isDemo: process.env.DEMO !== "0",
        log: (line) => console.log(line),
      })),
      // No one else uses this server, and no supervisor would restart it.
      watchdogMs: null,
    });
  } catch (error) {
    if (error.name !== "FolderInUseError") throw error;
    const next = `If a server runs on ${dataDir}, give its --url.`;
    throw new Error(`${error.message}\n${next}`, { cause: error });
  }
}

async function seed(url, key, server) {
  const { ConvexHttpClient } = await import("convex/browser");
  const client = new ConvexHttpClient(url, { logger: false });
  client.setAdminAuth(key);
  const first = await client.query("dev/seed:loadedCount", {}).catch((error) => {
    throw new Error(`${url} did not answer with this key: ${error.message}`, { cause: error });
  });
  if (first > 0) console.log(`${first} people are there already.`);
  const startedMs = Date.now();
  for (let done = first; done < users; done += SLICE) {
    if (isStopping) {
      console.log(`Stopped with ${done} of ${users} people: the same command continues.`);
      return;
    }
    const count = Math.min(SLICE, users - done);
    await client.action("dev/seed:large", { firstNumber: done, users: count, transactionsEach });
    // Commits that are not applied to the store yet are held in memory.
    await server?.backend.db.follower.caughtUp(UNAPPLIED_BYTES_MAX);
    const seconds = (Date.now() - startedMs) / 1000;
    const perSecond = (done + count - first) / seconds;
    const leftSeconds = (users - done - count) / perSecond;
    console.log(
      `${done + count} of ${users} people, ${transactionsEach} transactions for each approved one; ` +
        `${seconds.toFixed(0)} s, about ${leftSeconds.toFixed(0)} s to go`,
    );
  }
  console.log(`${Math.max(first, users)} people are there.`);
}
