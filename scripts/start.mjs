/** `npm start`: installs and builds what is missing, then serves the whole product on one port. */
import { fileURLToPath } from "node:url";
import { exitPrinted, fail, folderOf, misuse, parseOptions, settingOf } from "./lib/args.mjs";
import { malformedSettings, unsafeConfiguration } from "./lib/configuration.mjs";
import { printFirstAdmin, printWelcome } from "./lib/greeting.mjs";
import { ensurePackages } from "./lib/install.mjs";
import { dataDirHere, failureText } from "./lib/operator.mjs";
import { becomeSupervisedChild, supervise } from "./lib/supervise.mjs";

const USAGE = `usage: npm start [-- --first-admin EMAIL | --new-keys]

Serves the product at http://HOST:PORT with an embedded backend.

  --first-admin EMAIL  makes the first administrator of an empty deployment (as with DEMO=0), prints a
                       password and a one-time code to sign in with, and ends
  --new-keys           makes new keys for data whose keys are lost for good: everybody signs in again, with
                       new one-time codes, one of which is printed

Environment:
  PORT           port to listen on (3000)
  HOST           address to listen on (127.0.0.1)
  DATA_DIR       where everything is kept, keys included (.data)
  DEMO           1: demonstration data on the first run (default); 0: start empty
  SITE_URL       origin under which people reach the product, behind a proxy
  TRUSTED_PROXY  address of the proxy whose X-Forwarded-* headers are believed, or none
  CONNECTIONS_PER_ADDRESS
                 live connections of one address, or of one IPv6 network of 64 bits (1000; those of this machine
                 are not counted, nor any with TRUSTED_PROXY=none)
  LOG_FORMAT     text (default), or json: one object a line, with request ids
  MAIL_API_URL, MAIL_API_KEY
                 HTTPS address and key of the mail provider; without them e-mails wait in the outbox
  PROTECTED_ACCOUNT_EMAIL
                 e-mail of the one account without a transfer limit (nobody's)

GET /healthz says whether requests are served; GET /metrics, from this machine only, answers numbers in
Prometheus' format. See also npm run backup, restore, export, import and doctor (each has --help).`;

/** The next step when listening fails, by the system's error code. */
const HOST_NEXT = "Set HOST to an address of this machine, or leave it out for 127.0.0.1.";
const LISTEN_NEXT = {
  EADDRINUSE: "Stop that, or set PORT to another one.",
  EADDRNOTAVAIL: HOST_NEXT,
  ENOTFOUND: HOST_NEXT,
  EACCES: "Set PORT to 1024 or more, behind a proxy.",
};

const commandLine = parseOptions(process.argv.slice(2), USAGE, {
  values: ["first-admin"],
  flags: ["new-keys"],
});
await ensurePackages();
process.setSourceMapsEnabled(true);
const builds = await import("./lib/builds.mjs");
const log = (line) => console.log(line);

const firstAdminEmail = commandLine["first-admin"];
const hasNewKeys = commandLine["new-keys"] === true;
if (firstAdminEmail !== undefined && hasNewKeys) {
  misuse(`--first-admin and --new-keys exclude each other\n${USAGE}`);
}
// With a real administrator, the demonstration's people are not created.
const isDemo = settingOf("DEMO", "1") === "1" && firstAdminEmail === undefined;
const dataDir = folderOf(dataDirHere(), "DATA_DIR");
const host = settingOf("HOST", "127.0.0.1");
const port = Number(settingOf("PORT", "3000"));

const malformed = malformedSettings(process.env);
if (malformed.length > 0) failWith(malformed.join("\n"));
if (!isDemo) {
  const problems = unsafeConfiguration(process.env, dataDir);
  if (problems.length > 0) failWith(`Refusing to start (DEMO=0): ${problems.join("; ")}.`);
}

function failWith(error) {
  fail(failureText(error));
}

if (firstAdminEmail !== undefined) await makeFirstAdmin().catch(failWith);
else if (becomeSupervisedChild()) await serve().catch(failWith);
else {
  await builds.ensureAll().catch(failWith);
  supervise(fileURLToPath(import.meta.url), dataDir);
}

async function optionsOf(product, backend) {
  return product.productOptions(backend, {
    functions: { bundleDir: builds.FUNCTIONS_DIST },
    staticDir: builds.CLIENT_DIST,
    port,
    host,
    dataDir,
    isDemo,
    log,
    mayMakeKeys: hasNewKeys,
  });
}

async function makeFirstAdmin() {
  const backend = await builds.loadServer();
  await builds.ensureFunctions();
  const product = await import("./lib/product.mjs");
  const opened = await backend.openStopped(await optionsOf(product, backend));
  const admin = await product
    .createFirstAdmin(opened.host, firstAdminEmail)
    .finally(() => opened.backend.close());
  printFirstAdmin(admin, log);
  exitPrinted(0);
}

/** The supervised child serves what its supervisor has just built or found up to date. */
async function serve() {
  const backend = await builds.importServer();
  const product = await import("./lib/product.mjs");
  const options = await optionsOf(product, backend);
  let hasPeople = true;
  let newCode = null;
  let demoCodes = [];
  const serving = backend.serve({
    ...options,
    beforeServing: async (host) => {
      await options.beforeServing(host);
      if (hasNewKeys) newCode = await product.renewCodes(host);
      if (isDemo) demoCodes = await host.run("dev/seed:demoCodes");
      hasPeople = (await host.run("dev/seed:isEmpty")) === false;
    },
  });
  const { line } = backend.newLogger(product.logFormat(), log);
  backend.superviseProcess(serving, line);
  const server = await serving.catch((error) => {
    const { code, syscall } = error.cause ?? {};
    const next = ["listen", "getaddrinfo"].includes(syscall) ? LISTEN_NEXT[code] : undefined;
    throw next === undefined ? error : new Error(`${error.message}\n${next}`, { cause: error });
  });
  const { origin } = server;
  printWelcome({ origin, dataDir, isDemo, hasPeople, demoCodes, newCode }, line);
}
