/**
 * Log lines of a server: text for people, or one JSON object a line for collectors. Both carry the request
 * id that clients see in error messages.
 */
import type { CallRecord } from "../runtime/deployment.ts";
import { unforgeable } from "../runtime/logs.ts";

/** Calls that take longer are logged. */
const SLOW_MS = 1_000;

export type LogFormat = "text" | "json";

export interface Logger {
  /** A line of a function's console, or of the server itself; blank lines around it are for people. */
  line(text: string, requestId?: string): void;
  /** A call that failed or was slow; others are not logged. */
  call(record: CallRecord): void;
}

/** @param write takes one line without its end */
export function newLogger(format: LogFormat, write: (line: string) => void): Logger {
  const json = (level: string, fields: Readonly<Record<string, unknown>>): void =>
    write(JSON.stringify({ time: new Date().toISOString(), level, ...fields }));
  return {
    line(text, requestId) {
      if (format === "text") write(text);
      else json(levelOf(text), { message: text.trim(), requestId });
    },
    call(record) {
      const { kind, path, requestId, outcome } = record;
      const isFailed = outcome === "error";
      if (!isFailed && record.durationMs < SLOW_MS) return;
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
}

/** A failure's text up to the values in it: what somebody sent is not for the log. */
function withoutValues(failure: string | null): string {
  return (failure ?? "").split(/\n+(?:Object|Value): /, 1)[0] ?? "";
}

const LEVELS: readonly (readonly [RegExp, string])[] = [
  [/\[(?:ERROR)\]|^Request failed|^Unhandled|failed:/, "error"],
  [/\[WARN\]/, "warning"],
];

const levelOf = (text: string): string =>
  LEVELS.find(([pattern]) => pattern.test(text))?.[1] ?? "info";
