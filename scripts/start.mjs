/** `npm start`: installs and builds what is missing, then serves the whole product on one port. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail, parseOptions, portOf } from "./lib/args.mjs";
import { unsafeConfiguration } from "./lib/configuration.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";
import { isSupervisedChild, supervise } from "./lib/supervise.mjs";

const USAGE = `usage: npm start [-- --first-admin EMAIL | --new-keys]

Serves the product at http://HOST:PORT with an embedded backend.

  --first-admin EMAIL  makes the first administrator of an empty deployment, prints a password and a
                       one-time code to sign in with, and ends
  --new-keys           makes new keys for data whose keys are lost for good: everybody signs in again, with
                       new one-time codes, one of which is printed

Environment:
  PORT           port to listen on (3000)
  HOST           address to listen on (127.0.0.1)
  DATA_DIR       where everything is kept, keys included (.data)
  DEMO           1: demonstration data on the first run (default); 0: start empty
  SITE_URL       origin under which people reach the product, behind a proxy
  TRUSTED_PROXY  address of the proxy whose X-Forwarded-* headers are believed, or none
  LOG_FORMAT     text (default), or json: one object a line, with request ids

GET /healthz says whether requests are served; GET /metrics, from this machine only, answers numbers in
Prometheus' format. See also npm run backup, restore, export, import and doctor (each has --help).`;

const commandLine = parseOptions(process.argv.slice(2), USAGE, {
  values: ["first-admin"],
  flags: ["new-keys"],
});
ensurePackages();
process.setSourceMapsEnabled(true);
const builds = await import("./lib/builds.mjs");
const log = (line) => console.log(line);

const demo = process.env.DEMO ?? "1";
if (demo !== "0" && demo !== "1") fail(`DEMO must be 0 or 1, got ${demo}`);
const isDemo = demo === "1";
const dataDir = path.resolve(ROOT, process.env.DATA_DIR ?? ".data");

if (!isDemo) {
  const problems = unsafeConfiguration(process.env, dataDir);
  if (problems.length > 0) fail(`Refusing to start (DEMO=0): ${problems.join("; ")}.`);
}

const hasNewKeys = commandLine["new-keys"] === true;
const isFirstAdmin = commandLine["first-admin"] !== undefined;

if (isSupervisedChild() || isFirstAdmin) await main();
else {
  await build();
  supervise(fileURLToPath(import.meta.url));
}

async function build() {
  await builds.ensureAll().catch((error) => fail(String(error?.message ?? error)));
}

async function main() {
  try {
    if (isFirstAdmin) await build();
    // A supervised child starts what its supervisor has just found built.
    const backend = await builds.importServer();
    const {
      createFirstAdmin,
      printFirstAdmin,
      printWelcome,
      printNewCode,
      productOptions,
      renewCodes,
    } = await import("./lib/product.mjs");
    const options = await productOptions(backend, {
      functions: { bundleDir: builds.FUNCTIONS_DIST },
      staticDir: builds.CLIENT_DIST,
      port: portOf(process.env.PORT ?? "3000", "PORT"),
      host: process.env.HOST ?? "127.0.0.1",
      dataDir,
      isDemo,
      log,
      mayMakeKeys: hasNewKeys,
    });
    let hasPeople = true;
    let admin = null;
    const { beforeServing } = options;
    const server = await backend.serve({
      ...options,
      beforeServing: async (host) => {
        await beforeServing(host);
        const code = hasNewKeys ? await renewCodes(host) : null;
        if (code !== null) printNewCode(code, log);
        hasPeople = (await host.run("dev/seed:isEmpty")) === false;
        const email = commandLine["first-admin"];
        if (email !== undefined) admin = await createFirstAdmin(host, email);
      },
    });
    if (isFirstAdmin) {
      await server.close();
      if (admin === null) fail("Somebody is registered already: administrators make further ones.");
      printFirstAdmin(admin, log);
      process.exit(0);
    }
    backend.superviseProcess(server, log);
    printWelcome({ origin: server.origin, dataDir, isDemo, hasPeople }, log);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
