/**
 * Full-text search: splitting documents and queries into words.
 *
 * Entries are in an ordered index: `[word] [_id]`, so a word prefix is one byte range. Ranking and equality
 * filters are in searchQuery.ts.
 */
import type { Value } from "convex/values";
import type { IndexInfo, SearchIndexInfo } from "./catalog.ts";
import { fieldAt } from "./expressions.ts";
import { encodeKeyValue, utf8Key } from "./keyEncoding.ts";
import type { DocumentValue, IndexKey } from "./types.ts";

const WORD = /[\p{Alphabetic}\p{N}]+/gu;
const WORD_MAX_CHARS = 32;

/** The lower-case words of a text, in order; words of more than 32 characters are left out. */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (word.length <= WORD_MAX_CHARS) words.push(word);
  }
  return words;
}

/** Common start of the keys of a word, or of all words with that prefix. */
export function wordPrefix(index: IndexInfo, word: string): IndexKey {
  return `${index.prefix}\x10${utf8Key(word)}`;
}

/** Adds the keys of one document in a search index to `keys`. */
export function searchKeys(
  index: SearchIndexInfo,
  fields: DocumentValue,
  id: string,
  keys: IndexKey[],
): void {
  const text: Value | undefined = fieldAt(fields, index.search.searchField.split("."));
  if (typeof text !== "string") return;
  for (const word of new Set(tokenize(text))) {
    keys.push(`${wordPrefix(index, word)}\x00${encodeKeyValue(id)}`);
  }
}
