import { expect, test } from "vitest";
import { SHORT_TEXT_LENGTH_MAX } from "../../convex/shared/limits";
import {
  isBlank,
  isPlainMessage,
  isPlainText,
  normalForm,
  shapeText,
  withoutSpaces,
} from "../../convex/shared/plainText";

test("a text is trimmed and composed, up to the longest accepted one in decomposed form", () => {
  const apart = "a\u0323\u0302".repeat(SHORT_TEXT_LENGTH_MAX);
  expect(shapeText(`${" ".repeat(20_000)}${apart}\n`)).toBe("\u1ead".repeat(SHORT_TEXT_LENGTH_MAX));
});

// Combining marks in non-canonical order: normalising very many of them takes seconds.
test("a text above the accepted length is left unchanged", () => {
  const text = "a\u0301\u0316".repeat(400);
  expect(shapeText(text)).toBe(text);
  for (const form of ["NFC", "NFKC"] as const) expect(normalForm(text, form)).toBe(text);
});

const INVISIBLE = [
  "",
  " \t",
  "\u200b",
  "\u00ad\u00ad",
  "\u3164",
  "\u2060 \ufe0f",
  "\u2800",
  "\u{1d159}",
];

test("invisible text counts as blank, and a name keeps joiners between its letters", () => {
  for (const text of INVISIBLE) {
    expect([isBlank(text), shapeText(text)], JSON.stringify(text)).toEqual([true, ""]);
  }
  expect(isBlank("\u202e"), "refused as unusual").toBe(false);
  const joined = "\u0646\u06cc\u200c\u0645\u0627";
  expect([isBlank(joined), shapeText(joined)]).toEqual([false, joined]);
});

test("spaces and invisible characters are removed from a number", () => {
  expect(withoutSpaces(" DE89\u200b 3704\u00ad\ufeff0044 ")).toBe("DE8937040044");
});

test.each([
  ...["\u0000", "\u001b", "\u007f", "\u0085", "\ud800", "\udfff"],
  ...["\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"],
  ...["\u2066", "\u2067", "\u2068", "\u2069"],
])("%j hides what a text says: it is refused everywhere", (hiding) => {
  const text = `Rent${hiding}May`;
  expect([isPlainText(text, 100), isPlainMessage(text, 100)]).toEqual([false, false]);
  expect(isBlank(hiding), "and fills a field, so that the refusal names it").toBe(false);
});

test.each(["\n", "\r", "\u2028", "\u2029"])(
  "the line break %j is for messages alone",
  (lineBreak) => {
    const text = `Rent${lineBreak}May`;
    expect(isPlainText(text, 100)).toBe(false);
    expect(isPlainMessage(text, 100)).toBe(true);
  },
);

test("marks piled up on a letter are refused, also behind invisible characters; what scripts write is not", () => {
  // Vietnamese, Hebrew, Thai, Tibetan's tallest stack, emoji, each as far apart as it comes.
  const written = ["ệ".normalize("NFD"), "בְּ֭", "ก็้", "ཧྐྵྨླྺྼྻྂ", "1\ufe0f\u20e3"];
  for (const text of written) expect(isPlainText(text.repeat(5), 200), text).toBe(true);
  expect(isPlainText(`a${"\u0336".repeat(10)}`, 200)).toBe(true);
  expect(isPlainText(`a${"\u0336".repeat(11)}`, 200)).toBe(false);
  const marks = "\u0336\u030d".repeat(3);
  expect(isPlainText(`a${marks}b${marks}`, 200)).toBe(true);
  for (const between of ["", "\u200d", "\u034f", "\ufe0f"]) {
    const pile = `$900.00${marks}${between}${marks}`;
    expect([isPlainText(pile, 200), isPlainMessage(pile, 200)], between).toEqual([false, false]);
  }
});
