/** The rule of a short text that people enter, for any form. */
import { arePlainTexts } from "../plainText";
import type { Rule } from "./rule";

/** INVALID_TEXT, at its field, unless the text is one line of usual characters within the length, or absent. */
export function plainTextRule<Field extends string>(
  field: Field,
  lengthMax: number,
): Rule<{ readonly [Name in Field]?: string | undefined }, unknown> {
  return {
    code: "INVALID_TEXT",
    field,
    refuses: (draft) => !arePlainTexts([draft[field]], lengthMax),
  };
}
