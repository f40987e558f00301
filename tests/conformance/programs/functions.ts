/**
 * An interpreter of small programs as Convex functions, which the differential test runs on several
 * backends. A step's result contains nothing that may differ between them, such as ids and times.
 *
 * Not here: generating programs (generator), comparing results (differential.test).
 */
import {
  internalMutationGeneric,
  makeFunctionReference,
  mutationGeneric,
  queryGeneric,
  type GenericDataModel,
  type GenericMutationCtx,
  type GenericQueryCtx,
} from "convex/server";
import { ConvexError, v, type GenericId, type Value } from "convex/values";
import type { Bound, Expression, MaybeValue, QuerySpec, Step } from "./language";

type Reader = Pick<GenericQueryCtx<GenericDataModel>, "db">;
type Ids = Record<string, string>;
type Row = Record<string, Value | undefined>;

const runReference = makeFunctionReference<"mutation", Record<string, unknown>, Value>(
  "functions:run",
);
const runInternalReference = makeFunctionReference<"mutation", Record<string, unknown>, Value>(
  "functions:runInternal",
);
const readReference = makeFunctionReference<"query", Record<string, unknown>, Value>(
  "functions:read",
);

const valueOf = (given: MaybeValue): Value | undefined => ("v" in given ? given.v : undefined);

interface RangeBuilder {
  eq(field: string, value: unknown): RangeBuilder;
  gt(field: string, value: unknown): RangeBuilder;
  gte(field: string, value: unknown): RangeBuilder;
  lt(field: string, value: unknown): RangeBuilder;
  lte(field: string, value: unknown): RangeBuilder;
}

function withBounds(builder: RangeBuilder, bounds: readonly Bound[]): RangeBuilder {
  return bounds.reduce((q, { op, field, value }) => q[op](field, valueOf(value)), builder);
}

type FilterBuilder = Record<string, (...operands: unknown[]) => unknown>;

function expression(q: FilterBuilder, node: Expression): unknown {
  if ("field" in node) return q.field!(node.field);
  if ("literal" in node) return valueOf(node.literal);
  return q[node.op]!(...node.operands.map((operand) => expression(q, operand)));
}

function query(ctx: Reader, spec: QuerySpec) {
  const table = ctx.db.query(spec.table);
  const { index } = spec;
  const source =
    index === null
      ? table
      : table.withIndex(
          index.name as never,
          index.bounds === null
            ? undefined
            : (q) => withBounds(q as unknown as RangeBuilder, index.bounds ?? []) as never,
        );
  const ordered = spec.order === null ? source : source.order(spec.order);
  const { filter } = spec;
  if (filter === null) return ordered;
  return ordered.filter((q) => expression(q as unknown as FilterBuilder, filter) as never);
}

/** Ids and times differ between backends, so only their presence is compared. */
function comparable(row: Row | null): Value {
  if (row === null) return null;
  const { _id, _creationTime, ...fields } = row;
  const isComplete = typeof _id === "string" && typeof _creationTime === "number";
  return { isComplete, names: Object.keys(row).join(), ...(fields as Record<string, Value>) };
}

async function rows(ctx: Reader, spec: QuerySpec): Promise<Value> {
  const source = query(ctx, spec);
  switch (spec.end) {
    case "collect":
      return (await source.collect()).map(comparable);
    case "take":
      return (await source.take(spec.count)).map(comparable);
    case "first":
      return comparable(await source.first());
    case "unique":
      return comparable(await source.unique());
    case "iterate": {
      const found: Value[] = [];
      for await (const row of source) {
        found.push(comparable(row));
        if (found.length >= spec.count) break;
      }
      return found;
    }
  }
}

/** Some are `undefined`: programs also pass values that the types would not allow. */
function fieldsOf(fields: Record<string, MaybeValue>): Record<string, Value> {
  const given = Object.entries(fields).map(([name, value]) => [name, valueOf(value)]);
  return Object.fromEntries(given) as Record<string, Value>;
}

