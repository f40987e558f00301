/** `npm run embedded`: the embedded backend alone, on any functions folder. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { countOf, fail, hostOf, misuse, parseOptions, portOf, statsOf } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";
import { failureText } from "./lib/operator.mjs";
import { becomeSupervisedChild, supervise } from "./lib/supervise.mjs";

const USAGE = `usage: npm run embedded -- --functions DIR --data DIR --port P [options]

Serves it as a Convex deployment: point ConvexReactClient, ConvexHttpClient or the official CLI
(npx convex run, data, env, export with --url and --admin-key) at http://HOST:P. The package convex and
generated code are the folder's own, or this product's when its project has none; to make it without a
deployment, for an editor or a client:

  npx convex codegen --system-udfs --typecheck disable --url http://127.0.0.1:1 --admin-key x

Start it again after changing a function. Ctrl-C stops it.

  --functions DIR      the convex/ folder to run
  --data DIR           where everything is kept (made when missing)
  --port P             API, WebSocket and HTTP actions
  --site-port Q        HTTP actions on a port of their own as well
  --host H             address to listen on (127.0.0.1)
  --admin-key K        key for the official CLI (default: a random one, printed)
  --function-env FILE  KEY=value lines for the functions' environment, below what convex env sets and lists
  --watchdog-ms N      restart when a function blocks everybody for so long (5000)
  --redact             hide error messages and log lines from clients (default)
  --no-redact          show them, as in development

Environment:
  LOG_FORMAT         text (default), or json: one object a line, with request ids`;

const options = parseOptions(process.argv.slice(2), USAGE, {
  values: [
    "functions",
    "data",
    "port",
    "site-port",
    "host",
    "admin-key",
    "function-env",
    "watchdog-ms",
  ],
  flags: ["redact", "no-redact"],
});
for (const name of ["functions", "data", "port"]) {
  if (options[name] === undefined) misuse(`Option --${name} is missing\n${USAGE}`);
}
if (!statsOf(options.functions)?.isDirectory()) {
  fail(`Functions folder not found: ${options.functions}`);
}
const host = hostOf(options.host ?? "127.0.0.1", "--host");
const port = portOf(options.port, "--port");
const sitePort =
  options["site-port"] === undefined ? null : portOf(options["site-port"], "--site-port");
if (sitePort === port && port !== 0) {
  fail(`--site-port must not be --port, ${port}: leave it out.`);
}
const watchdogMs = countOf(options["watchdog-ms"] ?? "5000", "--watchdog-ms");
// Not named --env-file, which Node would take for itself in any position.
const envFile = options["function-env"];
if (envFile !== undefined && !statsOf(envFile)?.isFile()) {
  fail(`There is no file ${path.resolve(envFile)}: name another one.`);
}

await ensurePackages();
const dataDir = path.resolve(options.data);
if (!becomeSupervisedChild()) supervise(fileURLToPath(import.meta.url), dataDir);
else await main();

async function main() {
  process.setSourceMapsEnabled(true);
  const { logFormat } = await import("./lib/product.mjs");
  const { loadServer } = await import("./lib/builds.mjs");
  const { loadSecrets, newLogger, serve, superviseProcess } = await loadServer();
  const MIB = 1024 * 1024;

  try {
    const { JWT_PRIVATE_KEY, JWKS, ...keys } = await loadSecrets(dataDir, ["UPLOAD_TOKEN_KEY"]);
    const logger = newLogger(logFormat(), (line) => console.log(line));
    const adminKey = options["admin-key"] ?? `embedded|${randomBytes(24).toString("hex")}`;
    const serving = serve({
      functions: { functionsDir: path.resolve(options.functions) },
      dataDir,
      host,
      port,
      sitePort,
      publicOrigin: null,
      allowedOrigins: null,
      trustedProxy: null,
      adminKey,
      uploadTokenKey: keys.UPLOAD_TOKEN_KEY,
      env: () => ({
        JWT_PRIVATE_KEY,
        JWKS,
        ...(envFile === undefined ? {} : parseEnv(readFileSync(envFile, "utf8"))),
      }),
      isRedacting: options["no-redact"] !== true,
      staticDir: null,
      frameOrigins: [],
      messageMaxBytes: 20 * MIB,
      uploadMaxBytes: 1024 * MIB,
      connectionsMax: 20_000,
      version: "embedded",
      watchdogMs,
      onLogLine: (line, requestId) => logger.line(line, requestId),
      onCall: (record) => logger.call(record),
    });
    const { line } = logger;
    superviseProcess(serving, line);
    const server = await serving;
    line(`Serving ${options.functions} at ${server.origin}`);
    if (server.sitePort !== null) {
      const { protocol, hostname } = new URL(server.origin);
      line(`HTTP actions also at ${protocol}//${hostname}:${server.sitePort}`);
    }
    if (options["admin-key"] === undefined) line(`Admin key: ${adminKey}`);
  } catch (error) {
    fail(failureText(error));
  }
}
