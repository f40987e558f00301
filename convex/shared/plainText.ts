/**
 * Texts people enter: shaping, and which ones are refused.
 *
 * Not here: e-mail addresses (shared/email) and names as shown (shared/names).
 */

/** Control characters, line separators, direction overrides and lone surrogates: they hide what a text says. */
const UNUSUAL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** More marks on one letter than any script writes: drawn on top of each other, they cover the lines around them. */
const PILE_OF_MARKS = /\p{M}{11}/u;

/**
 * Characters drawn as nothing: zero widths, fillers, selectors, tags, directions, soft hyphens, and two symbols that are
 * blank (Braille without dots, a note without a head).
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u{1d159}]/gu;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u{1d159}]/u;

/**
 * Longest text that is put into a normal form: four times the longest short text, address or password, any
 * of which may come with its marks decomposed.
 */
export const NORMALISED_LENGTH_MAX = 1_024;

/**
 * The text in a normal form; one longer than any accepted text stays as it is.
 *
 * Security: putting marks in order takes time quadratic in their number, 8 s for 200 kB, during which
 * nobody else is served.
 */
export function normalForm(text: string, form: "NFC" | "NFKC"): string {
  return text.length > NORMALISED_LENGTH_MAX ? text : text.normalize(form);
}

/** True when nothing of a text can be seen: it fills no field. Unusual characters are refused separately. */
export function isBlank(text: string): boolean {
  const trimmed = text.trim();
  return !VISIBLE.test(trimmed) && !UNUSUAL.test(trimmed);
}

/** Trimmed, in composed form, so that the same words are the same text; empty when none of it can be seen. */
export function shapeText(text: string): string {
  return isBlank(text) ? "" : normalForm(text.trim(), "NFC");
}

/** The text without the characters that are drawn as nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/**
 * All white space removed (spec section 5 "Input shaping": the international account number), and
 * invisible characters: copied along from a page or a document, they would become part of a number.
 */
export function withoutSpaces(text: string): string {
  return withoutInvisible(text).replace(/\s+/gu, "");
}

/** True for one line of usual characters within the length; white space at the ends is ignored. */
export function isPlainText(text: string, lengthMax: number): boolean {
  if (text.length > lengthMax || UNUSUAL.test(text)) return false;
  return !PILE_OF_MARKS.test(withoutInvisible(text));
}

/** True when every given text is plain; absent ones are. */
export function arePlainTexts(texts: readonly (string | undefined)[], lengthMax: number): boolean {
  return texts.every((text) => text === undefined || isPlainText(text, lengthMax));
}

/** Like `isPlainText`, for messages, where line breaks and tabs are usual. */
export function isPlainMessage(text: string, lengthMax: number): boolean {
  return isPlainText(text.replace(/[\n\r\t\p{Zl}\p{Zp}]/gu, " "), lengthMax);
}
