import { describe, expect, test } from "vitest";
import { messageFor } from "../../convex/shared/errors";
import { fillPlaces } from "../../convex/shared/places";
import { textFor } from "../../convex/shared/texts";

describe("places of a sentence", () => {
  test.each(["$& and $1", "$$", "{skipped}", "{name}"])(
    "a value %s stands as it was given",
    (value) => {
      expect(textFor("recipientFound", { name: value })).toBe(`Recipient found: ${value}`);
      expect(textFor("resetAllDone", { count: value, skipped: 3 })).toBe(
        `Successfully reset ${value} users. 3 users skipped.`,
      );
      expect(messageFor("RESET_FAILED", { cause: value })).toBe(`Error: ${value}`);
    },
  );

  test("a place without a value stays, and names of every object's own properties are no values", () => {
    expect(fillPlaces("{count} of {constructor}", { count: 1 })).toBe("1 of {constructor}");
  });
});
