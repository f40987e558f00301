import { useState } from "react";
import { MESSAGES } from "#shared/errors";
import { IDENTITY_RULES, type Identity } from "#shared/rules/identity";
import { refusalsByField } from "#shared/rules/rule";
import { useDraft } from "../../hooks/useDraft";

export type IdentityField = "name" | "email" | "reason";
type Texts = Readonly<Record<IdentityField, string>>;
type Problems = Partial<Record<IdentityField | "root", string>>;

/** What is typed, and what it started from; until something is, the fields show what is current. */
const UNTOUCHED = {
  isTouched: false,
  name: "",
  email: "",
  reason: "",
  seenName: "",
  seenEmail: "",
};

/**
 * The form for a person's name and e-mail. `seen` is what it started from; `judge` returns whether it may be saved.
 */
export function useIdentityEdit(userId: string, current: Identity, onEdit: () => void) {
  const [draft, setDraft, forgetDraft] = useDraft(`identity-${userId}`, UNTOUCHED);
  const [problems, setProblems] = useState<Problems>({});
  const seen = draft.isTouched ? { name: draft.seenName, email: draft.seenEmail } : current;
  const { name, email, reason } = draft.isTouched ? draft : { ...current, reason: "" };
  const texts: Texts = { name, email, reason };
  return {
    seen,
    texts,
    problems,
    edit: (field: IdentityField, text: string) => {
      const started = { isTouched: true, seenName: seen.name, seenEmail: seen.email };
      setDraft({ ...texts, ...started, [field]: text });
      setProblems({ ...problems, [field]: undefined, root: undefined });
      onEdit();
    },
    judge: (): boolean => {
      const found = problemsOf(texts, seen);
      setProblems(found);
      return Object.keys(found).length === 0;
    },
    clearProblems: () => setProblems({}),
    forget: forgetDraft,
  };
}

const REQUIRED: Readonly<Record<string, string>> = {
  name: "Full Name is required",
  email: "Email is required",
};

/** Sentences by field, in the order of the fields. */
function problemsOf(texts: Texts, seen: Identity): Problems {
  const found = refusalsByField(IDENTITY_RULES, texts, seen).map(({ field, code }) => [
    field,
    code === "FILL_REQUIRED_FIELDS" ? REQUIRED[field] : MESSAGES[code],
  ]);
  const noReason = texts.reason.trim() === "" ? { reason: MESSAGES.REASON_REQUIRED } : {};
  return { ...(Object.fromEntries(found) as Problems), ...noReason };
}
