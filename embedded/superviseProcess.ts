/** How a serving process ends, and which errors it survives. */
import type { RunningServer, ServeOptions } from "./serveOptions.ts";
import { traceOf } from "./storage/errorText.ts";

/** A start that takes longer is aborted; the next start handles that like a kill. */
const START_TO_STOP_MAX_MS = 8_000;

/**
 * Stops cleanly on SIGTERM, SIGINT and SIGHUP (its terminal is closed), also during start-up. Stray errors of
 * user code (an unawaited promise that rejects, a timer that throws) do not end the process.
 * @param starting its failure is handled by the caller
 */
export function superviseProcess(
  starting: Promise<RunningServer>,
  onLogLine: (line: string) => void,
): void {
  let isStopping = false;
  const failed = (error: unknown): void => {
    onLogLine(`Stopping failed: ${String(error)}`);
    process.exit(1);
  };
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    const tooLong = setTimeout(() => failed("it is still starting"), START_TO_STOP_MAX_MS);
    starting.then(
      (server) => {
        clearTimeout(tooLong);
        server.close().then(() => process.exit(0), failed);
      },
      () => clearTimeout(tooLong),
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  starting.then(
    () => surviveStrayErrors(onLogLine),
    () => undefined,
  );
}

function surviveStrayErrors(onLogLine: (line: string) => void): void {
  const report = (error: unknown): void => onLogLine(`Unhandled: ${traceOf(error)}`);
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
}

/**
 * Kills this process: opening its store again, in a new process, applies everything in the log to it, and
 * rebuilds it if necessary.
 */
export function endForRestart({ onLogLine }: ServeOptions, error: Error): void {
  onLogLine?.(`[ERROR] The store takes no more writes (${error.message}): starting again.`);
  process.kill(process.pid, "SIGKILL");
}

/**
 * Ends this process because the log failed while writing commits, before any client is told something that
 * may be untrue: clients resend to the next process, which has read the log. If the disk stays broken, that
 * process refuses to start, so this does not repeat for ever.
 */
export function endOnUnknownOutcome({ onLogLine, watchdogMs }: ServeOptions, error: Error): void {
  onLogLine?.(
    `[ERROR] The log failed (${error.message}). Whether what was being committed is done is known once it is read again: ending.`,
  );
  // Without a watchdog there is no supervisor to restart it.
  if (watchdogMs === null) process.exit(1);
  else process.kill(process.pid, "SIGKILL");
}
