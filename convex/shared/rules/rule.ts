/**
 * Ordered refusals: one table per form, judged by the form and by the server with the same call.
 *
 * The order of a table is the order of precedence. Not here: any table.
 */
import type { z } from "zod";
import { MESSAGES, type ErrorCode } from "../errors";
import type { AmountDraft, Cents } from "../money";

/** A command that is not judged yet: any text in place of a choice, and an amount as it was typed. */
export type DraftOf<Command> = { readonly [Field in keyof Command]: DraftValue<Command[Field]> };
type DraftValue<Value> = Value extends Cents
  ? AmountDraft
  : Value extends string
    ? string
    : DraftOf<Value>;

/** One refusal. `Facts` are what the draft cannot tell (funds, the date, a verified recipient). */
export type Rule<Draft, Facts = undefined> = {
  readonly code: ErrorCode;
  /** The form field the sentence belongs to; absent for refusals of the whole form. */
  readonly field?: string;
  readonly refuses: (draft: Draft, facts: Facts) => boolean;
};

/** The code of the first rule that refuses, or null. */
export function firstRefusal<Draft, Facts>(
  rules: readonly Rule<Draft, Facts>[],
  draft: Draft,
  facts: Facts,
): ErrorCode | null {
  return firstRefusing(rules, draft, facts)?.code ?? null;
}

function firstRefusing<Draft, Facts>(
  rules: readonly Rule<Draft, Facts>[],
  draft: Draft,
  facts: Facts,
): Rule<Draft, Facts> | undefined {
  return rules.find((rule) => rule.refuses(draft, facts));
}

/** The first refusal of each field, for forms with an error summary. */
export function refusalsByField<Draft, Facts>(
  rules: readonly Rule<Draft, Facts>[],
  draft: Draft,
  facts: Facts,
): readonly { readonly field: string; readonly code: ErrorCode }[] {
  const first = new Map<string, ErrorCode>();
  for (const rule of rules) {
    const field = rule.field ?? "root";
    if (!first.has(field) && rule.refuses(draft, facts)) first.set(field, rule.code);
  }
  return [...first].map(([field, code]) => ({ field, code }));
}

/**
 * For zod's `superRefine`: reports exactly one issue, the one the table ranks first, at its field;
 * at `root` when the rule names none (without a path it would land under the key "").
 */
export function refuseFirst<Draft, Facts>(
  rules: readonly Rule<Draft, Facts>[],
  facts: Facts,
): (draft: Draft, ctx: z.RefinementCtx) => void {
  return (draft, ctx) => {
    const rule = firstRefusing(rules, draft, facts);
    if (rule !== undefined) {
      ctx.addIssue({ code: "custom", path: [rule.field ?? "root"], message: MESSAGES[rule.code] });
    }
  };
}
