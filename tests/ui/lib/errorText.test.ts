/** Whatever was thrown becomes a sentence. */
import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { errorText } from "../../../src/lib/errorText";

test("an error is told in the sentence of its refusal, and in the fallback's where it has none", () => {
  expect(errorText(appError("INVALID_DATE"), "SAVE_FAILED")).toBe(MESSAGES.INVALID_DATE);
  for (const data of [
    "INVALID_DATE",
    { code: "INVALID_DATE" },
    { code: "NONE", message: "None" },
  ]) {
    expect(errorText(new ConvexError(data), "SAVE_FAILED")).toBe(MESSAGES.SAVE_FAILED);
  }
});
