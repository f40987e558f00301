/**
 * E-mail addresses: canonical form and the simple pattern of the specification.
 */
import { EMAIL_LENGTH_MAX } from "./limits";
import { isPlainText, NORMALISED_LENGTH_MAX, withoutInvisible } from "./plainText";

/** Spec section 5: the simple x@y.z pattern. */
const SIMPLE_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;
/**
 * What mail programs read names, comments and lists by, and a domain's last dot: one mailbox would have any number of
 * spellings.
 */
const MEANS_MORE = /[<>()[\]:;,"\\]|\.$/;

/**
 * The one spelling under which a person is stored and looked up: no invisible characters, which make two
 * addresses look alike, lower case, NFKC, trimmed. Idempotent. A text longer than any address stays as it
 * is: it cannot be one (`isEmail`).
 */
export function canonicalEmail(text: string): string {
  if (text.length > NORMALISED_LENGTH_MAX) return text;
  const visible = withoutInvisible(text.normalize("NFKC"));
  // Again: some letters and marks may only now be adjacent.
  return visible.toLowerCase().normalize("NFKC").trim();
}

/** True for usual characters in the simple pattern, not longer than any real address, that mean one mailbox. */
export function isEmail(text: string): boolean {
  const isSimple = isPlainText(text, EMAIL_LENGTH_MAX) && SIMPLE_PATTERN.test(text);
  return isSimple && !MEANS_MORE.test(text);
}

/** True for an optional address that is empty, or one both as typed and as stored. */
export const isOptionalEmail = (text = ""): boolean =>
  text.trim() === "" || [text.trim(), canonicalEmail(text)].every(isEmail);

/** What somebody entered as an address, cut to the longest one may be, without half a character at the end. */
export const cutEmail = (text: string): string =>
  canonicalEmail(text)
    .slice(0, EMAIL_LENGTH_MAX)
    .replace(/[\ud800-\udbff]$/, "");
