import { messageFor } from "#shared/errors";
import { CONTACT_RULES } from "#shared/rules/contact";
import { refusalsByField } from "#shared/rules/rule";
import type { ContactMethod, ContactSubject } from "#shared/validators";
import { CONTACT_FIELD_IDS, type ContactDraft, type ContactField } from "./contactFields";
import type { ContactMessage } from "./sendContact";
import type { ContactProblem } from "./useContactForm";

/** What is wrong with the form, by field in form order, or the message to send. */
export type JudgedContact =
  { readonly problems: readonly ContactProblem[] } | { readonly message: ContactMessage };

/** Judges the form by the rules that the server also applies. */
export function judgeContact(draft: ContactDraft): JudgedContact {
  const problems = refusalsByField(CONTACT_RULES, draft, undefined).map(({ field, code }) => ({
    field: isContactField(field) ? field : ("root" as const),
    message: messageFor(code),
  }));
  if (problems.length > 0) return { problems };
  const phone = draft.phone.trim();
  return {
    message: {
      name: draft.name.trim(),
      email: draft.email.trim(),
      // The rules above have refused every other value.
      subject: draft.subject as ContactSubject,
      message: draft.message.trim(),
      preferredContact: draft.preferredContact as ContactMethod,
      ...(phone !== "" && { phone }),
    },
  };
}

function isContactField(field: string): field is ContactField {
  return Object.hasOwn(CONTACT_FIELD_IDS, field);
}
