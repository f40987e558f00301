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

/** One spelling for searching: NFKC, lower case, single spaces. */
function searchable(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/gu, " ").toLowerCase();
}

/**
 * What a person is found by, in alphabetical order and without repeats: the e-mail, the whole name
 * and the name from each further word on ("maria lopez diaz", "lopez diaz", "diaz").
 */
export function searchKeys(person: { name?: string | undefined; email: string }): string[] {
  const words = searchable(displayName(person)).split(" ");
  const tails = words.map((_, at) => words.slice(at).join(" "));
  return [...new Set([person.email, ...tails])].sort();
}
