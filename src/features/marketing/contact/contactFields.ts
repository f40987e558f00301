import type { ContactMethod, ContactSubject } from "#shared/validators";

export const SUBJECT_OPTIONS: readonly { value: ContactSubject; label: string }[] = [
  { value: "general", label: "General" },
  { value: "account", label: "Account" },
  { value: "loan", label: "Loan" },
  { value: "technical", label: "Technical" },
];

export const METHOD_OPTIONS: readonly { value: ContactMethod; label: string }[] = [
  { value: "email", label: "Email" },
  { value: "phone", label: "Phone" },
];

/** Field ids, so that the alert can link to a field. */
export const CONTACT_FIELD_IDS = {
  name: "contact-name",
  email: "contact-email",
  phone: "contact-phone",
  subject: "contact-subject",
  message: "contact-message",
} as const;

export type ContactField = keyof typeof CONTACT_FIELD_IDS;

/** What the form holds, as text. */
export type ContactDraft = Record<ContactField | "preferredContact", string>;
