/** How a serving process ends, and what does not end it. */
import type { RunningServer } from "./serveOptions.ts";

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
