import { messageFor, type ErrorCode } from "#shared/errors";
import { PASSWORD_CHANGE_RULES } from "#shared/rules/profile";
import { firstRefusal } from "#shared/rules/rule";
import { useId, useState } from "react";
import type { Refusal } from "../lib/errorText";

const NO_PASSWORDS = { currentPassword: "", newPassword: "", confirmPassword: "" };
type PasswordDraft = typeof NO_PASSWORDS;
type PasswordField = keyof PasswordDraft;

/** What is sent; the confirmation stays in the form. */
export type PasswordChange = Omit<PasswordDraft, "confirmPassword">;

const FIELDS = Object.keys(NO_PASSWORDS) as PasswordField[];

const FIELD_OF: Partial<Record<ErrorCode, PasswordField>> = {
  CURRENT_PASSWORD_WRONG: "currentPassword",
  PASSWORDS_DIFFER: "confirmPassword",
  PASSWORD_UNCHANGED: "newPassword",
  PASSWORD_TOO_SHORT: "newPassword",
  WEAK_PASSWORD: "newPassword",
  PASSWORD_TOO_COMMON: "newPassword",
  PASSWORD_TOO_LONG: "newPassword",
};

/** The fields a refusal is about, in the form's order. */
function refusedFields(code: ErrorCode | undefined, draft: PasswordDraft) {
  if (code === undefined) return [];
  if (code === "FILL_REQUIRED_FIELDS") return FIELDS.filter((name) => draft[name] === "");
  return FIELDS.filter((name) => name === FIELD_OF[code]);
}

interface PasswordFormOptions {
  /** The person's e-mail address, which the password must not equal. */
  readonly email: string;
  /** Set by the policy in force. */
  readonly minLength: number;
  /** The server's refusal, until the next edit. */
  readonly serverRefusal: Refusal | null;
  readonly onEdit: () => void;
}

/** A form that changes a password; typed passwords are never kept as a draft. */
export function usePasswordForm(options: PasswordFormOptions) {
  const { email, minLength, serverRefusal, onEdit } = options;
  const formId = useId();
  const [draft, setDraft] = useState(NO_PASSWORDS);
  const [ownRefusal, setOwnRefusal] = useState<Refusal | null>(null);
  const refusal = ownRefusal ?? serverRefusal;
  const invalid = refusedFields(refusal?.code, draft);
  const alertId = `${formId}-alert`;
  const idOf = (name: PasswordField) => `${formId}-${name}`;

  /** What may be sent; null when the form itself refuses, with the focus at the first field in question. */
  const judge = (): PasswordChange | null => {
    const facts = { passwordMinLength: minLength };
    const code = firstRefusal(PASSWORD_CHANGE_RULES, { ...draft, email }, facts);
    if (code === null) {
      setOwnRefusal(null);
      return { currentPassword: draft.currentPassword, newPassword: draft.newPassword };
    }
    setOwnRefusal({ code, message: messageFor(code, { minimum: minLength }) });
    const [first = "currentPassword"] = refusedFields(code, draft);
    document.getElementById(idOf(first))?.focus();
    return null;
  };
  /** What to spread on the labelled control of a field. */
  const field = (name: PasswordField) => ({
    id: idOf(name),
    autoComplete: name === "currentPassword" ? "current-password" : "new-password",
    ...(name === "newPassword" ? { hint: `At least ${minLength} characters.` } : {}),
    value: draft[name],
    onChange: (event: { readonly target: { readonly value: string } }) => {
      const { value } = event.target;
      setDraft((before) => ({ ...before, [name]: value }));
      setOwnRefusal(null);
      onEdit();
    },
    isInvalid: invalid.includes(name),
    describedBy: invalid.includes(name) ? alertId : undefined,
  });
  return {
    field,
    /** What to spread on the alert. */
    alert: {
      id: alertId,
      message: refusal?.message,
      fieldId: invalid[0] === undefined ? undefined : idOf(invalid[0]),
    },
    judge,
    empty: () => setDraft(NO_PASSWORDS),
  };
}
