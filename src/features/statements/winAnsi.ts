/** Characters that the PDF's built-in fonts lack, and what stands in for them. */
const STAND_INS: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u2013": "-",
  "\u2014": "-",
  "\u2026": "...",
  "\u20ac": "EUR",
  "\u0142": "l",
  "\u0141": "L",
  "\u0111": "d",
  "\u0110": "D",
};
const LAST_LATIN_1 = 0xff;

function standIn(character: string): string {
  if ((character.codePointAt(0) ?? 0) <= LAST_LATIN_1) return character;
  const known = STAND_INS[character];
  if (known !== undefined) return known;
  const base = character.normalize("NFKD").replace(/\p{M}/gu, "");
  return base !== "" && (base.codePointAt(0) ?? 0) <= LAST_LATIN_1 ? base : "?";
}

/**
 * Text that the PDF's built-in fonts can draw: Latin letters lose accents that the fonts lack,
 * anything else becomes a question mark. Without this a single foreign letter garbles its line.
 */
export function toWinAnsi(text: string): string {
  return Array.from(text.normalize("NFC"), standIn).join("");
}
