/** The `{name}` places of a sentence. */

/** `text` with its places filled in, in one pass: a value's text is never read as a place or a pattern. */
export function fillPlaces(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
}
