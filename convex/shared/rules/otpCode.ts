/**
 * The format of a one-time code: spec section 5 "One-time code at login" and "Admin" (OTP add).
 *
 * Not here: which codes exist (model/otpCodes).
 */
import { OTP_DIGITS } from "../limits";

const SIX_ASCII_DIGITS = new RegExp(`^[0-9]{${OTP_DIGITS}}$`);

/** True for exactly six ASCII digits. */
export function isOtpCode(text: string): boolean {
  return SIX_ASCII_DIGITS.test(text);
}
