/**
 * `npm run dev`: Vite with hot reload, and the embedded backend beside it, restarted whenever a file of
 * convex/ or embedded/ changes.
 */
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail, parseOptions, portOf } from "./lib/args.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const USAGE = `usage: npm run dev

Serves the client with hot reload at http://127.0.0.1:5173 and the backend at http://127.0.0.1:BACKEND_PORT.

Environment:
  BACKEND_PORT  port of the backend (3210)
  DATA_DIR      where everything is kept (.data-dev)
  DEMO          1: demonstration data on the first run (default); 0: start empty`;

const RESTART_AFTER_MS = 80;
const options = parseOptions(process.argv.slice(2), USAGE, { flags: ["backend-only"] });
const port = portOf(process.env.BACKEND_PORT ?? "3210", "BACKEND_PORT");
ensurePackages();

if (options["backend-only"]) await serveBackend();
else supervise();

/** The process that is restarted: bundles the functions as they are now and serves them. */
async function serveBackend() {
  process.setSourceMapsEnabled(true);
  const { loadServer } = await import("./lib/builds.mjs");
  const { productOptions } = await import("./lib/product.mjs");
  const log = (line) => console.log(line);
  const dataDir = path.resolve(ROOT, process.env.DATA_DIR ?? ".data-dev");
  try {
    const backend = await loadServer();
    const product = await productOptions(backend, {
      functions: { functionsDir: path.join(ROOT, "convex") },
      staticDir: null,
      port,
      host: "127.0.0.1",
      dataDir,
      isDemo: (process.env.DEMO ?? "1") === "1",
      log,
    });
    // Vite serves the pages from another port; development shows its errors.
    const server = await backend.serve({ ...product, allowedOrigins: null, isRedacting: false });
    backend.superviseProcess(server, log);
    log(`Backend ready at ${server.origin}`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function supervise() {
  const script = fileURLToPath(import.meta.url);
  let backend = null;
  let timer = null;
  const start = () => {
    backend = spawn(process.execPath, [script, "--backend-only"], { cwd: ROOT, stdio: "inherit" });
  };
  const restart = () => {
    if (backend.exitCode !== null) return start();
    backend.once("exit", start);
    backend.kill("SIGTERM");
  };
  start();
  for (const folder of ["convex", "embedded"]) {
    watch(path.join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(restart, RESTART_AFTER_MS);
    });
  }
  const vite = spawn(
    process.execPath,
    [path.join(ROOT, "node_modules", "vite", "bin", "vite.js")],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, DEV_BACKEND: `http://127.0.0.1:${port}` },
    },
  );
  const stop = () => {
    backend.removeAllListeners("exit");
    backend.kill("SIGTERM");
    vite.kill("SIGTERM");
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  vite.on("exit", stop);
}
