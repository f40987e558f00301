/**
 * Translates a query from the client library's encoding into a byte range of one index plus operators. Range
 * and index errors are found here, with the official messages. Reads nothing.
 */
import type { Value } from "convex/values";
import type { Catalog, IndexInfo, SearchIndexInfo, TableInfo } from "./catalog.ts";
import { compileFilter } from "./expressions.ts";
import { AFTER_PREFIX, encodeKeyValue, keyAfter } from "./keyEncoding.ts";
import { QUERY_OPERATORS_MAX } from "./limits.ts";
import type {
  DocumentValue,
  IndexRange,
  KeyRange,
  QueryJson,
  QueryOperatorJson,
  RangeBound,
  RangeBoundJson,
  SearchFilterJson,
} from "./types.ts";
import { displayValue, fromUntrustedJson } from "./values.ts";

/** One step of a query after its source. */
export type Operator =
  | { readonly kind: "filter"; readonly accepts: (fields: DocumentValue) => boolean }
  | { readonly kind: "limit"; readonly count: number };

export interface RangePlan {
  readonly kind: "range";
  readonly table: TableInfo;
  readonly index: IndexInfo;
  readonly range: KeyRange;
  readonly isReverse: boolean;
  readonly operators: readonly Operator[];
}
export interface SearchPlan {
  readonly kind: "search";
  readonly table: TableInfo;
  readonly index: SearchIndexInfo;
  readonly filters: readonly SearchFilterJson[];
  readonly operators: readonly Operator[];
}
/** The table does not exist. There is nothing to read, but its absence belongs to the read set. */
interface AbsentPlan {
  readonly kind: "absent";
  readonly tableName: string;
}
type QueryPlan = RangePlan | SearchPlan | AbsentPlan;

interface Bound {
  readonly value: Value | undefined;
  readonly isInclusive: boolean;
  readonly fieldPath: string;
}
interface SplitRange {
  readonly equalities: Map<string, Value | undefined>;
  lower: Bound | null;
  upper: Bound | null;
}

function compileOperators(operators: readonly QueryOperatorJson[]): Operator[] {
  if (operators.length > QUERY_OPERATORS_MAX) {
    throw new Error(
      `Query has too many operators (${operators.length} > maximum ${QUERY_OPERATORS_MAX})`,
    );
  }
  return operators.map((operator) => {
    if ("filter" in operator) {
      return { kind: "filter", accepts: compileFilter(operator.filter) };
    }
    const count = operator.limit;
    if (!Number.isInteger(count) || count < 0) throw new Error(`Invalid query limit ${count}`);
    return { kind: "limit", count };
  });
}

function alreadyDefined(kind: string, path: string, sign: string, value: Value | undefined): Error {
  return new Error(
    `Already defined ${kind} bound in index range. Can't add "${path}" ${sign} ${displayValue(value)}.`,
  );
}

const SIGNS = { Gt: ">", Gte: ">=", Lt: "<", Lte: "<=" } as const;

function splitRange(indexName: string, bounds: readonly RangeBound[]): SplitRange {
  const split: SplitRange = { equalities: new Map(), lower: null, upper: null };
  for (const { type, fieldPath, value } of bounds) {
    if (type === "Eq") {
      if (split.equalities.has(fieldPath)) {
        throw alreadyDefined("equality", fieldPath, "==", split.equalities.get(fieldPath));
      }
      split.equalities.set(fieldPath, value);
      continue;
    }
    const isLower = type === "Gt" || type === "Gte";
    const side = isLower ? "lower" : "upper";
    if (split[side] !== null) throw alreadyDefined(side, fieldPath, SIGNS[type], value);
    const other = split[isLower ? "upper" : "lower"];
    if (other !== null && other.fieldPath !== fieldPath) {
      throw new Error(
        "Upper and lower bounds in `range` can only be applied to a single index field. This " +
          `query against index ${indexName} attempted to set a range bound on both ` +
          `"${other.fieldPath}" and "${fieldPath}". Consider using \`filter\` instead. ` +
          "See https://docs.convex.dev/using/indexes for more info.",
      );
    }
    split[side] = { value, isInclusive: type === "Gte" || type === "Lte", fieldPath };
  }
  const bounded = split.lower?.fieldPath ?? split.upper?.fieldPath;
  if (bounded !== undefined && split.equalities.has(bounded)) {
    throw alreadyDefined("inequality", bounded, "==", split.equalities.get(bounded));
  }
  return split;
}

