/** What the two forms that change a password share. */
import type { ErrorCode } from "#shared/errors";

export const NO_PASSWORDS = { currentPassword: "", newPassword: "", confirmPassword: "" };
type PasswordDraft = typeof NO_PASSWORDS;
export type PasswordField = keyof PasswordDraft;

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
export function refusedPasswordFields(
  code: ErrorCode | undefined,
  draft: PasswordDraft,
): readonly PasswordField[] {
  if (code === undefined) return [];
  if (code === "FILL_REQUIRED_FIELDS") return FIELDS.filter((name) => draft[name] === "");
  return FIELDS.filter((name) => name === FIELD_OF[code]);
}

export const passwordHint = (minLength: number): string => `At least ${minLength} characters.`;
