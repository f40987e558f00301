/** How a serving process ends, and what does not end it. */
import type { RunningServer, ServeOptions } from "./serveOptions.ts";

/**
 * Stops cleanly on SIGTERM and SIGINT, and keeps stray errors of user code (a promise nobody awaits,
 * a timer that throws) from ending the server.
 */
export function superviseProcess(server: RunningServer, onLogLine: (line: string) => void): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        onLogLine(`Stopping failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const report = (error: unknown): void =>
    onLogLine(
      `Unhandled: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  // Whoever read our output may be gone; telling them so would fail again, without end.
  const ignore = (): void => undefined;
  process.stdout.on("error", ignore);
  process.stderr.on("error", ignore);
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
}

/** Ends this process as a killed one: opening its store again, in another, rebuilds it. */
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
