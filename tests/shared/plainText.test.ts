import { expect, test } from "vitest";
import { SHORT_TEXT_LENGTH_MAX } from "../../convex/shared/limits";
import { isPlainMessage, isPlainText, normalForm, shapeText } from "../../convex/shared/plainText";

test("a text is trimmed and composed, up to the longest that is accepted with its marks apart", () => {
  const apart = "a\u0323\u0302".repeat(SHORT_TEXT_LENGTH_MAX);
  expect(shapeText(`${" ".repeat(20_000)}${apart}\n`)).toBe("\u1ead".repeat(SHORT_TEXT_LENGTH_MAX));
});

// Marks in a wrong order: to put very many in order takes seconds.
test("a text longer than any that is accepted stays as it is", () => {
  const text = "a\u0301\u0316".repeat(400);
  expect(shapeText(text)).toBe(text);
  for (const form of ["NFC", "NFKC"] as const) expect(normalForm(text, form)).toBe(text);
});

test.each(["\u200b", " \u200d\u00ad ", "\u3164", "\ufe0f\u2060"])(
  "a text of which nothing is seen is not plain (%j)",
  (text) => {
    expect(isPlainText(text, SHORT_TEXT_LENGTH_MAX)).toBe(false);
    expect(isPlainMessage(`${text}\n`, SHORT_TEXT_LENGTH_MAX)).toBe(false);
  },
);

test("no text is plain, and so are letters and signs that need invisible ones between them", () => {
  for (const text of ["", " ", "نمی\u200cخواهم", "\u{1f468}\u200d\u{1f469}", "❤\ufe0f"]) {
    expect(isPlainText(text, SHORT_TEXT_LENGTH_MAX)).toBe(true);
  }
});
