/** Policy values in words. Values travel as JSON texts. */
import { formatUsd } from "./money";
import { isPolicyKey, type PolicyKey } from "./policies";

const TITLES: Readonly<Record<PolicyKey, string>> = {
  transferCountLimit: "Transfers until a reset",
  passwordMinLength: "Shortest password",
  otpReuse: "Reuse of one-time codes",
  statementPeriods: "Statement periods",
  adminSetsPassword: "Passwords set by administrators",
  secondAdminApprovalAbove: "Second administrator",
  idleTimeout: "Idle time-out",
};

const WORDS: Readonly<Record<string, string>> = {
  oncePerSession: "Once per session",
  oncePerMember: "Once per member, ever",
  fixed13Months: "March 2025 back to March 2024",
  everyClosedMonth: "Every closed month since March 2024",
  permanent: "Permanent",
  oneTime: "Must be changed at first sign-in",
};

/** The policy's name; an unknown key stands for itself. */
export function policyTitle(key: string): string {
  return isPolicyKey(key) ? TITLES[key] : key;
}

/** The value as people read it: "8 characters", "Off", "Above $1,000.00". */
export function policyValueText(key: string, json: string): string {
  const value: unknown = JSON.parse(json);
  if (value === null) return "Off";
  if (typeof value === "string") return WORDS[value] ?? value;
  if (typeof value === "number") return numberText(key, value);
  return idleText(value as Record<string, unknown>);
}

function numberText(key: string, value: number): string {
  switch (key) {
    case "passwordMinLength":
      return `${value} characters`;
    case "transferCountLimit":
      return `${value} transfers`;
    case "secondAdminApprovalAbove":
      return `Above ${formatUsd(BigInt(value))}`;
    default:
      return String(value);
  }
}

function idleText({ memberMinutes, adminMinutes }: Record<string, unknown>): string {
  return `Members ${minutesText(memberMinutes)}, administrators ${minutesText(adminMinutes)}`;
}

function minutesText(minutes: unknown): string {
  return typeof minutes === "number" ? `${minutes} minutes` : "never";
}
