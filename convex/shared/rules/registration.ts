/** Approval of a registration after ten checks (spec section 5 "Admin", verification checklist). */
import { VERIFICATION_CHECKS, type VerificationCheck } from "../validators";
import type { Rule } from "./rule";

/** The checks ticked so far. */
export type ApprovalDraft = { readonly ticked: readonly VerificationCheck[] };

export const APPROVAL_RULES: readonly Rule<ApprovalDraft>[] = [
  {
    code: "CHECKS_INCOMPLETE",
    refuses: ({ ticked }) => !VERIFICATION_CHECKS.every((check) => ticked.includes(check)),
  },
];
