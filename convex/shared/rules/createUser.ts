/**
 * The admin's "Create New User" form.
 *
 * Spec section 5 "Admin": name, e-mail, phone, password, role, street, city, state and ZIP are
 * required; balances are at least 0. Ours: the e-mail's pattern, the password rules, plain texts.
 */
import { canonicalEmail, isEmail } from "../email";
import { ADDRESS_LINE_LENGTH_MAX, PHONE_LENGTH_MAX } from "../limits";
import { isBlank } from "../plainText";
import { SETTABLE_ROLES } from "../validators";
import { isBalance } from "./amount";
import { PASSWORD_RULES, type PasswordFacts } from "./password";
import type { DraftOf, Rule } from "./rule";
import { isOneOf, plainTextRule } from "./text";
import { z } from "./zod";

/** Opening balances of one account. */
const balances = z.object({ availableCents: z.bigint(), balanceCents: z.bigint() });

/** The action's arguments. */
export const createUserCommand = z.object({
  name: z.string().trim(),
  email: z.string().trim(),
  phone: z.string().trim(),
  password: z.string(),
  role: z.enum(SETTABLE_ROLES),
  street: z.string().trim(),
  city: z.string().trim(),
  state: z.string().trim(),
  zipCode: z.string().trim(),
  checking: balances,
  savings: balances,
});
export type CreateUserCommand = z.output<typeof createUserCommand>;
export type CreateUserDraft = DraftOf<CreateUserCommand>;

const REQUIRED = [
  "name",
  "email",
  "phone",
  "password",
  "role",
  "street",
  "city",
  "state",
  "zipCode",
] as const satisfies readonly (keyof CreateUserDraft)[];

const requiredRule = (field: (typeof REQUIRED)[number]): Rule<CreateUserDraft, PasswordFacts> => ({
  code: "FILL_REQUIRED_FIELDS",
  field,
  refuses: (draft) => isBlank(draft[field]),
});

const balanceRule = (
  account: "checking" | "savings",
  kind: "availableCents" | "balanceCents",
): Rule<CreateUserDraft, PasswordFacts> => ({
  code: "INVALID_AMOUNT",
  field: `${account}.${kind}`,
  refuses: (draft) => !isBalance(draft[account][kind]),
});

export const CREATE_USER_RULES: readonly Rule<CreateUserDraft, PasswordFacts>[] = [
  ...REQUIRED.map(requiredRule),
  {
    code: "FILL_REQUIRED_FIELDS",
    field: "role",
    refuses: (draft) => !isOneOf(SETTABLE_ROLES, draft.role),
  },
  {
    code: "INVALID_EMAIL",
    field: "email",
    refuses: (draft) => !isEmail(canonicalEmail(draft.email)),
  },
  ...PASSWORD_RULES,
  ...(["checking", "savings"] as const).flatMap((account) => [
    balanceRule(account, "availableCents"),
    balanceRule(account, "balanceCents"),
  ]),
  plainTextRule("phone", PHONE_LENGTH_MAX),
  ...(["name", "street", "city", "state", "zipCode"] as const).map((field) =>
    plainTextRule(field, ADDRESS_LINE_LENGTH_MAX),
  ),
];
