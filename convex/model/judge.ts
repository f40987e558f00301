/**
 * Judging a draft by its rule table inside a mutation.
 *
 * Not here: the tables (shared/rules).
 */
import { appError } from "../shared/errors";
import { firstRefusal, type Rule } from "../shared/rules/rule";

/**
 * Throws the first refusal of a table, if there is one.
 * @throws AppError with that rule's code
 */
export function judge<Draft, Facts>(
  rules: readonly Rule<Draft, Facts>[],
  draft: Draft,
  facts: Facts,
): void {
  const code = firstRefusal(rules, draft, facts);
  if (code !== null) throw appError(code);
}
