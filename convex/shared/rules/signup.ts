/**
 * The membership application: order of refusals, and what is sent.
 *
 * Spec section 5 "Signup", section 2 "Signup form". Spec silent on the order beyond its list and on
 * the sentence of a missing field: e-mail pattern, equal passwords, required fields, password.
 */
import type { Infer } from "convex/values";
import { isDate } from "../dates";
import { canonicalEmail, isEmail, isOptionalEmail } from "../email";
import { ADDRESS_LINE_LENGTH_MAX, NAME_LENGTH_MAX, PHONE_LENGTH_MAX } from "../limits";
import { isBlank } from "../plainText";
import { ID_CARD_TYPES, MARITAL_STATUSES, type vApplication } from "../validators";
import { PASSWORD_RULES, type PasswordFacts } from "./password";
import type { Rule } from "./rule";
import { isOneOf, plainTextRule } from "./text";

/** Everything but e-mail and password; travels as `application` with the sign-up. */
export type Application = Readonly<Infer<typeof vApplication>>;

/** Required fields in the order of the form. */
const REQUIRED_APPLICATION_FIELDS = [
  "firstName",
  "lastName",
  "dateOfBirth",
  "nationality",
  "maritalStatus",
  "street",
  "city",
  "state",
  "country",
  "postalCode",
  "phoneNumber",
  "emergencyName",
  "emergencyRelationship",
  "emergencyPhone",
  "idCardType",
  "idCardNumber",
] as const satisfies readonly (keyof Application)[];

/** Fields of any text, in the order of the form. */
const FREE_TEXT_FIELDS = [
  "firstName",
  "lastName",
  "nationality",
  "street",
  "city",
  "state",
  "country",
  "postalCode",
  "alternativeEmail",
  "emergencyName",
  "emergencyRelationship",
  "emergencyPhone",
  "idCardNumber",
] as const satisfies readonly (keyof Application)[];

export type SignupDraft = Application & {
  readonly email: string;
  readonly password: string;
  readonly confirmPassword: string;
};

/** `todayIso` is today in the credit union's time zone (shared/dates `dateOf`). */
type ApplicationFacts = { readonly todayIso: string };
export type SignupFacts = ApplicationFacts & PasswordFacts;

const EARLIEST_BIRTH = "1900-01-01";
const TEXT_LENGTH_MAX = Math.max(NAME_LENGTH_MAX, ADDRESS_LINE_LENGTH_MAX);

const isBirthDate = (text: string, todayIso: string): boolean =>
  isDate(text) && text >= EARLIEST_BIRTH && text < todayIso;

const requiredRule = (
  field: (typeof REQUIRED_APPLICATION_FIELDS)[number],
): Rule<Application, ApplicationFacts> => ({
  code: "FILL_REQUIRED_FIELDS",
  field,
  refuses: (draft) => isBlank(draft[field]),
});

const REQUIRED_FIELD_RULES = REQUIRED_APPLICATION_FIELDS.map(requiredRule);

const CONTENT_RULES: readonly Rule<Application, ApplicationFacts>[] = [
  {
    code: "FILL_REQUIRED_FIELDS",
    field: "maritalStatus",
    refuses: (draft) => !isOneOf(MARITAL_STATUSES, draft.maritalStatus),
  },
  {
    code: "FILL_REQUIRED_FIELDS",
    field: "idCardType",
    refuses: (draft) => !isOneOf(ID_CARD_TYPES, draft.idCardType),
  },
  {
    code: "INVALID_DATE_OF_BIRTH",
    field: "dateOfBirth",
    refuses: (draft, facts) => !isBirthDate(draft.dateOfBirth, facts.todayIso),
  },
  {
    code: "INVALID_EMAIL",
    field: "alternativeEmail",
    refuses: ({ alternativeEmail }) => !isOptionalEmail(alternativeEmail),
  },
  // No longer than its owner may make it later.
  plainTextRule("phoneNumber", PHONE_LENGTH_MAX),
  ...FREE_TEXT_FIELDS.map((field) => plainTextRule(field, TEXT_LENGTH_MAX)),
];

/** Rules of the application itself, which the server judges on their own. */
export const APPLICATION_RULES: readonly Rule<Application, ApplicationFacts>[] = [
  ...REQUIRED_FIELD_RULES,
  ...CONTENT_RULES,
];

/** Every rule of the form, in order of precedence. */
export const SIGNUP_RULES: readonly Rule<SignupDraft, SignupFacts>[] = [
  {
    code: "INVALID_EMAIL",
    field: "email",
    // As typed or as stored; the server judges what is stored, in words of its own.
    refuses: ({ email }) => ![email.trim(), canonicalEmail(email)].some(isEmail),
  },
  {
    code: "PASSWORDS_DIFFER",
    field: "confirmPassword",
    refuses: (draft) => draft.password !== draft.confirmPassword,
  },
  {
    code: "FILL_REQUIRED_FIELDS",
    field: "password",
    refuses: (draft) => draft.password === "",
  },
  ...REQUIRED_FIELD_RULES,
  ...PASSWORD_RULES,
  ...CONTENT_RULES,
];

/** What `auth:signIn` receives besides e-mail and password: trimmed texts, the alternative e-mail in canonical form. */
export function applicationOf(draft: Application): Application {
  const { alternativeEmail = "" } = draft;
  const required = Object.fromEntries(
    REQUIRED_APPLICATION_FIELDS.map((field) => [field, draft[field].trim()]),
  ) as Record<(typeof REQUIRED_APPLICATION_FIELDS)[number], string>;
  const alternative = canonicalEmail(alternativeEmail);
  return alternative === "" ? required : { ...required, alternativeEmail: alternative };
}
