/** Index ranges of native queries: the builder handlers see, and what the database reads. Not here: queries (nativeQuery). */
import { convexToJson, type JSONValue, type Value } from "convex/values";
import type { RangeBoundJson } from "../db/types.ts";

export type BoundMethod = "eq" | "gt" | "gte" | "lt" | "lte";
/** One bound of an index range, as it was given. */
export interface Bound {
  readonly method: BoundMethod;
  readonly field: string;
  readonly value: Value | undefined;
}

const BOUND_TYPES = { eq: "Eq", gt: "Gt", gte: "Gte", lt: "Lt", lte: "Lte" } as const;

function boundJson(value: Value | undefined): JSONValue {
  if (value === undefined) return { $undefined: null };
  // Their own encoding: most bounds are ids and names.
  return typeof value === "string" || typeof value === "boolean" ? value : convexToJson(value);
}

/** What the callback of `withIndex` gets; each step may be used once. */
export class RangeBuilder {
  private readonly bounds: readonly Bound[];
  private isConsumed = false;

  constructor(bounds: readonly Bound[]) {
    this.bounds = bounds;
  }

  private with(method: BoundMethod, field: string, value: Value | undefined): RangeBuilder {
    return new RangeBuilder([...this.export(), { method, field, value }]);
  }

  eq(field: string, value: Value | undefined) {
    return this.with("eq", field, value);
  }
  gt(field: string, value: Value | undefined) {
    return this.with("gt", field, value);
  }
  gte(field: string, value: Value | undefined) {
    return this.with("gte", field, value);
  }
  lt(field: string, value: Value | undefined) {
    return this.with("lt", field, value);
  }
  lte(field: string, value: Value | undefined) {
    return this.with("lte", field, value);
  }

  export(): readonly Bound[] {
    if (this.isConsumed) {
      throw new Error(
        "IndexRangeBuilder has already been used! Chain your method calls like `q => q.eq(...).eq(...)`. See https://docs.convex.dev/using/indexes",
      );
    }
    this.isConsumed = true;
    return this.bounds;
  }
}

/** Bounds as the database takes them: a copy of what was given. */
export function rangeJson(bounds: readonly Bound[]): RangeBoundJson[] {
  return bounds.map(({ method, field, value }) => ({
    type: BOUND_TYPES[method],
    fieldPath: field,
    value: boundJson(value),
  }));
}
