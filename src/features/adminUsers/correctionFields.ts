/** The form of a correction as data: the groups of the verification, their fields in order. */
import type { Application } from "#shared/rules/signup";
import { ID_CARD_TYPES, MARITAL_STATUSES } from "#shared/validators";

export type CorrectionField = keyof Application | "reason";

interface FieldSpec {
  readonly name: keyof Application;
  readonly label: string;
  /** Plain text when absent. */
  readonly kind?: "date" | "tel" | "email" | "country";
  /** The choices of a list. */
  readonly options?: readonly string[];
  readonly isOptional?: boolean;
}

export const CORRECTION_GROUPS: readonly {
  readonly title: string;
  readonly fields: readonly FieldSpec[];
}[] = [
  {
    title: "Personal information",
    fields: [
      { name: "firstName", label: "First name" },
      { name: "lastName", label: "Last name" },
      { name: "dateOfBirth", label: "Date of birth", kind: "date" },
      { name: "nationality", label: "Nationality" },
      { name: "maritalStatus", label: "Marital status", options: MARITAL_STATUSES },
    ],
  },
  {
    title: "Address",
    fields: [
      { name: "street", label: "Street" },
      { name: "city", label: "City" },
      { name: "state", label: "State" },
      { name: "country", label: "Country", kind: "country" },
      { name: "postalCode", label: "Postal code" },
    ],
  },
  {
    title: "Contact details",
    fields: [
      { name: "phoneNumber", label: "Phone", kind: "tel" },
      { name: "alternativeEmail", label: "Alternative email", kind: "email", isOptional: true },
    ],
  },
  {
    title: "Emergency contact",
    fields: [
      { name: "emergencyName", label: "Contact name" },
      { name: "emergencyRelationship", label: "Relationship" },
      { name: "emergencyPhone", label: "Contact phone", kind: "tel" },
    ],
  },
  {
    title: "ID document",
    fields: [
      { name: "idCardType", label: "ID type", options: ID_CARD_TYPES },
      { name: "idCardNumber", label: "ID number" },
    ],
  },
];

/** The field's name above its control; "Reason" for the reason. */
export const labelOf = (name: string): string =>
  CORRECTION_GROUPS.flatMap(({ fields }) => fields).find((field) => field.name === name)?.label ??
  "Reason";
