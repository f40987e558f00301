/**
 * Random programs have the same results on `convex-test` and on this backend; here both through the
 * library's context and through the native one, which must also agree in their error messages. Scaled by
 * `TEST_SCALE`; a failing seed is printed and can be rerun alone with `DIFFERENTIAL_SEED=seed`.
 *
 * Known differences, not compared: the wording of errors, and whether a page that is exactly full is
 * reported as the last (the real backend, too, only knows after reading further).
 */
import { convexTest } from "convex-test";
import { makeFunctionReference } from "convex/server";
import { convexToJson, type Value } from "convex/values";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { embeddedTest } from "../../embedded/testing";
import { failureOf } from "./programs/functions";
import { SCALE } from "../support/chance";
import { generateProgram } from "./programs/generator";
import {
  programSchema,
  type Program,
  type QuerySpec,
  type Step,
  type TopLevel,
} from "./programs/language";

const PROGRAMS = Math.ceil(300 * SCALE);
const FIRST_SEED = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Math.random() * 1e9));
const COUNT = process.env.DIFFERENTIAL_SEED === undefined ? PROGRAMS : 1;
const PAGES_MAX = 200;

type Ids = Record<string, string>;
interface Page {
  page: Value[];
  isDone: boolean;
  continueCursor: string;
}

const run = makeFunctionReference<
  "mutation",
  Record<string, unknown>,
  { answers: Value[]; ids: Ids }
>("functions:run");
const read = makeFunctionReference<"query", Record<string, unknown>, Value>("functions:read");
const page = makeFunctionReference<"query", Record<string, unknown>, Page>("functions:page");

const modules = {
  "./programs/_generated/api.ts": () => Promise.resolve({}),
  "./programs/functions.ts": () => import("./programs/functions"),
};

const BACKENDS = {
  "convex-test": () => convexTest(programSchema, modules),
  sdk: () => embeddedTest(programSchema, modules, { context: "sdk" }),
  native: () => embeddedTest(programSchema, modules, { context: "native" }),
};
type Backend = ReturnType<(typeof BACKENDS)["convex-test"]>;

const EVERYTHING: readonly QuerySpec[] = [
  ...[null, "by_k", "by_g_n", "by_deep"].map((name) => ({
    table: "items",
    index: name === null ? null : { name, bounds: null },
  })),
  { table: "free", index: null },
].map((source) => ({ ...source, order: "asc", filter: null, end: "collect", count: 0 }));

function hasSchedule(steps: readonly Step[]): boolean {
  return steps.some(
    (step) => step.do === "schedule" || ("steps" in step && hasSchedule(step.steps)),
  );
}

async function attempted(body: () => Promise<Value>): Promise<Value> {
  try {
    return await body();
  } catch (error) {
    return failureOf(error);
  }
}

async function runSteps(t: Backend, steps: Step[], ids: Ids): Promise<Value> {
  const answer = await attempted(async () => {
    const done = await t.mutation(run, { steps, ids });
    Object.assign(ids, done.ids);
    return done.answers;
  });
  if (hasSchedule(steps)) await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  return answer;
}

async function readPages(
  t: Backend,
  step: { query: QuerySpec; numItems: number; between: Step[] },
  ids: Ids,
  /** Whether the first backend had a second page; the others are driven the same way. */
  hadMore: boolean | undefined,
): Promise<{ pages: Value[]; hasMore: boolean }> {
  const pages: Value[] = [];
  let cursor: string | null = null;
  let hasMore = false;
  for (let turn = 0; turn < PAGES_MAX; turn++) {
    const found: Page = await t.query(page, { query: step.query, numItems: step.numItems, cursor });
    if (found.page.length > 0) pages.push(found.page);
    if (turn === 0) {
      hasMore = hadMore ?? !found.isDone;
      if (hasMore) pages.push(await runSteps(t, step.between, ids));
    }
    if (found.isDone) return { pages, hasMore };
    cursor = found.continueCursor;
  }
  throw new Error("The pages do not end");
}

/** @param decisions per paginated part, whether it had a second page; filled by the first backend */
async function answers(
  t: Backend,
  program: Program,
  decisions: Map<TopLevel, boolean>,
): Promise<Value[]> {
  const ids: Ids = {};
  const given: Value[] = [];
  for (const part of program) {
    if (part.call === "run") given.push(await runSteps(t, part.steps, ids));
    else if (part.call === "read") {
      given.push(await attempted(() => t.query(read, { query: part.query })));
    } else {
      const read = async () => {
        const { pages, hasMore } = await readPages(t, part, ids, decisions.get(part));
        decisions.set(part, hasMore);
        return pages;
      };
      given.push(await attempted(read));
    }
  }
  for (const query of EVERYTHING) given.push(await t.query(read, { query }));
  return given;
}

beforeAll(() => {
  // convex-test prints the errors of scheduled functions.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** convex-test words its errors differently. */
const withoutMessages = (answer: string): string =>
  answer.replaceAll(/"failure":"(?:[^"\\]|\\.)*"/g, '"failure":""');

/** The first result that differs, with the steps before it; null when none does. */
function firstDifference(
  program: Program,
  given: ReadonlyMap<string, readonly string[]>,
): string | null {
  const [oracle = [], sdk = [], native = []] = given.values();
  for (const [at, expected] of oracle.entries()) {
    const isAlike = withoutMessages(sdk[at] ?? "") === withoutMessages(expected);
    if (isAlike && native[at] === sdk[at]) continue;
    const parts = program
      .slice(0, at + 1)
      .map((part) => JSON.stringify(convexToJson(part as never)));
    const shown = [...given].map(([name, answers]) => `${name}: ${answers[at]}`);
    return [...parts, ...shown].join("\n");
  }
  return null;
}

test(`${COUNT} random programs from seed ${FIRST_SEED} on have the same results on every backend`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + COUNT; seed++) {
    const program = generateProgram(seed);
    const given = new Map<string, readonly string[]>();
    const decisions = new Map<TopLevel, boolean>();
    for (const [name, open] of Object.entries(BACKENDS)) {
      const values = await answers(open(), program, decisions);
      given.set(
        name,
        values.map((value) => JSON.stringify(convexToJson(value))),
      );
    }
    expect(firstDifference(program, given), `DIFFERENTIAL_SEED=${seed}`).toBeNull();
  }
}, 3_600_000);
