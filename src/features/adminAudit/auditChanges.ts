/** What an audit entry changed, from its JSON texts to lines a person reads. */
import { formatUsd } from "#shared/money";
import { isPolicyKey } from "#shared/policies";
import { policyTitle, policyValueText } from "#shared/policyTexts";
import { formatDateTime } from "../../lib/format";

export interface AuditEntry {
  readonly _id: string;
  readonly at: number;
  readonly actorEmail: string;
  /** Dotted, as in "registration.approve". */
  readonly action: string;
  readonly targetLabel: string;
  /** JSON texts. */
  readonly before?: string;
  readonly after?: string;
  readonly reason?: string;
  /** Who asked for what the actor approved or refused. */
  readonly requestedBy?: string;
}

/** One value that an action set; `before` or `after` is "" where there was none. */
interface AuditChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Whom or what an entry is about: a policy is stored by its key. */
export function targetText({ action, targetLabel }: AuditEntry): string {
  return action === "policy.set" ? policyTitle(targetLabel) : targetLabel;
}

/** The values that differ, in the entry's order. */
export function changesOf({ targetLabel, before, after }: AuditEntry): AuditChange[] {
  const was = fieldsOf(before, targetLabel);
  const is = fieldsOf(after, targetLabel);
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: was.get(name) ?? "", after: is.get(name) ?? "" }))
    .filter((change) => change.before !== change.after);
}

/** "Balance" from "balanceCents", "Disabled" from "isDisabled"; the review's checks and policies in full. */
export function fieldText(name: string): string {
  if (isPolicyKey(name)) return policyTitle(name);
  const text = words(name.replace(/^is(?=[A-Z])|(Cents|At|Id)$/g, ""));
  return capitalised(text.replace(/^dob\b/, "date of birth").replace(/^id card\b/, "ID document"));
}

function fieldsOf(json: string | undefined, targetLabel: string): Map<string, string> {
  const value = parsed(json);
  if (value === undefined || value === null) return new Map();
  if (typeof value !== "object" || Array.isArray(value)) {
    return new Map([
      ["value", isPolicyKey(targetLabel) ? fieldValue(targetLabel, value) : plain(value)],
    ]);
  }
  return new Map(Object.entries(value).map(([name, part]) => [name, fieldValue(name, part)]));
}

function parsed(json: string | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/**
 * Cents are stored as digits, times as numbers, policies as JSON; all are shown as people read them, nested values too.
 */
function fieldValue(name: string, value: unknown): string {
  if (isPolicyKey(name) && typeof value === "string") return policyValueText(name, value);
  if (name.endsWith("Cents") && typeof value === "string" && /^-?\d+$/.test(value)) {
    return formatUsd(BigInt(value));
  }
  if (/(At|date)$/.test(name) && typeof value === "number") return formatDateTime(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return plain(value);
  return Object.entries(value)
    .map(([part, of]) => `${fieldText(part)} ${fieldValue(part, of)}`)
    .join("; ");
}

function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  // A line each: an amount in the same line as words in Arabic or Hebrew before it would be drawn on their other side.
  if (Array.isArray(value)) return value.map(plain).join("\n");
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

function words(name: string): string {
  return name.replace(
    /([a-z\d])([A-Z])/g,
    (_, low: string, high: string) => `${low} ${high.toLowerCase()}`,
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
