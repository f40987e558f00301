/** The "Create New User" form as text: fields, defaults, and how the shared rules judge it. */
import { messageFor, type ErrorCode } from "#shared/errors";
import { parseAmount } from "#shared/money";
import {
  CREATE_USER_RULES,
  createUserCommand,
  type CreateUserCommand,
  type CreateUserDraft,
} from "#shared/rules/createUser";
import { SPECIFIED_PASSWORD_FACTS } from "#shared/rules/password";
import { refusalsByField } from "#shared/rules/rule";
import { clearDraft, readDraft, writeDraft } from "../../lib/drafts";
import type { FieldError, ResolverResult } from "react-hook-form";

export interface CreateUserTexts {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
  readonly role: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  readonly checkingAvailable: string;
  readonly checkingBalance: string;
  readonly savingsAvailable: string;
  readonly savingsBalance: string;
}
export type CreateUserField = keyof CreateUserTexts;

/** Spec section 4 "Create-user modal": role user, both balances 0. */
export const CREATE_USER_DEFAULTS: CreateUserTexts = {
  name: "",
  email: "",
  phone: "",
  password: "",
  role: "user",
  street: "",
  city: "",
  state: "",
  zipCode: "",
  checkingAvailable: "0",
  checkingBalance: "0",
  savingsAvailable: "0",
  savingsBalance: "0",
};

export const NEW_USER_DRAFT_KEY = "new-user";

/** The form as a time-out left it, without its password. */
export function keptNewUser(): CreateUserTexts {
  return { ...readDraft(NEW_USER_DRAFT_KEY, CREATE_USER_DEFAULTS), password: "" };
}

export function keepNewUser({ password: _never, ...texts }: CreateUserTexts): void {
  writeDraft(NEW_USER_DRAFT_KEY, texts);
}

export const forgetNewUser = (): void => clearDraft(NEW_USER_DRAFT_KEY);

const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: "Full Name",
  email: "Email",
  phone: "Phone Number",
  password: "Password",
  role: "Role",
  street: "Street Address",
  city: "City",
  state: "State",
  zipCode: "ZIP Code",
  "checking.availableCents": "Checking Available Balance",
  "checking.balanceCents": "Checking Current Balance",
  "savings.availableCents": "Savings Available Balance",
  "savings.balanceCents": "Savings Current Balance",
};

/** The control that a refusal of the rules belongs to. */
const CONTROL_OF: Readonly<Record<string, CreateUserField>> = {
  "checking.availableCents": "checkingAvailable",
  "checking.balanceCents": "checkingBalance",
  "savings.availableCents": "savingsAvailable",
  "savings.balanceCents": "savingsBalance",
};

/**
 * What the form checks itself: spec section 5 has no length or format rules for it beyond the browser's. The server
 * checks the rest, and its refusal is the failure that spec section 8 words; it names no field, so texts with a mark
 * that nobody sees are looked for here.
 */
const FORM_CODES: ReadonlySet<ErrorCode> = new Set([
  "FILL_REQUIRED_FIELDS",
  "INVALID_AMOUNT",
  "INVALID_TEXT",
]);
const FORM_RULES = CREATE_USER_RULES.filter(({ code }) => FORM_CODES.has(code));

/** Id of a field's control. */
export function createUserFieldId(field: CreateUserField): string {
  return `create-user-${field}`;
}

/** The form's resolver: the command, or the problems by control, in field order. */
export function judgeCreateUser(
  texts: CreateUserTexts,
): ResolverResult<CreateUserTexts, CreateUserCommand> {
  const draft: CreateUserDraft = {
    ...texts,
    checking: {
      availableCents: parseAmount(texts.checkingAvailable),
      balanceCents: parseAmount(texts.checkingBalance),
    },
    savings: {
      availableCents: parseAmount(texts.savingsAvailable),
      balanceCents: parseAmount(texts.savingsBalance),
    },
  };
  const refusals = refusalsByField(FORM_RULES, draft, SPECIFIED_PASSWORD_FACTS);
  if (refusals.length === 0) return { values: createUserCommand.parse(draft), errors: {} };
  const errors: Partial<Record<CreateUserField, FieldError>> = {};
  for (const { field, code } of refusals) {
    const control = CONTROL_OF[field] ?? (field as CreateUserField);
    errors[control] = { type: code, message: problemText(field, code) };
  }
  return { values: {}, errors };
}

/** Several fields may lack the same thing, so each problem names its field. */
function problemText(field: string, code: ErrorCode): string {
  const name = FIELD_NAMES[field];
  if (name === undefined) return messageFor(code);
  return code === "FILL_REQUIRED_FIELDS" ? `${name} is required` : `${name}: ${messageFor(code)}`;
}
