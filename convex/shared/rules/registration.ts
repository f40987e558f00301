/**
 * Decisions on a registration: approval after ten checks, a reason to reject, a request with text.
 *
 * Spec sections 4 "Registration status" and 5 "Admin" (verification checklist).
 */
import { LONG_TEXT_LENGTH_MAX } from "../limits";
import { isBlank, isPlainMessage } from "../plainText";
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

/** A reason, a request or an answer: a message that must not be empty. */
type MessageDraft = { readonly text: string };

export const MESSAGE_RULES: readonly Rule<MessageDraft>[] = [
  { code: "REASON_REQUIRED", field: "text", refuses: ({ text }) => isBlank(text) },
  {
    code: "INVALID_TEXT",
    field: "text",
    refuses: ({ text }) => !isPlainMessage(text, LONG_TEXT_LENGTH_MAX),
  },
];
