/** How a serving process ends, and what does not end it. */
import type { RunningServer, ServeOptions } from "./serveOptions.ts";
import { traceOf } from "./storage/errorText.ts";

/** A start that takes longer is broken off, as a kill would: the next one is used to that. */
const START_TO_STOP_MAX_MS = 8_000;

/**
 * Stops cleanly on SIGTERM, SIGINT and SIGHUP (its terminal is closed), also while the server is still starting, and keeps stray errors of user code
 * (a promise nobody awaits, a timer that throws) from ending it.
 * @param starting whoever began it handles its failure
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
  // Whoever read our output may be gone; telling them so would fail again, without end.
  const ignore = (): void => undefined;
  process.stdout.on("error", ignore);
  process.stderr.on("error", ignore);
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
}

/**
 * Ends this process as a killed one: opening its store again, in another, brings everything into it that the log
 * has, and rebuilds it if need be.
 */
export function startAgain({ onLogLine }: ServeOptions, error: Error): void {
  onLogLine?.(`The store takes no more writes (${error.message}): starting again.`);
  process.kill(process.pid, "SIGKILL");
}

/**
 * Ends this process because the log failed in the middle of commits, before anybody is told what may be untrue:
 * clients re-send to the next process, which has read the log. A disk that stays broken refuses that process's
 * start, so that they do not follow each other for ever.
 */
export function endUntold({ onLogLine, watchdogMs }: ServeOptions, error: Error): void {
  onLogLine?.(
    `The log failed (${error.message}). Whether what was being committed is done is known once it is read again: ending.`,
  );
  // Without a watchdog nobody starts another.
  if (watchdogMs === null) process.exit(1);
  else process.kill(process.pid, "SIGKILL");
}
