/**
 * `npm run doctor`: checks everything the product stores and needs, changes nothing, and says what to do.
 * Exits with 1 when there is a problem, with 0 when there are at most warnings.
 */
import { connect } from "node:net";
import { countOf, exitPrinted, faultOf, parseOptions, printable } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run doctor [-- --data DIR] [--min-free-mib N] [--json]

Checks the store (every page) and the log, stored files, the ledger, keys and environment, the clock, disk
space, and that one server at most uses the data folder. Changes no data. The server may run; a stopped
one's data is looked at more closely.

  --data DIR        data folder (DATA_DIR, else .data)
  --min-free-mib N  free disk space that is enough (1024)
  --json            print findings as JSON`;

const MIB = 1024 * 1024;
const LEDGER_PAGE = "admin/health:checkLedgerPage";
const PROBLEMS_SHOWN_MAX = 10;
const WOULD_REFUSE = "The next start would refuse with the same message.";
const MARKS = { ok: "ok      ", warning: "WARNING ", problem: "PROBLEM " };

const options = parseOptions(process.argv.slice(2), USAGE, {
  values: ["data", "min-free-mib"],
  flags: ["json"],
});
const minFreeMib = countOf(options["min-free-mib"] ?? "1024", "--min-free-mib");
await ensurePackages();
const { ensureFunctions, loadServer } = await import("./lib/builds.mjs");
const { callOnServer, dataDirOf, messageOf, nextStep, runningServer, UNWRITABLE_NEXT } =
  await import("./lib/operator.mjs");
const { malformedSettings, signingProblems, unsafeConfiguration } =
  await import("./lib/configuration.mjs");
const { KEYS_NEXT, readKeys, refuseForeignKeys, stoppedOptions } =
  await import("./lib/product.mjs");
const backend = await loadServer();
await ensureFunctions();
const dataDir = dataDirOf(options);

const findings = [];
const add = (...found) => {
  for (const finding of found) {
    const { check, status, text } = finding;
    // What the system refused has its next step from there.
    const next = finding.next ?? nextStep("Error", text);
    findings.push({ check, status, text, next });
    if (options.json) continue;
    console.log(printable(`${MARKS[status]}${check.padEnd(12)} ${text}`));
    if (next !== undefined) console.log(`${" ".repeat(21)}-> ${next}`);
  }
};
const problem = (check, text, next) => ({ check, status: "problem", text, next });
/** Findings after which the data must not be opened. */
const isOfData = ({ check, status }) =>
  status === "problem" && ["store", "log", "servers"].includes(check);
const isSound = () => findings.every(({ status }) => status !== "problem");
const conclusion = () => {
  if (!isSound()) return "There are problems: see the lines above.";
  const isWarned = findings.some(({ status }) => status === "warning");
  return isWarned ? "No problems, but warnings: see the lines above." : "No problems.";
};

await examine();
if (options.json) console.log(JSON.stringify(findings, null, 2));
else console.log(`\n${conclusion()}`);
exitPrinted(isSound() ? 0 : 1);

async function examine() {
  add(...backend.inspectFolder(dataDir));
  if (!isSound()) return;
  add(backend.inspectDisk(dataDir, minFreeMib * MIB), ...backend.inspectLeftovers(dataDir));
  add(...backend.inspectServers(dataDir));
  const keys = examineKeys();
  add(...examineEnvironment());
  const server = await findServer();
  if (server === undefined) return;
  add(...(await examinePort(server)));
  add(...(await backend.inspectStore(dataDir)));
  if (server !== null) {
    await examineRunning(server);
  } else if (findings.some(isOfData)) {
    add({
      check: "ledger",
      status: "warning",
      text: "not checked: the data cannot be opened safely",
    });
  } else {
    await examineStopped(keys);
  }
}

/** The server of this folder; null when it is stopped, undefined when it does not respond. */
async function findServer() {
  try {
    return await runningServer(backend, dataDir);
  } catch (error) {
    const next =
      "What a running server's data is like, it tells itself: the rest was not looked at.";
    add(problem("server", error.message, next));
    return undefined;
  }
}

/** The keys a start would use; null when it would refuse them or when they do not match. */
function examineKeys() {
  let keys;
  try {
    keys = readKeys(backend, dataDir);
  } catch (error) {
    const next = error.name === "KeysError" ? KEYS_NEXT : "The next start would refuse this.";
    add(problem("keys", error.message, next));
    return null;
  }
  const problems = [...signingProblems(keys.JWT_PRIVATE_KEY, keys.JWKS)];
  if (problems.length > 0) {
    add(...problems.map((text) => problem("keys", text, KEYS_NEXT)));
    return null;
  }
  add({ check: "keys", status: "ok", text: "all there, signing pair verified" });
  return keys;
}

/** Checks the settings that a start for real people (`DEMO=0`) would refuse, and those that no start accepts. */
function examineEnvironment() {
  const { env } = process;
  const check = "environment";
  const next = "npm start refuses this with DEMO=0.";
  const status = env.DEMO === "0" ? "problem" : "warning";
  const found = [
    ...malformedSettings(env).map((text) => problem(check, text, "No start accepts this.")),
    ...unsafeConfiguration(env, dataDir).map((text) => ({ check, status, text, next })),
  ];
  if (found.length > 0) return found;
  return [{ check, status: "ok", text: `Node ${process.version}, nothing unsafe` }];
}

/** Checks for another program on our port. */
async function examinePort(server) {
  const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
  // In addresses an IPv6 host is in brackets; `connect` needs it without.
  const host = HOST.replace(/^\[(.*)\]$/, "$1");
  const port = Number(PORT);
  const isNone = port === 0 || faultOf("port", PORT, "PORT") !== null;
  if (isNone || (server !== null && server.port === port)) return [];
  const isTaken = await new Promise((resolve) => {
    const socket = connect(port, host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host);
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on("connect", () => end(true)).on("error", () => end(false));
  });
  if (!isTaken) return [];
  const text = `Port ${port} is taken by another server, which does not use ${dataDir}`;
  return [{ check: "port", status: "warning", text, next: "Stop it, or set PORT." }];
}

async function examineRunning(server) {
  const { latestTs, isReadOnly, version } = server.status;
  add(backend.inspectClock(BigInt(latestTs), Date.now()));
  if (isReadOnly !== null) add(problem("server", isReadOnly, "Make room and start it again."));
  else add({ check: "server", status: "ok", text: `version ${version} at ${server.url}` });
  await examineLedger(async (args) => (await callOnServer(server, LEDGER_PAGE, args)).value);
}

/** Opens the stopped data like the next start, without serving it or running due jobs. */
async function examineStopped(keys) {
  if (keys === null) {
    add({
      check: "ledger",
      status: "warning",
      text: "not checked: the keys are not as they should be",
    });
    return;
  }
  let opened;
  // What a start would say while it opens the data: an upgrade may take a while here.
  const onLogLine = (text) => {
    if (opened === undefined) add({ check: "start", status: "ok", text });
  };
  try {
    const stopped = await stoppedOptions(backend, { dataDir, keys });
    opened = await backend.openStopped({ ...stopped, onLogLine });
  } catch (error) {
    add(problem("opening", messageOf(error), WOULD_REFUSE));
    return;
  }
  try {
    const { isReadOnly } = opened.db;
    if (isReadOnly !== null)
      add(problem("opening", isReadOnly, `${WOULD_REFUSE} ${UNWRITABLE_NEXT}`));
    add(backend.inspectClock(opened.db.latestTs, Date.now()));
    await refuseForeignKeys(opened.host).catch((error) =>
      add(problem("keys", error.message, WOULD_REFUSE)),
    );
    add(await backend.inspectFiles(opened.db, dataDir));
    await examineLedger((args) => opened.host.run(LEDGER_PAGE, args));
  } finally {
    await opened.backend.close();
  }
}

async function examineLedger(page) {
  const next =
    "Stop the server and keep this state (npm run backup). Find the newest sound backup: npm run restore -- " +
    "--from BACKUP --data ELSEWHERE, then npm run doctor -- --data ELSEWHERE. What differs since shows the fault.";
  try {
    const problems = [];
    const counts = new Map();
    let position;
    do {
      const read = await page(position === undefined ? {} : { position });
      problems.push(...read.problems);
      counts.set(read.table, (counts.get(read.table) ?? 0) + read.count);
      position = read.next;
    } while (position !== null);
    if (problems.length > 0) {
      const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).join("; ");
      add(problem("ledger", `contradictions, ${problems.length} in all: ${shown}`, next));
      return;
    }
    const text = ["accounts", "journals", "postings"]
      .map((table) => `${counts.get(table) ?? 0} ${table}`)
      .join(", ");
    add({ check: "ledger", status: "ok", text: `balanced: ${text}` });
  } catch (error) {
    add(problem("ledger", messageOf(error), `Do this again. If it says the same: ${next}`));
  }
}
