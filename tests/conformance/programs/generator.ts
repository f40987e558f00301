/** Random programs, reproducible by seed. */
import type { Value } from "convex/values";
import {
  ITEM_INDEXES,
  type Bound,
  type Expression,
  type Fields,
  type MaybeValue,
  type Program,
  type QuerySpec,
  type Step,
  type TopLevel,
} from "./language";

const bytes = (...values: number[]): ArrayBuffer => new Uint8Array(values).buffer;

/** Values of every type, including edge cases. */
const VALUES: readonly Value[] = [
  null,
  false,
  true,
  0,
  -1.5,
  7,
  Infinity,
  -Infinity,
  1e21,
  0n,
  -3n,
  9_223_372_036_854_775_807n,
  "",
  "a",
  "ab",
  'qu"ote\n',
  "Zoë",
  "\u{1F600}",
  bytes(),
  bytes(0, 255),
  [],
  [1, "a"],
  [null],
  {},
  { x: 1 },
  { x: "a", b: [true] },
];
/** Other types of ConvexError data are lost by convex-test when a nested call throws them. */
const THROWN: readonly Value[] = [false, 7, "a", [1, "a"], [null], { x: "a", b: [true] }];
const GROUPS = ["", "a", "b", "ab"];
const DEPTH_MAX = 2;

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Generator {
  private readonly random: () => number;
  private labels = 0;

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  program(): Program {
    const steps: TopLevel[] = [{ call: "run", steps: this.several(4, () => this.insert()) }];
    const length = 2 + this.below(4);
    for (let at = 0; at < length; at++) steps.push(this.topLevel());
    return steps;
  }

  private below(bound: number): number {
    return Math.floor(this.random() * bound);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private pick<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!;
  }

  private several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.below(most) }, make);
  }

  private topLevel(): TopLevel {
    const kind = this.random();
    if (kind < 0.6) return { call: "run", steps: this.several(6, () => this.step(0)) };
    if (kind < 0.8) return { call: "read", query: this.query() };
    return {
      call: "pages",
      query: this.query(),
      numItems: 1 + this.below(3),
      between: this.chance(0.5) ? this.several(2, () => this.write()) : [],
    };
  }

  private step(depth: number): Step {
    const kind = this.random();
    if (kind < 0.45) return this.write();
    if (kind < 0.65) return { do: "read", query: this.query() };
    if (kind < 0.7) return { do: "get", label: this.label() };
    if (kind < 0.74) return { do: "spoil", table: this.table(), label: this.label() };
    if (kind < 0.77) return { do: "normalize", table: this.table(), label: this.label() };
    if (kind < 0.8) return { do: "readNested", query: this.query() };
    if (kind < 0.83) return { do: "throw", data: this.chance(0.5) ? this.pick(THROWN) : null };
    if (depth >= DEPTH_MAX) return this.write();
    if (kind < 0.94) return { do: "nested", steps: this.several(4, () => this.step(depth + 1)) };
    if (kind < 0.97) return { do: "together", steps: this.several(3, () => this.write()) };
    return { do: "schedule", steps: this.several(3, () => this.write()) };
  }

  private write(): Step {
    const kind = this.random();
    if (kind < 0.4) return this.insert();
    const label = this.label();
    if (kind < 0.6) return { do: "patch", label, fields: this.patch() };
    if (kind < 0.68) return { do: "patchTyped", table: this.table(), label, fields: this.patch() };
    if (kind < 0.85) return { do: "replace", label, fields: this.fields(label) };
    return { do: "delete", label };
  }

  private insert(): Step {
    this.labels += 1;
    const label = `d${this.labels}`;
    return { do: "insert", table: this.table(), label, fields: this.fields(label) };
  }

  private table(): string {
    return this.chance(0.85) ? "items" : "free";
  }

  /** Usually an existing one. */
  private label(): string {
    return `d${1 + this.below(this.labels + 1)}`;
  }

  private maybe(): MaybeValue {
    return this.chance(0.12) ? {} : { v: this.pick(VALUES) };
  }

  private fields(label: string): Fields {
    const fields: Fields = {
      n: { v: this.chance(0.03) ? "wrong" : this.below(5) },
      label: { v: label },
      g: { v: this.pick(GROUPS) },
    };
    if (this.chance(0.7)) fields.k = this.maybe();
    if (this.chance(0.4))
      fields.o = this.chance(0.8) ? { v: { x: this.pick(VALUES) } } : this.maybe();
    if (this.chance(0.2)) fields.list = { v: ["a", this.below(3), bytes(1, 2)] };
    if (this.chance(0.02)) fields.extra = { v: 1 };
    return fields;
  }

  private patch(): Fields {
    const fields: Fields = {};
    if (this.chance(0.5)) fields.k = this.maybe();
    if (this.chance(0.4)) fields.n = { v: this.below(5) };
    if (this.chance(0.3)) fields.g = { v: this.pick(GROUPS) };
    if (this.chance(0.3)) fields.o = this.maybe();
    if (this.chance(0.03)) fields.g = {};
    return fields;
  }

  private query(): QuerySpec {
    return {
      table: "items",
      index: this.chance(0.7) ? this.range() : null,
      order: this.pick([null, "asc", "desc", "desc"]),
      filter: this.chance(0.3) ? this.condition(0) : null,
      end: this.pick(["collect", "collect", "take", "first", "unique", "iterate"]),
      count: 1 + this.below(4),
    };
  }

  private range(): QuerySpec["index"] {
    const name = this.pick(Object.keys(ITEM_INDEXES));
    if (this.chance(0.2)) return { name, bounds: null };
    const fields = ITEM_INDEXES[name]!;
    const bounds: Bound[] = [];
    const equal = this.below(fields.length + 1);
    for (const field of fields.slice(0, equal)) {
      bounds.push({ op: "eq", field, value: this.valueFor(field) });
    }
    const field = fields[equal];
    if (field !== undefined) {
      if (this.chance(0.6)) {
        bounds.push({ op: this.pick(["gt", "gte"]), field, value: this.valueFor(field) });
      }
      if (this.chance(0.5)) {
        bounds.push({ op: this.pick(["lt", "lte"]), field, value: this.valueFor(field) });
      }
    }
    return { name, bounds };
  }

  private valueFor(field: string): MaybeValue {
    if (field === "g") return { v: this.pick(GROUPS) };
    if (field === "n") return { v: this.below(5) };
    return this.maybe();
  }

  private condition(depth: number): Expression {
    if (depth < 2 && this.chance(0.3)) {
      const op = this.pick(["and", "or", "not"] as const);
      const count = op === "not" ? 1 : 2;
      return { op, operands: Array.from({ length: count }, () => this.condition(depth + 1)) };
    }
    // convex-test orders values of one type only; index ranges compare across types.
    const isOrder = this.chance(0.6);
    const field = this.pick(isOrder ? ["g", "n"] : ["g", "n", "k", "o.x", "o"]);
    const op = isOrder
      ? this.pick(["lt", "lte", "gt", "gte"] as const)
      : this.pick(["eq", "neq"] as const);
    return { op, operands: [{ field }, { literal: this.valueFor(field) }] };
  }
}

/** The program of a seed. */
export function generateProgram(seed: number): Program {
  return new Generator(seed).program();
}
