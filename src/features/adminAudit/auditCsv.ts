/** The audit log as a CSV file. Not here: cells and lines (#shared/csvText). */
import { csvText } from "#shared/csvText";
import type { AuditEntry } from "./auditChanges";

const HEADER = [
  "Time (UTC)",
  "Who",
  "Action",
  "Target",
  "Before",
  "After",
  "Reason",
  "Requested by",
] as const;

/** All entries, with a header line. */
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
  return csvText([HEADER, ...lines]);
}
