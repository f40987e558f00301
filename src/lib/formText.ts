/** The text of a form's field; "" for a file or a field that does not exist. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
