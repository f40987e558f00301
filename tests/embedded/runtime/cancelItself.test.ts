/** A scheduled function that cancels itself: an action may, a mutation may not, as on the real backend. */
import {
  defineSchema,
  internalActionGeneric,
  internalMutationGeneric,
  makeFunctionReference,
  type Scheduler,
} from "convex/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { embeddedTest } from "../../../embedded/testing";

type Name = "inAction" | "inMutation" | "throughMutation" | "nothing";
const ref = (name: Name) =>
  makeFunctionReference<"mutation", Record<string, never>, null>(`jobs:${name}`);

interface Context {
  readonly scheduler: Scheduler;
  readonly meta: {
    getRequestMetadata(): Promise<{ readonly scheduledFunctionId: string | null }>;
  };
}

async function cancelItself(ctx: Context): Promise<void> {
  const { scheduledFunctionId } = await ctx.meta.getRequestMetadata();
  await ctx.scheduler.cancel(scheduledFunctionId as never);
}

const MODULES = {
  inAction: internalActionGeneric(async (ctx) => {
    await cancelItself(ctx);
    await ctx.scheduler.runAfter(0, ref("nothing"), {});
  }),
  inMutation: internalMutationGeneric(cancelItself),
  throughMutation: internalActionGeneric((ctx) => ctx.runMutation(ref("inMutation"), {})),
  nothing: internalMutationGeneric(() => null),
};

/** The states of all jobs, oldest first, once the named function was scheduled and has run. */
async function statesAfter(name: Name) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const t = embeddedTest(defineSchema({}), {
    "./_generated/api.ts": async () => ({}),
    "./jobs.ts": async () => MODULES,
  });
  await t.run((ctx) => ctx.scheduler.runAfter(0, ref(name), {}));
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  const jobs = await t.run((ctx) => ctx.db.system.query("_scheduled_functions").collect());
  return jobs.map(({ state }) => state);
}

const FAILED = {
  kind: "failed",
  error: expect.stringContaining("A mutation cannot cancel itself") as string,
};

test("an action is canceled, and so is what it schedules after that", async () => {
  expect(await statesAfter("inAction")).toEqual([{ kind: "canceled" }, { kind: "canceled" }]);
});

test("a mutation is refused, also one that a scheduled action calls", async () => {
  expect(await statesAfter("inMutation")).toEqual([FAILED]);
  expect(await statesAfter("throughMutation")).toEqual([FAILED]);
});
