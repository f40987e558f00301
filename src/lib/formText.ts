/** The text of a form's field; "" for a file or a field that does not exist. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/**
 * What a date field holds: `value`, or "incomplete" while its date is half typed. Browsers call such a field empty: a
 * form would say that something is missing, or take it for no date at all.
 */
export function typedDate(fieldId: string, value: string): string {
  const field = document.getElementById(fieldId);
  return field instanceof HTMLInputElement && field.validity.badInput ? "incomplete" : value;
}
