/**
 * Every policy: a rule that a sound institution would set differently from the specification.
 *
 * Two known values each (product decisions, section 2): as specified (the default) and recommended.
 * Not here: which value is in force (model/policies) and who may switch it (admin/policies).
 */
import { PASSWORD_LENGTH_MIN, TRANSFERS_ALLOWED_MAX } from "./limits";

/** `null` minutes: off. */
export type IdleTimeout = {
  readonly memberMinutes: number | null;
  readonly adminMinutes: number | null;
};

/** The type of each policy's value. */
export type PolicyValues = {
  transferCountLimit: number;
  passwordMinLength: number;
  otpReuse: "oncePerSession" | "oncePerMember";
  statementPeriods: "fixed13Months" | "everyClosedMonth";
  adminSetsPassword: "permanent" | "oneTime";
  secondAdminApprovalAbove: number | null;
  idleTimeout: IdleTimeout;
};

export type PolicyKey = keyof PolicyValues;

export type Policy<K extends PolicyKey> = {
  readonly asSpecified: PolicyValues[K];
  readonly recommended: PolicyValues[K];
  /** Section of the specification that sets the first value; "" where it is silent. */
  readonly specSection: string;
  readonly text: string;
};

export const POLICIES: { readonly [K in PolicyKey]: Policy<K> } = {
  transferCountLimit: {
    asSpecified: TRANSFERS_ALLOWED_MAX,
    recommended: TRANSFERS_ALLOWED_MAX,
    specSection: "6",
    text: "Transfers a member may make until an administrator resets the count.",
  },
  passwordMinLength: {
    asSpecified: PASSWORD_LENGTH_MIN,
    recommended: 8,
    specSection: "5",
    text: "Shortest password accepted. Common passwords are refused whatever their length.",
  },
  otpReuse: {
    asSpecified: "oncePerSession",
    recommended: "oncePerMember",
    specSection: "5",
    text: "Whether a one-time code works once per session or once per member, ever.",
  },
  statementPeriods: {
    asSpecified: "fixed13Months",
    recommended: "everyClosedMonth",
    specSection: "2",
    text: "Which statement periods are offered: March 2025 back to March 2024, or every closed month since March 2024.",
  },
  adminSetsPassword: {
    asSpecified: "permanent",
    recommended: "oneTime",
    specSection: "2",
    text: "Whether a password set by an administrator must be changed at the first sign-in.",
  },
  secondAdminApprovalAbove: {
    asSpecified: null,
    recommended: 100_000,
    specSection: "",
    text: "Amount above which a balance edit, a posting or a deletion waits until a second administrator approves it; then two also decide who is an administrator.",
  },
  idleTimeout: {
    asSpecified: { memberMinutes: null, adminMinutes: 15 },
    recommended: { memberMinutes: 15, adminMinutes: 10 },
    specSection: "",
    text: "Minutes without activity after which a session ends, for members and for administrators.",
  },
};

export const POLICY_KEYS = Object.keys(POLICIES) as PolicyKey[];

/** True when the text names a policy. */
export function isPolicyKey(key: string): key is PolicyKey {
  return Object.hasOwn(POLICIES, key);
}

/**
 * Whether a value is one of the policy's two known values ("Nothing else is configurable").
 */
export function isPolicyValue(key: PolicyKey, value: unknown): boolean {
  const text = JSON.stringify(value);
  const { asSpecified, recommended } = POLICIES[key];
  return text === JSON.stringify(asSpecified) || text === JSON.stringify(recommended);
}
