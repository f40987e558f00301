/** Runs a search: candidates by words, equality filters, ranking. */
import type { SearchPlan } from "./queryPlan.ts";
import { compareValues } from "convex/values";
import type { CursorPosition } from "./cursor.ts";
import type { Doc } from "./document.ts";
import { fieldAt } from "./expressions.ts";
import { AFTER_PREFIX, encodeKeyValue } from "./keyEncoding.ts";
import type { PageRows } from "./pagination.ts";
import { tokenize, wordPrefix } from "./search.ts";
import type { Row } from "./rowCursor.ts";
import type { KeyRange } from "./types.ts";
import { fromUntrustedJson } from "./values.ts";

const TERMS_MAX = 16;
/** As on the real backend, which has twice as many fields to filter by. */
const FILTERS_MAX = 8;
/** Hits one search has; reading on behind them is refused, as on the real backend. */
const HITS_MAX = 1024;
const TOO_MANY =
  `Search query scanned too many documents (fetched ${HITS_MAX}). Consider using a smaller limit, ` +
  "paginating the query, or using a filter field to limit the number of documents pulled from the " +
  "search index.";
/** An exact match counts more than a prefix match of the last word. */
const EXACT_SCORE = 2;
const PREFIX_SCORE = 1;

function searchText(plan: SearchPlan): string {
  const against = `Search query against ${plan.table.name}.${plan.index.name}`;
  const [filter, ...others] = plan.filters.filter((each) => each.type === "Search");
  if (filter === undefined) {
    throw new Error(
      `${against} does not contain any search filters. You must include a search filter like \`q.search("field", searchText)\`.`,
    );
  }
  const { searchField } = plan.index.search;
  const wrong = plan.filters.find(
    ({ type, fieldPath }) => type === "Search" && fieldPath !== searchField,
  );
  if (wrong !== undefined) {
    throw new Error(
      `${against} contains a search filter against "${wrong.fieldPath}", which doesn't match the indexed \`searchField\` "${searchField}".`,
    );
  }
  if (others.length > 0) {
    throw new Error(
      `${against} contains multiple search filters against "${searchField}". Only one is allowed.`,
    );
  }
  return filter.value;
}

function equalityTests(plan: SearchPlan): ((doc: Doc) => boolean)[] {
  const filters = plan.filters.filter((filter) => filter.type === "Eq");
  if (filters.length > FILTERS_MAX) {
    throw new Error(
      `Search query against ${plan.table.name}.${plan.index.name} has too many filter conditions. Max: ${FILTERS_MAX} Actual: ${filters.length}`,
    );
  }
  return filters.map(({ fieldPath, value }) => {
    if (!plan.index.search.filterFields.includes(fieldPath)) {
      throw new Error(
        `Search query against ${plan.table.name}.${plan.index.name} contains an equality filter on "${fieldPath}" but that field isn't indexed for filtering in \`filterFields\`.`,
      );
    }
    const path = fieldPath.split(".");
    const wanted = fromUntrustedJson(value);
    return (doc) => compareValues(fieldAt(doc.fields, path), wanted) === 0;
  });
}

/** Sort key of a hit: best score first, then newest. Search cursors hold it. */
function sortKeyOf(doc: Doc, score: number): string {
  return encodeKeyValue(-score) + encodeKeyValue(-doc.creationTime) + encodeKeyValue(doc.id);
}

/**
 * Documents that contain any of the words, best first. The last word also matches as a prefix.
 * @param rowsOf reads one range of the search index and adds it to the read set
 * @throws Error unless there is exactly one search filter, on the index's field; then for too many equality
 *   filters, or one on a field that the index does not offer
 */
export function runSearch(plan: SearchPlan, rowsOf: (range: KeyRange) => Iterable<Row>): Row[] {
  const words = tokenize(searchText(plan)).slice(0, TERMS_MAX);
  const tests = equalityTests(plan);
  // By id: a view of an older store snapshot reads a document anew, as another object, for each entry.
  const scores = new Map<string, number>();
  const docs = new Map<string, Doc>();
  words.forEach((word, at) => {
    const start = wordPrefix(plan.index, word);
    const isLast = at === words.length - 1;
    const range = isLast
      ? { low: start, high: start + AFTER_PREFIX }
      : { low: start + "\x00", high: start + "\x01" };
    const counted = new Map<string, number>();
    for (const { key, doc } of rowsOf(range)) {
      if (!tests.every((test) => test(doc))) continue;
      const score = key.startsWith(start + "\x00") ? EXACT_SCORE : PREFIX_SCORE;
      counted.set(doc.id, Math.max(score, counted.get(doc.id) ?? 0));
      docs.set(doc.id, doc);
    }
    for (const [id, score] of counted) scores.set(id, (scores.get(id) ?? 0) + score);
  });
  return [...docs.values()]
    .map((doc) => ({ key: sortKeyOf(doc, scores.get(doc.id) ?? 0), doc }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, HITS_MAX);
}

/** The hits after `start` and up to `end`; both may be absent. Its `next` throws behind the last possible hit. */
export function hitsBetween(
  hits: readonly Row[],
  start?: CursorPosition,
  end?: CursorPosition,
): PageRows {
  const isInside = ({ key }: Row): boolean =>
    start !== null &&
    (start === undefined || key > start) &&
    (end === undefined || end === null || key <= end);
  const rows = hits.filter(isInside);
  let at = 0;
  return {
    next: () => {
      if (at === HITS_MAX) throw new Error(TOO_MANY);
      return rows[at++] ?? null;
    },
    close: () => void (rows.length = 0),
  };
}
