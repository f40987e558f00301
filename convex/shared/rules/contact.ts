/**
 * The contact form: spec section 5 "Contact form" (name, email, subject and message are required).
 */
import { isEmail } from "../email";
import { LONG_TEXT_LENGTH_MAX, NAME_LENGTH_MAX, PHONE_LENGTH_MAX } from "../limits";
import { isBlank, isPlainMessage, isPlainText } from "../plainText";
import { CONTACT_METHODS, CONTACT_SUBJECTS } from "../validators";
import type { DraftOf, Rule } from "./rule";
import { z } from "./zod";

/** The mutation's arguments. */
export const contactCommand = z.object({
  name: z.string().trim(),
  email: z.string().trim(),
  phone: z.string().trim().optional(),
  subject: z.enum(CONTACT_SUBJECTS),
  message: z.string().trim(),
  preferredContact: z.enum(CONTACT_METHODS),
});
export type ContactDraft = DraftOf<z.output<typeof contactCommand>>;

export const CONTACT_RULES: readonly Rule<ContactDraft>[] = [
  { code: "FILL_REQUIRED_FIELDS", field: "name", refuses: (draft) => isBlank(draft.name) },
  { code: "FILL_REQUIRED_FIELDS", field: "email", refuses: (draft) => isBlank(draft.email) },
  { code: "FILL_REQUIRED_FIELDS", field: "subject", refuses: (draft) => isBlank(draft.subject) },
  { code: "FILL_REQUIRED_FIELDS", field: "message", refuses: (draft) => isBlank(draft.message) },
  { code: "INVALID_EMAIL", field: "email", refuses: (draft) => !isEmail(draft.email.trim()) },
  {
    code: "INVALID_TEXT",
    field: "name",
    refuses: (draft) => !isPlainText(draft.name, NAME_LENGTH_MAX),
  },
  {
    code: "INVALID_TEXT",
    field: "phone",
    refuses: ({ phone = "" }) => !isPlainText(phone, PHONE_LENGTH_MAX),
  },
  {
    code: "INVALID_TEXT",
    field: "message",
    refuses: (draft) => !isPlainMessage(draft.message, LONG_TEXT_LENGTH_MAX),
  },
];
