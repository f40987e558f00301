/**
 * The application form as data: six sections with the spec's names, their fields in order, and what the browser may
 * autofill.
 */
import { ID_CARD_TYPES, MARITAL_STATUSES } from "#shared/validators";

/** What the form holds as text; passwords are kept apart and never stored. */
export const EMPTY_APPLICATION = {
  email: "",
  firstName: "",
  lastName: "",
  dateOfBirth: "",
  nationality: "",
  maritalStatus: "",
  street: "",
  city: "",
  state: "",
  country: "",
  postalCode: "",
  phoneNumber: "",
  alternativeEmail: "",
  emergencyName: "",
  emergencyRelationship: "",
  emergencyPhone: "",
  idCardType: "",
  idCardNumber: "",
};
export type ApplicationValues = typeof EMPTY_APPLICATION;

export const EMPTY_PASSWORDS = { password: "", confirmPassword: "" };
export type Passwords = typeof EMPTY_PASSWORDS;

export type FieldName = keyof ApplicationValues | keyof Passwords;

export interface FieldSpec {
  name: FieldName;
  label: string;
  kind: "text" | "email" | "tel" | "date" | "password" | "select" | "country";
  autoComplete: string;
  options?: readonly string[];
  hint?: string;
  isOptional?: boolean;
  /** Takes up the whole row. */
  isWide?: boolean;
}

interface Section {
  id: string;
  legend: string;
  fields: readonly FieldSpec[];
}

export const SECTIONS: readonly Section[] = [
  {
    id: "account-information",
    legend: "Account Information",
    fields: [
      { name: "email", label: "Email", kind: "email", autoComplete: "username", isWide: true },
      {
        name: "password",
        label: "Password",
        kind: "password",
        autoComplete: "new-password",
        hint: "At least 6 characters.",
      },
      {
        name: "confirmPassword",
        label: "Confirm Password",
        kind: "password",
        autoComplete: "new-password",
      },
    ],
  },
  {
    id: "personal-information",
    legend: "Personal Information",
    fields: [
      { name: "firstName", label: "First Name", kind: "text", autoComplete: "given-name" },
      { name: "lastName", label: "Last Name", kind: "text", autoComplete: "family-name" },
      { name: "dateOfBirth", label: "Date of Birth", kind: "date", autoComplete: "bday" },
      { name: "nationality", label: "Nationality", kind: "text", autoComplete: "off" },
      {
        name: "maritalStatus",
        label: "Marital Status",
        kind: "select",
        autoComplete: "off",
        options: MARITAL_STATUSES,
      },
    ],
  },
  {
    id: "address-information",
    legend: "Address Information",
    fields: [
      {
        name: "street",
        label: "Street Address",
        kind: "text",
        autoComplete: "address-line1",
        isWide: true,
      },
      { name: "city", label: "City", kind: "text", autoComplete: "address-level2" },
      { name: "state", label: "State", kind: "text", autoComplete: "address-level1" },
      { name: "country", label: "Country", kind: "country", autoComplete: "country-name" },
      { name: "postalCode", label: "Postal Code", kind: "text", autoComplete: "postal-code" },
    ],
  },
  {
    id: "contact-information",
    legend: "Contact Information",
    fields: [
      { name: "phoneNumber", label: "Phone Number", kind: "tel", autoComplete: "tel" },
      {
        name: "alternativeEmail",
        label: "Alternative Email",
        kind: "email",
        autoComplete: "off",
        isOptional: true,
      },
    ],
  },
  {
    id: "emergency-contact",
    legend: "Emergency Contact",
    fields: [
      { name: "emergencyName", label: "Contact Name", kind: "text", autoComplete: "off" },
      {
        name: "emergencyRelationship",
        label: "Relationship",
        kind: "text",
        autoComplete: "off",
        hint: "Such as spouse, parent or friend.",
      },
      { name: "emergencyPhone", label: "Contact Phone", kind: "tel", autoComplete: "off" },
    ],
  },
  {
    id: "identification-document",
    legend: "Identification Document",
    fields: [
      {
        name: "idCardType",
        label: "ID Type",
        kind: "select",
        autoComplete: "off",
        options: ID_CARD_TYPES,
      },
      { name: "idCardNumber", label: "ID Number", kind: "text", autoComplete: "off" },
    ],
  },
];

/** Id of a field's control; problems link to it. */
export const fieldIdOf = (name: FieldName): string => `application-${name}`;

/** All fields in form order, in which problems are listed. */
export const FIELDS: readonly FieldSpec[] = SECTIONS.flatMap((section) => section.fields);
