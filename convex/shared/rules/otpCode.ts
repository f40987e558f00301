/**
 * One-time codes: form and order of refusals.
 *
 * Spec section 5 "One-time code at login" and "Admin" (OTP add). Not here: which codes exist.
 */
import { z } from "zod";
import { OTP_DIGITS } from "../limits";
import { refuseFirst, type Rule } from "./rule";

const SIX_ASCII_DIGITS = new RegExp(`^[0-9]{${OTP_DIGITS}}$`);

/** True for exactly six ASCII digits. */
export function isOtpCode(text: string): boolean {
  return SIX_ASCII_DIGITS.test(text);
}

/** Digits only, at most six: what the code field keeps of typed or pasted text. */
export function shapeOtpCode(text: string): string {
  return text.replace(/[^0-9]/gu, "").slice(0, OTP_DIGITS);
}

export type OtpCodeDraft = { readonly code: string };

/** At sign-in and for a card: anything but six digits is an invalid code. */
export const OTP_CODE_RULES: readonly Rule<OtpCodeDraft>[] = [
  { code: "INVALID_OTP", field: "code", refuses: (draft) => !isOtpCode(draft.code) },
];

/** External transfer: an empty code has its own sentence. */
export const TRANSFER_CODE_RULES: readonly Rule<OtpCodeDraft>[] = [
  { code: "OTP_EMPTY", field: "code", refuses: (draft) => draft.code.trim() === "" },
  ...OTP_CODE_RULES,
];

/** Adding a code to the institution's list. */
export const OTP_ADD_RULES: readonly Rule<OtpCodeDraft>[] = [
  { code: "INVALID_OTP_FORMAT", field: "code", refuses: (draft) => !isOtpCode(draft.code) },
];

const codeForm = (rules: readonly Rule<OtpCodeDraft>[]) =>
  z.object({ code: z.string() }).superRefine(refuseFirst(rules, undefined));

export const transferCodeForm = codeForm(TRANSFER_CODE_RULES);
export const otpAddForm = codeForm(OTP_ADD_RULES);
