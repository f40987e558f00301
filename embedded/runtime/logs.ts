/**
 * Console lines of one top-level call: limited in number and length, for the client (unless redacted) and for
 * the host.
 */
import type { LogSink } from "./execution.ts";

const LOG_LINES_MAX = 256;
const LOG_LINE_MAX_BYTES = 32_768;

/* eslint-disable no-control-regex -- control characters are what is looked for */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
/* eslint-enable no-control-regex */

/** Control characters, line separators and directions as escapes, which mean the same in JSON's texts. */
export function withoutControls(text: string): string {
  const escapeOf = (found: string): string =>
    `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(CONTROL, escapeOf);
}

/**
 * Makes text safe for the host's log: text from clients cannot start a new line, move the cursor or change
 * the writing direction.
 */
export function unforgeable(text: string): string {
  return text.split(LINE_BREAK).map(withoutControls).join("\n    | ");
}

/** Of a text that is too long for a line its beginning, up to a whole character, and a word that says so. */
function truncated(text: string): string {
  if (Buffer.byteLength(text) <= LOG_LINE_MAX_BYTES) return text;
  const kept = new TextEncoder().encodeInto(text, new Uint8Array(LOG_LINE_MAX_BYTES)).read;
  return `${text.slice(0, kept)} (truncated due to length)`;
}

/** A sink for one top-level call. `onLine` gets every kept line, with the function's path. */
export function newLogSink(
  onLine: ((line: string, requestId?: string) => void) | null,
  requestId?: string,
): LogSink {
  const lines: string[] = [];
  return {
    lines,
    write(level, text, functionPath) {
      if (lines.length === LOG_LINES_MAX) return;
      // The last line is kept for this.
      const isOverflow = lines.length === LOG_LINES_MAX - 1;
      const line = isOverflow
        ? `[ERROR] Log overflow (maximum ${LOG_LINES_MAX}). Remaining log lines omitted.`
        : `[${level}] ${truncated(text)}`;
      lines.push(line);
      onLine?.(`${functionPath} ${line}`, requestId);
    },
  };
}
