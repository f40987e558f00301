/** Every message is defined in one place: the catalogue (shared/errors.ts, shared/texts.ts). */
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../../convex/shared/errors";
import { sources } from "../support/sources";

const HOMES = /^convex\/shared\/(errors|texts)\.ts$/;

describe("messages", () => {
  test("no message of the catalogue is repeated elsewhere", () => {
    const sentences = Object.values(MESSAGES).filter((sentence) => sentence.length > 12);
    const wrong = sources("convex", "src")
      .filter((file) => !HOMES.test(file.path))
      .flatMap((file) =>
        sentences
          .filter((sentence) =>
            [`"${sentence}"`, `'${sentence}'`, `\`${sentence}\``, `>${sentence}<`].some((literal) =>
              file.text.includes(literal),
            ),
          )
          .map((sentence) => `${file.path}: ${sentence}`),
      );
    expect(wrong).toEqual([]);
  });

  test("codes are in upper snake case, and messages are trimmed and not empty", () => {
    for (const [code, sentence] of Object.entries(MESSAGES)) {
      expect(code).toMatch(/^[A-Z][A-Z0-9_]*$/);
      expect(sentence.trim()).toBe(sentence);
      expect(sentence.length).toBeGreaterThan(0);
    }
  });
});
