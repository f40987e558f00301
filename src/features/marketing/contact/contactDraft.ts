import { clearDraft, readDraft, writeDraft } from "../../../lib/drafts";
import { formText } from "../../../lib/formText";
import { CONTACT_FIELD_IDS, type ContactDraft, type ContactField } from "./contactFields";

/** Name of the form's draft. */
export const CONTACT_DRAFT = "contact";
const FIELDS = Object.keys(CONTACT_FIELD_IDS) as ContactField[];

/** What is in the form's fields. */
export function contactDraftOf(form: HTMLFormElement): ContactDraft {
  const data = new FormData(form);
  const text = (name: keyof ContactDraft): string => formText(data, name);
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    subject: text("subject"),
    message: text("message"),
    preferredContact: text("preferredContact"),
  };
}

/** Keeps the form's contents through a reload and visits to other pages. */
export const keepContactDraft = (form: HTMLFormElement): void =>
  writeDraft(CONTACT_DRAFT, contactDraftOf(form));

/** For a message that was sent. */
export const forgetContactDraft = (): void => clearDraft(CONTACT_DRAFT);

/**
 * Fills empty fields with what was kept; what was typed before React took over the page stays. Returns the chosen
 * contact method, which is React state.
 */
export function restoreContactDraft(form: HTMLFormElement): string {
  const typed = contactDraftOf(form);
  const kept = readDraft(CONTACT_DRAFT, typed);
  for (const name of FIELDS) {
    const field = form.elements.namedItem(name);
    if (typed[name] !== "" || field === null || !("value" in field)) continue;
    field.value = kept[name];
  }
  return kept.preferredContact;
}
