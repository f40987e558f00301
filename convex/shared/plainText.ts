/**
 * Texts people enter: shaping, and which ones are refused.
 *
 * Not here: e-mail addresses (shared/email) and names as shown (shared/names).
 */

/** Control characters, direction overrides and lone surrogates: they hide what a text says. */
const UNUSUAL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What is drawn as nothing: zero widths, fillers, selectors, tags, directions. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Longest text that is put into a normal form: four times the longest short text, address or password, each
 * of which may come with its marks apart.
 */
export const NORMALISED_LENGTH_MAX = 1_024;

/**
 * The text in a normal form; a longer one than any that is accepted stays as it is.
 *
 * Security: putting marks into their order takes time with the square of their number, 8 s for 200 kB, in
 * which nobody else is answered.
 */
export function normalForm(text: string, form: "NFC" | "NFKC"): string {
  return text.length > NORMALISED_LENGTH_MAX ? text : text.normalize(form);
}

/** Trimmed, in composed form, so that the same words are the same text. */
export function shapeText(text: string): string {
  return normalForm(text.trim(), "NFC");
}

/** All white space removed (spec section 5 "Input shaping": the international account number). */
export function withoutSpaces(text: string): string {
  return text.replace(/\s+/gu, "");
}

/** The text without the characters that are drawn as nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/**
 * True for one line of usual characters within the length, of which something is seen; also for no text and
 * for white space alone.
 */
export function isPlainText(text: string, lengthMax: number): boolean {
  if (text.length > lengthMax || UNUSUAL.test(text)) return false;
  return text.trim() === "" || withoutInvisible(text).trim() !== "";
}

/** True when every given text is plain; absent ones are. */
export function arePlainTexts(texts: readonly (string | undefined)[], lengthMax: number): boolean {
  return texts.every((text) => text === undefined || isPlainText(text, lengthMax));
}

/** Like `isPlainText`, for messages: line breaks and tabs are usual there. */
export function isPlainMessage(text: string, lengthMax: number): boolean {
  return isPlainText(text.replace(/[\n\r\t]/gu, " "), lengthMax);
}
