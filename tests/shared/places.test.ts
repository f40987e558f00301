import { describe, expect, test } from "vitest";
import { messageFor } from "../../convex/shared/errors";
import { fillPlaces } from "../../convex/shared/places";
import { textFor } from "../../convex/shared/texts";

describe("placeholders of a message", () => {
  test.each(["$& and $1", "$$", "{skipped}", "{name}"])(
    "the value %s is inserted literally",
    (value) => {
      expect(textFor("recipientFound", { name: value })).toBe(`Recipient found: ${value}`);
      expect(textFor("resetAllDone", { count: value, skipped: 3 })).toBe(
        `Successfully reset ${value} users. 3 users skipped.`,
      );
      expect(messageFor("RESET_FAILED", { cause: value })).toBe(`Error: ${value}`);
    },
  );

  test("a placeholder without a value stays, and inherited property names are no values", () => {
    expect(fillPlaces("{count} of {constructor}", { count: 1 })).toBe("1 of {constructor}");
  });
});