/** Changes an object that a handler got or returned; this must not affect the database. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const part of Object.values(value)) spoil(part);
  if (Array.isArray(value)) value.push("spoilt");
  else if (value instanceof ArrayBuffer) new Uint8Array(value).fill(255);
  else Reflect.set(value, "spoilt", true);
}

async function outcomeOf(body: () => Promise<unknown>): Promise<Value> {
  try {
    await body();
    return "done";
  } catch (error) {
    return failureOf(error);
  }
}

/** Messages are compared between contexts of one backend, without the ids and times in them. */
export function failureOf(error: unknown): Value {
  if (error instanceof ConvexError) return { thrown: error.data as Value };
  const message = error instanceof Error ? error.message : String(error);
  return {
    failure: message.replaceAll(/[a-z0-9]{31,37}/g, "ID").replaceAll(/\d{10,}\S*/g, "TIME"),
  };
}

async function runStep(
  ctx: GenericMutationCtx<GenericDataModel>,
  step: Step,
  ids: Ids,
): Promise<Value> {
  const idOf = (label: string) => (ids[label] ?? "unknown") as GenericId<string>;
  const { db } = ctx;
  switch (step.do) {
    case "insert": {
      const fields = fieldsOf(step.fields);
      const id = await db.insert(step.table, fields);
      ids[step.label] = id;
      spoil(fields);
      return comparable(await db.get(id));
    }
    case "patch":
      return outcomeOf(() => db.patch(idOf(step.label), fieldsOf(step.fields)));
    case "patchTyped":
      return outcomeOf(() => db.patch(step.table, idOf(step.label), fieldsOf(step.fields)));
    case "replace":
      return outcomeOf(() => db.replace(idOf(step.label), fieldsOf(step.fields)));
    case "delete":
      return outcomeOf(() => db.delete(idOf(step.label)));
    case "get":
      if (ids[step.label] === undefined) return "unknown";
      return comparable(await db.get(idOf(step.label)));
    case "spoil": {
      if (ids[step.label] === undefined) return "unknown";
      spoil(await db.get(idOf(step.label)));
      for (const row of await db.query(step.table).collect()) spoil(row);
      return comparable(await db.get(idOf(step.label)));
    }
    case "normalize":
      return db.normalizeId(step.table, idOf(step.label)) !== null;
    case "read":
      return rows(ctx, step.query);
    case "readNested":
      return ctx.runQuery(readReference, { query: step.query });
    case "nested":
      try {
        const inner = await ctx.runMutation(runReference, { steps: step.steps, ids });
        Object.assign(ids, (inner as { ids: Ids }).ids);
        return (inner as { answers: Value[] }).answers;
      } catch (error) {
        return failureOf(error);
      }
    case "together":
      return Promise.all(
        step.steps.map((part) =>
          runStep(ctx, part, ids).catch((error: unknown) => failureOf(error)),
        ),
      );
    case "schedule":
      await ctx.scheduler.runAfter(0, runInternalReference, { steps: step.steps, ids });
      return "scheduled";
    case "throw":
      throw step.data === null ? new Error("thrown") : new ConvexError(step.data);
  }
}

async function runSteps(
  ctx: GenericMutationCtx<GenericDataModel>,
  args: { steps: Step[]; ids: Ids },
) {
  const ids = { ...args.ids };
  const answers: Value[] = [];
  for (const step of args.steps) answers.push(await runStep(ctx, step, ids));
  return { answers, ids };
}

const programArgs = { steps: v.array(v.any()), ids: v.record(v.string(), v.string()) };

export const run = mutationGeneric({ args: programArgs, handler: runSteps });
export const runInternal = internalMutationGeneric({ args: programArgs, handler: runSteps });

export const read = queryGeneric({
  args: { query: v.any() },
  handler: (ctx, args) => rows(ctx, args.query as QuerySpec),
});

export const page = queryGeneric({
  args: { query: v.any(), cursor: v.union(v.string(), v.null()), numItems: v.number() },
  handler: async (ctx, args) => {
    const found = await query(ctx, args.query as QuerySpec).paginate(args);
    return { ...found, page: found.page.map(comparable) };
  },
});
