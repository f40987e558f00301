/** The test of one rule table, for all of them. */
import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../convex/shared/errors";
import { firstRefusal, type Rule } from "../../../convex/shared/rules/rule";

/** One row per rule: what to change in a valid draft, and in the facts. */
type Broken<Draft, Facts> = readonly [ErrorCode, Partial<Draft>, Partial<Facts>?];

/** `empty`: every field that the first rule, completeness, requires, left out. */
export function testRules<Draft extends object, Facts>(
  name: string,
  rules: readonly Rule<Draft, Facts>[],
  good: NoInfer<{ draft: Draft; facts: Facts; empty?: Partial<Draft> }>,
  rows: readonly Broken<NoInfer<Draft>, NoInfer<Facts>>[],
): void {
  describe(name, () => {
    test("has a row for each rule, in the table's order", () => {
      expect(rows.map(([code]) => code)).toEqual(rules.map((rule) => rule.code));
    });
    test("accepts a valid draft", () => {
      expect(firstRefusal(rules, good.draft, good.facts)).toBeNull();
    });
    test.each(rows.map(([code, draft, facts], at) => [code, at, draft, facts] as const))(
      "%s (row %i) takes precedence over every later refusal",
      (code, at, draft, facts) => {
        const broken = Object.assign({}, good.draft, draft);
        const judgedBy = facts === undefined ? good.facts : Object.assign({}, good.facts, facts);
        expect(rules[at]?.refuses(broken, judgedBy)).toBe(true);
        expect(firstRefusal(rules, broken, judgedBy)).toBe(code);
      },
    );
    test.each(Object.entries(good.empty ?? {}))("is incomplete without %s", (field, empty) => {
      const draft = Object.assign({}, good.draft, { [field]: empty });
      expect(firstRefusal(rules, draft, good.facts)).toBe(rules[0]?.code);
    });
  });
}
