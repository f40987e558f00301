/**
 * Log lines of a server: text for people, or one JSON object per line for log collectors. Both contain the
 * request id that clients see in error messages.
 */
import type { CallRecord } from "../runtime/deployment.ts";
import { unforgeable, withoutControls } from "../runtime/logs.ts";

/** Calls that take longer are logged as slow. */
const SLOW_MS = 1_000;
const PATH_CHARS_MAX = 200;
const FAILURE_CHARS_MAX = 2_000;
/** A client that makes calls fail, or functions log, must not be able to fill the disk. */
const LINES_PER_SECOND_MAX = 100;

type LogFormat = "text" | "json";

interface Logger {
  /** A console line of a function, or a line of the server itself; blank lines around it are only for people. */
  line(text: string, requestId?: string): void;
  /** Logs a call if it failed or was slow. */
  call(record: CallRecord): void;
}

/** @param write takes one line without its end */
export function newLogger(format: LogFormat, write: (line: string) => void): Logger {
  // JSON itself escapes only half of the control characters, and neither line separators nor directions.
  const json = (level: string, fields: Readonly<Record<string, unknown>>): void =>
    write(withoutControls(JSON.stringify({ time: new Date().toISOString(), level, ...fields })));
  let secondsFrom = 0;
  let lines = 0;
  const mayLog = (): boolean => {
    const seconds = Math.floor(performance.now() / 1000);
    if (seconds !== secondsFrom) {
      const left = lines - LINES_PER_SECOND_MAX;
      secondsFrom = seconds;
      lines = 0;
      if (left > 0) logger.line(`[WARN] ${left} more lines about calls were not logged`);
    }
    lines += 1;
    return lines <= LINES_PER_SECOND_MAX;
  };
  const logger: Logger = {
    line(text, requestId) {
      // What functions report as wrong is not kept out by what clients can have them say.
      if (requestId !== undefined && levelOf(text) === "info" && !mayLog()) return;
      if (format === "text") write(text);
      else json(levelOf(text), { message: text.trim(), requestId });
    },
    call(record) {
      const { kind, requestId, outcome } = record;
      const isFailed = outcome === "error";
      // Clients can name missing functions as often as they like; the metrics count them.
      if (record.isMissing || (!isFailed && record.durationMs < SLOW_MS)) return;
      if (!mayLog()) return;
      const path = record.path.slice(0, PATH_CHARS_MAX);
      const durationMs = Math.round(record.durationMs);
      if (format === "json") {
        const failure = withoutValues(record.failure);
        const event = isFailed ? "call failed" : "slow call";
        const fields = { message: event, requestId, kind, function: path, outcome, durationMs };
        json(isFailed ? "error" : "warning", { ...fields, ...(isFailed && { failure }) });
        return;
      }
      const what = isFailed ? `failed: ${withoutValues(record.failure)}` : "was slow";
      write(unforgeable(`[Request ID: ${requestId}] ${kind} ${path} (${durationMs} ms) ${what}`));
    },
  };
  return logger;
}

/**
 * A failure's text without the values in it: data sent by clients must not be logged.
 *
 * Security: clients choose parts of it, of any length. A pattern that begins with a repetition, such as `\n+`, would
 * take quadratic time.
 */
function withoutValues(failure: string | null): string {
  const text = (failure ?? "").slice(0, FAILURE_CHARS_MAX);
  return (text.split(/\n(?:Object|Value): /, 1)[0] ?? "").trimEnd();
}

/** Lines of the server itself that tell of a failure without its level. */
const FAILED = /^(?:Request|Connection|Stopping) failed: |^Unhandled: /;
/** The first of a line is its level. Others may come from what a client sent. */
const LEVEL = /\[(ERROR|WARN|LOG|INFO|DEBUG)\]/;

function levelOf(text: string): "error" | "warning" | "info" {
  if (FAILED.test(text)) return "error";
  const level = LEVEL.exec(text)?.[1];
  if (level === "ERROR") return "error";
  return level === "WARN" ? "warning" : "info";
}
