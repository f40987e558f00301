/**
 * A member's own contact details and password change (product decisions, section 5).
 */
import { canonicalEmail, isOptionalEmail } from "../email";
import { ADDRESS_LINE_LENGTH_MAX, NAME_LENGTH_MAX, PHONE_LENGTH_MAX } from "../limits";
import { arePlainTexts, isBlank, normalForm } from "../plainText";
import { PASSWORD_RULES, type PasswordFacts } from "./password";
import type { DraftOf, Rule } from "./rule";
import { plainTextRule } from "./text";
import { z } from "./zod";

/** As the sign-up takes it. */
const EMERGENCY_LENGTH_MAX = Math.max(NAME_LENGTH_MAX, ADDRESS_LINE_LENGTH_MAX);

const contactDetails = z.object({
  phone: z.string().trim(),
  alternativeEmail: z.string().transform(canonicalEmail).optional(),
  address: z.object({
    street: z.string().trim(),
    city: z.string().trim(),
    state: z.string().trim(),
    country: z.string().trim().optional(),
    postalCode: z.string().trim(),
  }),
  /** Absent: it stays as it is. */
  emergencyContact: z
    .object({
      name: z.string().trim(),
      relationship: z.string().trim(),
      phone: z.string().trim(),
    })
    .optional(),
});
export type ContactDetailsDraft = DraftOf<z.output<typeof contactDetails>>;

/** The mutation's arguments; an empty alternative e-mail is left out. */
export const contactDetailsCommand = contactDetails.transform(
  ({ alternativeEmail = "", ...rest }) =>
    alternativeEmail === "" ? rest : { ...rest, alternativeEmail },
);
export type ContactDetailsCommand = z.output<typeof contactDetailsCommand>;

const requiredAddressRule = (
  field: "street" | "city" | "state" | "postalCode",
): Rule<ContactDetailsDraft> => ({
  code: "FILL_REQUIRED_FIELDS",
  field,
  refuses: (draft) => isBlank(draft.address[field]),
});

const addressTextRule = (
  field: keyof ContactDetailsDraft["address"],
): Rule<ContactDetailsDraft> => ({
  code: "INVALID_TEXT",
  field,
  refuses: (draft) => !arePlainTexts([draft.address[field]], ADDRESS_LINE_LENGTH_MAX),
});

/** The part of the emergency contact that each field of the form holds. */
const EMERGENCY_PARTS = {
  emergencyName: "name",
  emergencyRelationship: "relationship",
  emergencyPhone: "phone",
} as const;
const EMERGENCY_FIELDS = ["emergencyName", "emergencyRelationship", "emergencyPhone"] as const;
type EmergencyField = (typeof EMERGENCY_FIELDS)[number];

const requiredEmergencyRule = (field: EmergencyField): Rule<ContactDetailsDraft> => ({
  code: "FILL_REQUIRED_FIELDS",
  field,
  refuses: ({ emergencyContact }) =>
    emergencyContact !== undefined && isBlank(emergencyContact[EMERGENCY_PARTS[field]]),
});

const emergencyTextRule = (field: EmergencyField): Rule<ContactDetailsDraft> => ({
  code: "INVALID_TEXT",
  field,
  refuses: ({ emergencyContact }) =>
    !arePlainTexts([emergencyContact?.[EMERGENCY_PARTS[field]]], EMERGENCY_LENGTH_MAX),
});

export const CONTACT_DETAILS_RULES: readonly Rule<ContactDetailsDraft>[] = [
  { code: "FILL_REQUIRED_FIELDS", field: "phone", refuses: (draft) => isBlank(draft.phone) },
  requiredAddressRule("street"),
  requiredAddressRule("city"),
  requiredAddressRule("state"),
  requiredAddressRule("postalCode"),
  ...EMERGENCY_FIELDS.map(requiredEmergencyRule),
  {
    code: "INVALID_EMAIL",
    field: "alternativeEmail",
    refuses: ({ alternativeEmail }) => !isOptionalEmail(alternativeEmail),
  },
  plainTextRule("phone", PHONE_LENGTH_MAX),
  ...(["street", "city", "state", "country", "postalCode"] as const).map(addressTextRule),
  ...EMERGENCY_FIELDS.map(emergencyTextRule),
];

type PasswordChangeDraft = {
  readonly email: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
};

/** For form and server; the server passes the new password as its own confirmation. */
export const PASSWORD_CHANGE_RULES: readonly Rule<PasswordChangeDraft, PasswordFacts>[] = [
  {
    code: "FILL_REQUIRED_FIELDS",
    refuses: (draft) => draft.currentPassword === "" || draft.newPassword === "",
  },
  {
    code: "PASSWORDS_DIFFER",
    field: "confirmPassword",
    refuses: (draft) => draft.newPassword !== draft.confirmPassword,
  },
  {
    // Otherwise whoever set or saw the current password would still know it. Hashes use the same form.
    code: "PASSWORD_UNCHANGED",
    field: "newPassword",
    refuses: (draft) =>
      normalForm(draft.newPassword, "NFC") === normalForm(draft.currentPassword, "NFC"),
  },
  ...PASSWORD_RULES.map((rule) => ({
    code: rule.code,
    field: "newPassword",
    refuses: ({ newPassword, email }: PasswordChangeDraft, facts: PasswordFacts) =>
      rule.refuses({ password: newPassword, email }, facts),
  })),
];
