/**
 * Roles and statuses as decisions: what a missing role means and where a person belongs.
 *
 * Spec sections 2, 4 and 6. Not here: reading sessions and people (model/access).
 */
import type { Home, Place, Role, UserStatus } from "./validators";

/** Spec section 4: a missing role defaults to user. */
export function effectiveRole(role: Role | undefined): Role {
  return role ?? "user";
}

/** Spec section 2: 'unknown' if no status. */
export function shownStatus(status: UserStatus | undefined): UserStatus | "unknown" {
  return status ?? "unknown";
}

/** What the decisions below need to know about a person. */
export type Standing = {
  readonly role?: Role | undefined;
  /** As stored or as shown: "unknown" stands for a missing one. */
  readonly status?: UserStatus | "unknown" | undefined;
  readonly mustChangePassword?: boolean | undefined;
};

/** True when the application was approved, or none was needed. Fails closed: a missing status is not an approval. */
export function isAccepted({ status }: Standing): boolean {
  return status === "approved" || status === "active";
}

/** True for people who may use the portal: accepted, and not in the role `pending`. */
export function isApproved(person: Standing): boolean {
  return isAccepted(person) && effectiveRole(person.role) !== "pending";
}

/** True for an approved person with the role admin. */
export function isAdmin(person: Standing): boolean {
  return isApproved(person) && person.role === "admin";
}

/** True for people who wait for a decision. */
export function isUndecided(person: Standing): boolean {
  return !isApproved(person) && person.status !== "rejected";
}

/**
 * True for people who never get a code step and whose password somebody else set: the only ones who change it
 * without a code.
 */
export function isDueBeforeCode(person: Standing): boolean {
  return !isApproved(person) && person.mustChangePassword === true;
}

/**
 * Where a person belongs. Pending and rejected people go to their status page straight after the
 * password; everyone else is asked for a code first. A password that is due to be changed comes before either page.
 */
export function placeOf(person: Standing, isSecondFactorPassed: boolean): Place {
  if (isDueBeforeCode(person)) return "mustChangePassword";
  if (!isApproved(person)) return isUndecided(person) ? "pending" : "rejected";
  if (!isSecondFactorPassed) return "otp";
  if (person.mustChangePassword === true) return "mustChangePassword";
  return isAdmin(person) ? "admin" : "member";
}

/** The path of a person's first page (spec section 2 "Login"). */
export function homeOf(person: Standing, isSecondFactorPassed: boolean): Home {
  const place = placeOf(person, isSecondFactorPassed);
  if (place === "pending" || place === "rejected") return "/pending-approval";
  if (place === "otp" || !isApproved(person)) return "/login";
  return isAdmin(person) ? "/admin" : "/dashboard";
}
