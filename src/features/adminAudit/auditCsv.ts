/** The audit log as a CSV file that a spreadsheet opens without running anything in it. */
import type { AuditEntry } from "./auditChanges";

const HEADER = [
  "Time (UTC)",
  "Who",
  "Action",
  "Target",
  "Before",
  "After",
  "Reason",
  "Asked for by",
] as const;

/** All entries with a header, lines ended as RFC 4180 says, and a mark so that Excel reads UTF-8. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = entries.map((entry) => [
    new Date(entry.at).toISOString(),
    entry.actorEmail,
    entry.action,
    entry.targetLabel,
    entry.before ?? "",
    entry.after ?? "",
    entry.reason ?? "",
    entry.requestedBy ?? "",
  ]);
  return `\uFEFF${[HEADER, ...lines].map((cells) => cells.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Security: a text that starts like a formula gets an apostrophe, so that it stays a text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
