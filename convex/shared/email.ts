/**
 * E-mail addresses: canonical form and the simple pattern of the specification.
 */
import { EMAIL_LENGTH_MAX } from "./limits";
import { isPlainText } from "./plainText";

/** Zero-width and other invisible characters that make two addresses look alike. */
const INVISIBLE = /\u00ad|\u034f|\u180e|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|\ufeff/gu;

/** Spec section 5: the simple x@y.z pattern. */
const SIMPLE_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/**
 * The one spelling under which a person is stored and looked up: NFKC, no invisible characters,
 * trimmed, lower case.
 */
export function canonicalEmail(text: string): string {
  return text.normalize("NFKC").replace(INVISIBLE, "").trim().toLowerCase();
}

/** True for usual characters in the simple pattern, not longer than any real address. */
export function isEmail(text: string): boolean {
  return isPlainText(text, EMAIL_LENGTH_MAX) && SIMPLE_PATTERN.test(text);
}
