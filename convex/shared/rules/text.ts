/** The rules of what people write in any form: a line, and a message to a person or about a decision. */
import { LONG_TEXT_LENGTH_MAX } from "../limits";
import { arePlainTexts, isBlank, isPlainMessage } from "../plainText";
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

/** A reason, a request or an answer: a message that must not be empty. */
type MessageDraft = { readonly text: string };

export const MESSAGE_RULES: readonly Rule<MessageDraft>[] = [
  { code: "REASON_REQUIRED", field: "text", refuses: ({ text }) => isBlank(text) },
  {
    code: "INVALID_TEXT",
    field: "text",
    refuses: ({ text }) => !isPlainMessage(text, LONG_TEXT_LENGTH_MAX),
  },
];

/** True for a text that is one of the choices offered. */
export const isOneOf = (choices: readonly string[], text: string): boolean =>
  choices.includes(text);
