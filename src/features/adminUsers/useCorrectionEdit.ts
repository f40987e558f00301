import { useState } from "react";
import { dateOf } from "#shared/dates";
import { MESSAGES, type ErrorCode } from "#shared/errors";
import { changedFields, CORRECTION_RULES } from "#shared/rules/correction";
import { refusalsByField } from "#shared/rules/rule";
import type { Application } from "#shared/rules/signup";
import { useDraft } from "../../hooks/useDraft";
import { labelOf, type CorrectionField } from "./correctionFields";

type Values = Partial<Application>;
type Problems = Partial<Record<CorrectionField | "root", string>>;

/** What is typed, and what it started from; until something is, the fields show what is current. */
const UNTOUCHED: {
  readonly isTouched: boolean;
  readonly values: Values;
  readonly seen: Values;
  readonly reason: string;
} = { isTouched: false, values: {}, seen: {}, reason: "" };

/**
 * The form for what an application says. `seen` is what it started from; `judge` returns whether it may be saved.
 */
export function useCorrectionEdit(userId: string, current: Application, onEdit: () => void) {
  const [draft, setDraft, forgetDraft] = useDraft(`correction-${userId}`, UNTOUCHED);
  const [problems, setProblems] = useState<Problems>({});
  const [todayIso] = useState(() => dateOf(Date.now()));
  const { isTouched, reason } = draft;
  const seen: Application = isTouched ? { ...current, ...draft.seen } : current;
  const application: Application = isTouched ? { ...current, ...draft.values } : current;
  return {
    seen,
    application,
    reason,
    problems,
    todayIso,
    isStale: changedFields(seen, current).length > 0,
    edit: (field: CorrectionField, text: string) => {
      const values = field === "reason" ? application : { ...application, [field]: text };
      setDraft({ isTouched: true, values, seen, reason: field === "reason" ? text : reason });
      setProblems({ ...problems, [field]: undefined, root: undefined });
      onEdit();
    },
    judge: (): boolean => {
      const refusals = refusalsByField(CORRECTION_RULES, application, { todayIso, now: seen });
      const found: Problems = {
        ...Object.fromEntries(refusals.map(({ field, code }) => [field, sentence(field, code)])),
        ...(reason.trim() === "" ? { reason: MESSAGES.REASON_REQUIRED } : {}),
      };
      setProblems(found);
      return Object.keys(found).length === 0;
    },
    clearProblems: () => setProblems({}),
    forget: forgetDraft,
  };
}

function sentence(field: string, code: ErrorCode): string {
  if (code === "FILL_REQUIRED_FIELDS") return `${labelOf(field)} is required`;
  return MESSAGES[code];
}
