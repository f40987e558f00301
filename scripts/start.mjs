/** `npm start`: installs and builds what is missing, then serves the whole product on one port. */
import path from "node:path";
import { fail, parseOptions, portOf } from "./lib/args.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const USAGE = `usage: npm start

Serves the product at http://HOST:PORT with an embedded backend.

Environment:
  PORT           port to listen on (3000)
  HOST           address to listen on (127.0.0.1)
  DATA_DIR       where everything is kept, keys included (.data)
  DEMO           1: demonstration data on the first run (default); 0: start empty
  SITE_URL       origin under which people reach the product, behind a proxy
  TRUSTED_PROXY  address of the proxy whose X-Forwarded-* headers are believed`;

parseOptions(process.argv.slice(2), USAGE);
ensurePackages();
process.setSourceMapsEnabled(true);
const builds = await import("./lib/builds.mjs");
const { printWelcome, productOptions } = await import("./lib/product.mjs");
const log = (line) => console.log(line);

const demo = process.env.DEMO ?? "1";
if (demo !== "0" && demo !== "1") fail(`DEMO must be 0 or 1, got ${demo}`);
const isDemo = demo === "1";
const dataDir = path.resolve(ROOT, process.env.DATA_DIR ?? ".data");

try {
  await builds.ensureAll();
  const backend = await builds.loadServer();
  const options = await productOptions(backend, {
    functions: { bundleDir: builds.FUNCTIONS_DIST },
    staticDir: builds.CLIENT_DIST,
    port: portOf(process.env.PORT ?? "3000", "PORT"),
    host: process.env.HOST ?? "127.0.0.1",
    dataDir,
    isDemo,
    log,
  });
  const server = await backend.serve(options);
  backend.superviseProcess(server, log);
  printWelcome({ origin: server.origin, dataDir, isDemo }, log);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
