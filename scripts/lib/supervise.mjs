/**
 * Runs a script as a child process and restarts it when it was killed or crashed; it kills itself when only a
 * new process can continue. Any other exit ends both: signals are forwarded to the child, its exit code
 * becomes ours, and it does not outlive us.
 */
import { spawn } from "node:child_process";
import os from "node:os";
import { complain } from "./args.mjs";
import { STOP_SIGNALS } from "./signals.mjs";

const CHILD_MARK = "SUPERVISED_CHILD";
const RESTART_AFTER_MS = 200;
/** V8 without memory and native code end a process like this. */
const CRASHES = ["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP"];
/** A process that crashes again so soon would do so for ever. */
const CRASH_REPEATED_MS = 60_000;
/** Node's default number of V8 threads. */
const V8_THREADS_MAX = 4;

/**
 * Node's options for a serving process: V8's threads for garbage collection and compilation leave one core to
 * the event loop.
 */
export const SERVER_NODE_OPTIONS = [
  `--v8-pool-size=${Math.min(V8_THREADS_MAX, Math.max(1, os.availableParallelism() - 1))}`,
];

/**
 * Sizes of memory that were meant for the server (`node --max-old-space-size=... scripts/start.mjs`). Other options stay
 * here: a debugger's port, and `-e`, by which the child would be another supervisor.
 */
const memoryOptions = () =>
  process.execArgv.filter((option) => /^--(max|min)[-_][-_a-z]+[-_]size=/.test(option));

/** A server goes on without readers of its output, and without room for it. */
function ignoreOutputErrors() {
  for (const output of [process.stdout, process.stderr]) {
    output.removeAllListeners("error").on("error", () => undefined);
  }
}

/** True in the child process, which from then on ends at once when its supervisor is gone. */
export function becomeSupervisedChild() {
  if (process.env[CHILD_MARK] !== "1") return false;
  ignoreOutputErrors();
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  return true;
}

/** Starts `script` with this process's arguments as a child, which {@link becomeSupervisedChild} tells. */
export function spawnSupervised(script, nodeOptions = []) {
  return spawn(process.execPath, [...nodeOptions, script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Functions see UTC and American English, as on every other backend, whatever this machine's settings
    // are.
    env: { ...process.env, TZ: "UTC", LC_ALL: "en_US.UTF-8", [CHILD_MARK]: "1" },
  });
}

/** What to tell of a crash after which nothing is started again; null when `signal` is none. LMDB's package says nothing itself. */
export function crashText(signal, dataDir) {
  if (!CRASHES.includes(signal)) return null;
  return (
    `The server crashed (${signal}) and is not started again. If that was while it opened ${dataDir}: the disk may be full, ` +
    "a file there may not be writable, or a limit too low for memory, for open files or for the size of a file (ulimit -a). " +
    "Nothing acknowledged is lost. npm run doctor checks the folder; then start again."
  );
}

/** Keeps `script` running with this process's arguments. @param dataDir what it opens, for messages */
export function supervise(script, dataDir) {
  ignoreOutputErrors();
  let child = null;
  let isStopping = false;
  let restart = null;
  let crashedMs = -Infinity;
  /** Why the child is started again; null when it is not. */
  const reasonToRestart = (signal) => {
    if (isStopping) return null;
    if (signal === "SIGKILL") {
      return "was killed (by itself, because a function never returned or the disk failed?)";
    }
    if (!CRASHES.includes(signal)) return null;
    const isRepeated = performance.now() - crashedMs < CRASH_REPEATED_MS;
    crashedMs = performance.now();
    return isRepeated ? null : `crashed (${signal}; out of memory?)`;
  };
  const start = () => {
    restart = null;
    child = spawnSupervised(script, [...SERVER_NODE_OPTIONS, ...memoryOptions()]);
    child.on("exit", (code, signal) => {
      const reason = reasonToRestart(signal);
      if (reason !== null) {
        complain(`The server ${reason}: starting again.`);
        restart = setTimeout(start, RESTART_AFTER_MS);
      } else {
        const crash = isStopping ? null : crashText(signal, dataDir);
        if (crash !== null) complain(crash);
        // The signal ended the child before its handler was installed: nothing had begun.
        process.exit(code ?? (isStopping && STOP_SIGNALS.includes(signal) ? 0 : 1));
      }
    });
  };
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      isStopping = true;
      // Between two children there is no process to forward the signal to.
      if (restart !== null) process.exit(1);
      child.kill("SIGTERM");
    });
  }
  start();
}
