/** Messages that people must enter: a reason, a request, an answer. */
import { MESSAGE_RULES } from "../shared/rules/text";
import { judge } from "./judge";

/**
 * The trimmed text of a message.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT
 */
export function messageOf(text: string): string {
  judge(MESSAGE_RULES, { text }, undefined);
  return text.trim();
}
