/**
 * Texts people enter: shaping, and which ones are refused.
 *
 * Not here: e-mail addresses (shared/email) and names as shown (shared/names).
 */

/** Control characters, direction overrides and lone surrogates: they hide what a text says. */
const UNUSUAL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Longest text worth normalising; longer ones are refused as they are. */
const SHAPED_LENGTH_MAX = 10_000;

/** Trimmed, in composed form, so that the same words are the same text. */
export function shapeText(text: string): string {
  return text.length > SHAPED_LENGTH_MAX ? text : text.normalize("NFC").trim();
}

/** All white space removed (spec section 5 "Input shaping": the international account number). */
export function withoutSpaces(text: string): string {
  return text.replace(/\s+/gu, "");
}

/** True for one line of usual characters within the length; white space at the ends is ignored. */
export function isPlainText(text: string, lengthMax: number): boolean {
  return text.length <= lengthMax && !UNUSUAL.test(text);
}

/** True when every given text is plain; absent ones are. */
export function arePlainTexts(texts: readonly (string | undefined)[], lengthMax: number): boolean {
  return texts.every((text) => text === undefined || isPlainText(text, lengthMax));
}

/** Like `isPlainText`, for messages: line breaks and tabs are usual there. */
export function isPlainMessage(text: string, lengthMax: number): boolean {
  return isPlainText(text.replace(/[\n\r\t]/gu, " "), lengthMax);
}
