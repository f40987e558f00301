/** The programs of the differential test, as data. */
import { defineSchema, defineTable } from "convex/server";
import { v, type Value } from "convex/values";

/** A value, or `undefined`, which cannot be passed in arguments. */
export type MaybeValue = { v: Value } | Record<string, never>;

export interface Bound {
  op: "eq" | "gt" | "gte" | "lt" | "lte";
  field: string;
  value: MaybeValue;
}

export type Expression =
  | { field: string }
  | { literal: MaybeValue }
  | {
      op: "eq" | "neq" | "lt" | "lte" | "gt" | "gte" | "and" | "or" | "not";
      operands: Expression[];
    };

export interface QuerySpec {
  table: string;
  index: { name: string; bounds: Bound[] | null } | null;
  order: "asc" | "desc" | null;
  filter: Expression | null;
  end: "collect" | "take" | "first" | "unique" | "iterate";
  count: number;
}

export type Fields = Record<string, MaybeValue>;

export type Step =
  | { do: "insert"; table: string; label: string; fields: Fields }
  | { do: "patch" | "replace"; label: string; fields: Fields }
  | { do: "patchTyped"; table: string; label: string; fields: Fields }
  | { do: "delete" | "get"; label: string }
  | { do: "spoil" | "normalize"; table: string; label: string }
  | { do: "read" | "readNested"; query: QuerySpec }
  | { do: "nested" | "schedule" | "together"; steps: Step[] }
  | { do: "throw"; data: Value | null };

export type TopLevel =
  | { call: "run"; steps: Step[] }
  | { call: "read"; query: QuerySpec }
  /** All pages of a query; between the first and the second page, `between` runs. */
  | { call: "pages"; query: QuerySpec; numItems: number; between: Step[] };

export type Program = TopLevel[];

/** Fields of the indexes of `items`, without the creation time at their end. */
export const ITEM_INDEXES: Readonly<Record<string, readonly string[]>> = {
  by_k: ["k"],
  by_g_n: ["g", "n"],
  by_deep: ["o.x", "g"],
};

export const programSchema = defineSchema({
  items: defineTable({
    label: v.string(),
    g: v.string(),
    n: v.number(),
    k: v.optional(v.any()),
    o: v.optional(v.any()),
    list: v.optional(v.array(v.union(v.string(), v.number(), v.bytes()))),
  })
    .index("by_k", ["k"])
    .index("by_g_n", ["g", "n"])
    .index("by_deep", ["o.x", "g"]),
  free: defineTable(v.any()),
});
