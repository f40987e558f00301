/**
 * `npm run dev`: Vite with hot reload and the embedded backend, which restarts whenever a file of convex/ or
 * embedded/ changes.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  complain,
  fail,
  folderOf,
  parseOptions,
  portOf,
  settingOf,
  switchOf,
} from "./lib/args.mjs";
import { CLIENT_SETTINGS, malformedSettings } from "./lib/configuration.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";
import { dataDirHere, failureText } from "./lib/operator.mjs";
import { STOP_SIGNALS } from "./lib/signals.mjs";
import { crashText, becomeSupervisedChild, spawnSupervised } from "./lib/supervise.mjs";
import { watchFolders } from "./lib/watchFolders.mjs";

const USAGE = `usage: npm run dev

Serves the client with hot reload at http://127.0.0.1:PORT and the backend at http://127.0.0.1:BACKEND_PORT.

Environment:
  PORT          port of the pages (5173)
  BACKEND_PORT  port of the backend (3210)
  DATA_DIR      where everything is kept (.data-dev)
  DEMO          1: demonstration data on the first run (default); 0: start empty`;

/** How a backend ends that cannot have its port: no change of the functions would help. */
const NO_PORT = 3;

parseOptions(process.argv.slice(2), USAGE);
const pagesPort = portOf(settingOf("PORT", "5173"), "PORT");
const port = portOf(settingOf("BACKEND_PORT", "3210"), "BACKEND_PORT");
if (port === pagesPort) fail(`PORT and BACKEND_PORT must differ, both are ${port}.`);
const isDemo = switchOf(settingOf("DEMO", "1"), "DEMO");
const dataDir = folderOf(dataDirHere(".data-dev"), "DATA_DIR");
const malformed = malformedSettings(process.env, CLIENT_SETTINGS);
if (malformed.length > 0) fail(malformed.join("\n"));
await ensurePackages();

if (becomeSupervisedChild()) await serveBackend();
else supervise();

/** Runs in the process that is restarted: bundles and serves the current functions. */
async function serveBackend() {
  process.setSourceMapsEnabled(true);
  const { loadServer } = await import("./lib/builds.mjs");
  const { productOptions } = await import("./lib/product.mjs");
  const log = (line) => console.log(line);
  try {
    const backend = await loadServer();
    const product = await productOptions(backend, {
      functions: { functionsDir: path.join(ROOT, "convex") },
      staticDir: null,
      port,
      host: "127.0.0.1",
      dataDir,
      isDemo,
      log,
    });
    // Vite serves the pages from another port; development shows its errors.
    const serving = backend.serve({ ...product, allowedOrigins: null, isRedacting: false });
    backend.superviseProcess(serving, log);
    const server = await serving;
    log(`Backend ready at ${server.origin}`);
  } catch (error) {
    if (error.cause?.syscall !== "listen") fail(failureText(error));
    complain(`${error.message}\nSet BACKEND_PORT to another one.`);
    process.exit(NO_PORT);
  }
}

/**
 * Keeps one backend running with the current functions, unless it has no port. `restart` may be called at any time;
 * `stop` resolves when the backend has ended.
 */
function superviseBackend(onNoPort) {
  const script = fileURLToPath(import.meta.url);
  let child = null;
  let isStartDue = false;
  let onStopped = null;
  const start = () => {
    isStartDue = false;
    child = spawnSupervised(script);
    child.once("exit", (code, signal) => {
      child = null;
      if (onStopped !== null) onStopped();
      else if (code === NO_PORT) onNoPort();
      // Restarts after a watchdog kill or a requested restart. A backend that ended by itself is started
      // again after the next change.
      else if (isStartDue || signal === "SIGKILL") start();
      else {
        const crash = crashText(signal, dataDir);
        if (crash !== null) complain(crash);
      }
    });
  };
  start();
  return {
    restart() {
      if (child === null) start();
      else if (!isStartDue) {
        isStartDue = true;
        child.kill("SIGTERM");
      }
    },
    stop: () =>
      new Promise((resolve) => {
        onStopped = resolve;
        if (child === null) resolve();
        else child.kill("SIGTERM");
      }),
  };
}

function supervise() {
  // Before there is a process that a signal has to end.
  for (const signal of STOP_SIGNALS) process.on(signal, () => void stop(0));
  const backend = superviseBackend(() => void stop(1));
  const sources = ["convex", "embedded"].map((folder) => path.join(ROOT, folder));
  const stopWatching = watchFolders(sources, () => backend.restart());
  const viteScript = path.join(ROOT, "node_modules", "vite", "bin", "vite.js");
  const vite = spawn(process.execPath, [viteScript, "--port", String(pagesPort), "--strictPort"], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, DEV_BACKEND: `http://127.0.0.1:${port}` },
  });
  const viteEnded = new Promise((resolve) => vite.once("exit", resolve));
  let isStopping = false;
  const stop = async (code) => {
    if (isStopping) return;
    isStopping = true;
    stopWatching();
    vite.kill("SIGTERM");
    await Promise.all([backend.stop(), viteEnded]);
    process.exit(code);
  };
  void viteEnded.then((code) => stop(code ?? 1));
}
