/** The text of a field, as it stands in a form; "" for a file or a field that is not there. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
