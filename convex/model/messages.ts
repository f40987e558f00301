/** Messages people must give: a reason, a request, an answer. */
import { appError } from "../shared/errors";
import { MESSAGE_RULES } from "../shared/rules/registration";
import { firstRefusal } from "../shared/rules/rule";

/**
 * The trimmed text of a message.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT
 */
export function messageOf(text: string): string {
  const refusal = firstRefusal(MESSAGE_RULES, { text }, undefined);
  if (refusal !== null) throw appError(refusal);
  return text.trim();
}
