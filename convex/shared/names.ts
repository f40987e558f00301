/**
 * Names of people: what is shown and what is searched.
 */

/** Spec section 3: the name defaults to the part of the e-mail before the @ if blank. */
export function displayName(person: { name?: string | undefined; email: string }): string {
  const name = person.name?.trim() ?? "";
  return name === "" ? (person.email.split("@")[0] ?? person.email) : name;
}

/** Spec section 2: greeting with the first word of the name, falling back to 'User'. */
export function firstName(name: string | undefined): string {
  return name?.trim().split(/\s+/u)[0] || "User";
}

/** Lower-case text for prefix search by name. */
export function searchName(name: string): string {
  return name.normalize("NFKC").trim().replace(/\s+/gu, " ").toLowerCase();
}