/** Checks that the fields used are a prefix of the index's fields. */
function checkFields(indexName: string, index: IndexInfo, split: SplitRange): void {
  const fields = index.keyFields;
  const shownFields = fields.filter((field) => field !== "_id");
  const shown = () => `[${shownFields.map((field) => JSON.stringify(field)).join(", ")}]`;
  const bounded = split.lower?.fieldPath ?? split.upper?.fieldPath;
  const used = [...split.equalities.keys()];
  for (const path of bounded === undefined ? used : [...used, bounded]) {
    if (!fields.includes(path)) {
      throw new Error(
        `The index range included a comparison with "${path}", but ${indexName} with fields ` +
          `${shown()} doesn't index this field. For more information see ` +
          "https://docs.convex.dev/using/indexes.",
      );
    }
  }
  used.sort((a, b) => fields.indexOf(a) - fields.indexOf(b));
  if (bounded !== undefined) used.push(bounded);
  const wrong = used.find((path, at) => fields[at] !== path);
  if (wrong !== undefined) {
    throw new Error(
      `Tried to query index ${indexName} but the query didn't use the index fields in order.\n` +
        `Index fields: ${shown()}\n` +
        `Query fields: [${used.map((path) => JSON.stringify(path)).join(", ")}]\n` +
        `First incorrect field: ${wrong}\n` +
        "For more information see https://docs.convex.dev/using/indexes.",
    );
  }
}

/**
 * The key prefix of a range that consists of equalities on the first fields in order (the common case). Null
 * for any other range.
 */
function equalityPrefix(index: IndexInfo, bounds: readonly RangeBound[]): string | null {
  let { prefix } = index;
  for (let at = 0; at < bounds.length; at++) {
    const { type, fieldPath, value } = bounds[at]!;
    if (type !== "Eq" || fieldPath !== index.keyFields[at]) return null;
    prefix += encodeKeyValue(value);
  }
  return prefix;
}

function compileRange(
  indexName: string,
  index: IndexInfo,
  bounds: readonly RangeBound[],
): KeyRange {
  const equal = equalityPrefix(index, bounds);
  if (equal !== null) {
    // A range that fixes every field is a single key.
    const isWhole = bounds.length === index.keyFields.length;
    return { low: equal, high: isWhole ? keyAfter(equal) : equal + AFTER_PREFIX };
  }
  const split = splitRange(indexName, bounds);
  checkFields(indexName, index, split);
  const fields = index.keyFields;
  let prefix = index.prefix;
  for (let at = 0; at < split.equalities.size; at++) {
    prefix += encodeKeyValue(split.equalities.get(fields[at]!));
  }
  const { lower, upper } = split;
  const isWhole = (used: number) => used === fields.length;
  let low = prefix;
  if (lower !== null) {
    low += encodeKeyValue(lower.value);
    if (!lower.isInclusive) low += AFTER_PREFIX;
  }
  let high: string;
  if (upper === null) {
    high = isWhole(split.equalities.size) ? keyAfter(prefix) : prefix + AFTER_PREFIX;
  } else {
    high = prefix + encodeKeyValue(upper.value);
    if (upper.isInclusive)
      high = isWhole(split.equalities.size + 1) ? keyAfter(high) : high + AFTER_PREFIX;
  }
  return { low, high: high < low ? low : high };
}

const isBuiltIn = (index: string): boolean => index === "by_id" || index === "by_creation_time";

const decoded = ({ type, fieldPath, value }: RangeBoundJson): RangeBound => ({
  type,
  fieldPath,
  value: fromUntrustedJson(value),
});

/** @throws Error for an unknown index, then for a bad range */
export function planRange(
  catalog: Catalog,
  { tableName, indexName, bounds, isReverse }: IndexRange,
  operators: readonly Operator[] = [],
): RangePlan | AbsentPlan {
  const table = catalog.table(tableName);
  if (table === null && isBuiltIn(indexName)) return { kind: "absent", tableName };
  const index = table?.index(indexName);
  const shownName = `${tableName}.${indexName}`;
  if (!table || !index) throw new Error(`Index ${shownName} not found.`);
  const range = compileRange(shownName, index, bounds);
  return { kind: "range", table, index, range, isReverse, operators };
}

/** @throws Error for a bad operator, an unknown index, a bad range (in this order) */
export function planQuery(catalog: Catalog, query: QueryJson): QueryPlan {
  const { source } = query;
  const operators = compileOperators(query.operators);
  if (source.type === "FullTableScan") {
    const isReverse = source.order === "desc";
    const whole = { tableName: source.tableName, indexName: "by_creation_time", bounds: [] };
    return planRange(catalog, { isReverse, ...whole }, operators);
  }
  const dot = source.indexName.indexOf(".");
  const tableName = source.indexName.slice(0, dot);
  const indexName = source.indexName.slice(dot + 1);
  if (source.type === "Search") {
    const table = catalog.table(tableName);
    const index = table?.searchIndexes.find((candidate) => candidate.name === indexName);
    if (!table || !index) {
      const isOther = (table?.index(indexName) ?? null) !== null;
      const what = isOther ? " is not a search index" : " not found.";
      throw new Error(`Index ${source.indexName}${what}`);
    }
    return { kind: "search", table, index, filters: source.filters, operators };
  }
  const bounds = source.range.map(decoded);
  const isReverse = source.order === "desc";
  return planRange(catalog, { tableName, indexName, bounds, isReverse }, operators);
}
