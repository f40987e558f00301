/** Console lines of one top-level call: bounded, for the client (unless redacted) and for the host. */
import type { LogSink } from "./execution.ts";

const LOG_LINES_MAX = 256;
const LOG_LINE_MAX_CHARS = 32_768;

/** A sink for one top-level call. `onLine` sees every kept line, with the function's path. */
export function newLogSink(onLine: ((line: string) => void) | null): LogSink {
  const lines: string[] = [];
  return {
    lines,
    write(level, text, functionPath) {
      if (lines.length > LOG_LINES_MAX) return;
      const isOverflow = lines.length === LOG_LINES_MAX;
      const line = isOverflow
        ? `[ERROR] 'Log overflow (maximum ${LOG_LINES_MAX}). Remaining log lines omitted.'`
        : `[${level}] ${text}`.slice(0, LOG_LINE_MAX_CHARS);
      lines.push(line);
      onLine?.(`${functionPath} ${line}`);
    },
  };
}
