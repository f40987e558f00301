/**
 * Index ranges of native queries: the builder that handlers use, and the form that the database reads. Not
 * here: queries (nativeQuery).
 */
import { convexToJson, type JSONValue, type Value } from "convex/values";
import type { RangeBound, RangeBoundJson } from "../db/types.ts";
import { isInt64 } from "../db/values.ts";

export type BoundMethod = "eq" | "gt" | "gte" | "lt" | "lte";
/** One bound of an index range, as given by the handler. */
export interface Bound {
  readonly method: BoundMethod;
  readonly field: string;
  readonly value: Value | undefined;
}

const BOUND_TYPES = { eq: "Eq", gt: "Gt", gte: "Gte", lt: "Lt", lte: "Lte" } as const;

function boundJson(value: Value | undefined): JSONValue {
  if (value === undefined) return { $undefined: null };
  // Encoded as themselves; most bounds are ids and names.
  return typeof value === "string" || typeof value === "boolean" ? value : convexToJson(value);
}

/** What the callback of `withIndex` gets; each step may be used once. */
export class RangeBuilder {
  private readonly bounds: Bound[];
  private isConsumed = false;

  constructor(bounds: Bound[]) {
    this.bounds = bounds;
  }

  private with(method: BoundMethod, field: string, value: Value | undefined): RangeBuilder {
    const bounds = this.export();
    // Safe to modify: a builder can be used only once.
    bounds.push({ method, field, value });
    return new RangeBuilder(bounds);
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

  export(): Bound[] {
    if (this.isConsumed) {
      throw new Error(
        "IndexRangeBuilder has already been used! Chain your method calls like `q => q.eq(...).eq(...)`. See https://docs.convex.dev/using/indexes",
      );
    }
    this.isConsumed = true;
    return this.bounds;
  }
}

function isPlain({ value }: Bound): boolean {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
    case "undefined":
      return true;
    case "bigint":
      return isInt64(value);
    default:
      return value === null;
  }
}

/** True for bounds whose values need no check and are immutable. */
export const arePlain = (bounds: readonly Bound[]): boolean => bounds.every(isPlain);

/** A {@link arePlain plain} bound in the database's decoded form. */
export const plainBound = ({ method, field, value }: Bound): RangeBound => ({
  type: BOUND_TYPES[method],
  fieldPath: field,
  value,
});

/** Bounds in the library's encoded form: a copy of what was given. */
export function rangeJson(bounds: readonly Bound[]): RangeBoundJson[] {
  return bounds.map(({ method, field, value }) => ({
    type: BOUND_TYPES[method],
    fieldPath: field,
    value: boundJson(value),
  }));
}
