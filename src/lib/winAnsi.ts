import { withoutInvisible } from "#shared/plainText";

/** Characters that the PDF's built-in fonts lack and that have no simpler form, and what stands in for them. */
const STAND_INS: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": "'",
  "\u2032": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u2010": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2015": "-",
  "\u2212": "-",
  "\u2044": "/",
  "\u2215": "/",
  "\u2022": "\u00b7",
  "\u20ac": "EUR",
  "\u0110": "D",
  "\u0111": "d",
  "\u0126": "H",
  "\u0127": "h",
  "\u0131": "i",
  "\u0141": "L",
  "\u0142": "l",
  "\u014a": "N",
  "\u014b": "n",
  "\u0152": "OE",
  "\u0153": "oe",
  "\u0166": "T",
  "\u0167": "t",
  "\u1e9e": "SS",
};
const LAST_LATIN_1 = 0xff;

const isDrawable = (character: string): boolean => (character.codePointAt(0) ?? 0) <= LAST_LATIN_1;

function standIn(character: string): string {
  if (isDrawable(character)) return character;
  // One character may stand for several ("⅓", "㈱"), each with its own stand-in.
  const simpler = character.normalize("NFKD").replace(/\p{M}/gu, "");
  const drawn = Array.from(simpler, (part) => (isDrawable(part) ? part : (STAND_INS[part] ?? "?")));
  // "ﷺ" is four words: a member's reference of such letters would fill more than the page of whoever got the money.
  return drawn.join("").replace(/\?(?:\s*\?)+/g, "?");
}

/** False when question marks would stand for some of the text. */
export function isWhole(text: string): boolean {
  const marks = (of: string): number => of.split("?").length;
  return marks(toWinAnsi(text)) === marks(text);
}

/**
 * Text that the PDF's built-in fonts can draw: Latin letters lose accents that the fonts lack, what is drawn as
 * nothing is left out, anything else becomes a question mark. Without this a single foreign letter garbles its line.
 */
export function toWinAnsi(text: string): string {
  return Array.from(withoutInvisible(text.normalize("NFC")), standIn).join("");
}
