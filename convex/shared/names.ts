/**
 * Names of people: what is shown and what is searched.
 */

import { normalForm } from "./plainText";

/** Spec section 3: the name defaults to the part of the e-mail before the @ if blank. */
export function displayName(person: { name?: string | undefined; email: string }): string {
  const name = person.name?.trim() ?? "";
  return name === "" ? (person.email.split("@")[0] ?? person.email) : name;
}

/** Spec section 2: greeting with the first word of the name, falling back to 'User'. */
export function firstName(name: string | undefined): string {
  return name?.trim().split(/\s+/u)[0] || "User";
}

/** One spelling for searching, for names and search texts alike: NFKC, lower case, single spaces, no commas. */
export function searchable(text: string): string {
  return normalForm(text, "NFKC")
    .replace(/[\s,]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** More words than names have; a long name hides nobody, because the e-mail is always a key. */
const SEARCH_WORDS_MAX = 11;
/** Most keys of one person: the words and the e-mail. */
export const SEARCH_KEYS_MAX = SEARCH_WORDS_MAX + 1;

/**
 * What a person is found by, in alphabetical order and without repeats: the e-mail, and the name begun at each of
 * its first eleven words ("maria lopez diaz", "lopez diaz maria", "diaz maria lopez").
 */
export function searchKeys(person: { name?: string | undefined; email: string }): string[] {
  const words = searchable(displayName(person)).split(" ");
  const turned = words
    .slice(0, SEARCH_WORDS_MAX)
    .map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(" "));
  return [...new Set([searchable(person.email), ...turned])].sort();
}
