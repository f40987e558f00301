/**
 * Judges a draft by its rule table, on the server.
 *
 * Not here: the tables (shared/rules).
 */
import { appError } from "../shared/errors";
import { firstRefusal, type Rule } from "../shared/rules/rule";

/**
 * Throws a table's first refusal, if there is one; `values` fill its sentence.
 * @throws AppError with that rule's code
 */
export function judge<Draft, Facts>(
  rules: readonly Rule<Draft, Facts>[],
  draft: Draft,
  facts: Facts,
  values?: Record<string, string | number>,
): void {
  const code = firstRefusal(rules, draft, facts);
  if (code !== null) throw appError(code, values);
}
