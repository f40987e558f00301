/** Recurring jobs of every kind, on a clock controlled by the test. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFunctionReference } from "convex/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { bundleFunctions, type ServeOptions } from "../../../embedded/main";
import { copyAsKilled, newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

const FOLDER = path.resolve(import.meta.dirname, "..", "fixtures", "crons");
const all = makeFunctionReference<
  "query",
  Record<string, never>,
  readonly { job: string; atIso: string }[]
>("ticks:all");
type Server = Awaited<ReturnType<typeof startTestServer>>;

const START_ISO = "2026-01-30T22:10:00.000Z";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMEOUT_MS = 120_000;
/** Every job is due at a multiple of this. */
const STEP_MS = 5 * MINUTE_MS;

afterEach(() => void vi.useRealTimers());

function stopClockAt(iso: string): void {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: new Date(iso) });
}

const start = (options: Pick<Partial<ServeOptions>, "dataDir" | "functions"> = {}) =>
  startTestServer({ functions: { functionsDir: FOLDER }, ...options });

/** Waits until nothing is running; a job is two transactions, one after the other. */
async function settle({ backend }: Server): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await backend.runtime.drain(HOUR_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function pass(server: Server, durationMs: number): Promise<void> {
  vi.advanceTimersByTime(0);
  await settle(server);
  for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
    vi.advanceTimersByTime(STEP_MS);
    await settle(server);
  }
}

/** Returns when each job ran; from now on the clock is real. */
async function runsOf(server: Server): Promise<(job: string) => string[]> {
  vi.useRealTimers();
  const ticks = await newHttpClient(server).query(all, {});
  return (job) => ticks.filter((tick) => tick.job === job).map(({ atIso }) => atIso);
}

/** Every time step in the span that matches, in the form the jobs record. */
function stepsWhere(durationMs: number, isDue: (at: Date, sinceStartMs: number) => boolean) {
  const startMs = Date.parse(START_ISO);
  const steps = Array.from({ length: durationMs / STEP_MS + 1 }, (_, step) => step * STEP_MS);
  return steps
    .filter((sinceMs) => isDue(new Date(startMs + sinceMs), sinceMs))
    .map((sinceMs) => new Date(startMs + sinceMs).toISOString());
}

test(
  "interval, hourly, daily, weekly, monthly and cron jobs run when they are due, once each",
  async () => {
    const spanMs = 8 * 24 * HOUR_MS;
    stopClockAt(START_ISO);
    const server = await start();
    await pass(server, spanMs);
    const runs = await runsOf(server);
    const isAt = (at: Date, hour: number, minute: number) =>
      at.getUTCHours() === hour && at.getUTCMinutes() === minute;
    const due: Record<string, (at: Date, sinceMs: number) => boolean> = {
      interval: (_, sinceMs) => sinceMs % (6 * HOUR_MS) === 0,
      hourly: (at) => at.getUTCMinutes() === 15,
      daily: (at) => isAt(at, 23, 55),
      weekly: (at) => at.getUTCDay() === 1 && isAt(at, 9, 30),
      monthly: (at) => at.getUTCDate() === 31 && isAt(at, 1, 0),
      cron: (at) =>
        [0, 6].includes(at.getUTCDay()) && at.getUTCHours() === 6 && at.getUTCMinutes() % 20 === 0,
    };
    for (const [job, isDue] of Object.entries(due)) {
      expect([job, runs(job)]).toEqual([job, stepsWhere(spanMs, isDue)]);
    }
  },
  TIMEOUT_MS,
);

test("runs that a stopped server missed are made up by one, and an interval keeps its rhythm", async () => {
  const dataDir = temporaryDir();
  stopClockAt(START_ISO);
  const first = await start({ dataDir });
  await pass(first, 7 * HOUR_MS);
  vi.useRealTimers();
  await first.close();
  stopClockAt("2026-01-31T18:40:00.000Z");
  const second = await start({ dataDir });
  await pass(second, 6 * HOUR_MS);
  const runs = await runsOf(second);
  expect(runs("interval")).toEqual([
    START_ISO,
    "2026-01-31T04:10:00.000Z",
    "2026-01-31T18:40:00.000Z",
    "2026-01-31T22:10:00.000Z",
  ]);
  expect(runs("monthly")).toEqual(["2026-01-31T01:00:00.000Z"]);
});

test("a clock that was ahead and is set back keeps no job from running, after a restart and without", async () => {
  const dataDir = temporaryDir();
  stopClockAt("2027-06-01T00:10:00.000Z");
  const first = await start({ dataDir });
  await pass(first, HOUR_MS);
  vi.useRealTimers();
  await first.close();
  stopClockAt("2026-02-01T22:10:00.000Z");
  const second = await start({ dataDir });
  await pass(second, HOUR_MS);
  // Jobs check the clock two minutes later.
  vi.setSystemTime(new Date(Date.parse(START_ISO) - 2 * MINUTE_MS));
  vi.advanceTimersByTime(2 * MINUTE_MS);
  await pass(second, 7 * HOUR_MS);
  const runs = await runsOf(second);
  const hours = ["30T22", "30T23", "31T00", "31T01", "31T02", "31T03", "31T04"];
  expect(runs("hourly")).toEqual([
    "2027-06-01T00:15:00.000Z",
    "2026-02-01T22:15:00.000Z",
    ...hours.map((hour) => `2026-01-${hour}:15:00.000Z`),
  ]);
  expect(runs("monthly")).toEqual(["2026-01-31T01:00:00.000Z"]);
});

test("a second restart finds when a job runs next as the first one did", async () => {
  const dataDir = temporaryDir();
  stopClockAt(START_ISO);
  for (let run = 0; run < 3; run += 1) {
    const server = await start({ dataDir });
    await pass(server, HOUR_MS);
    const runs = await runsOf(server);
    expect(runs("interval")).toEqual([START_ISO]);
    await server.close();
    stopClockAt(new Date(Date.parse(START_ISO) + (run + 1) * HOUR_MS).toISOString());
  }
});

test("a run of an action that a kill cut off is not repeated", async () => {
  const [dataDir, killed] = [temporaryDir(), temporaryDir()];
  stopClockAt(START_ISO);
  const server = await start({ dataDir });
  const { runtime } = server.backend;
  const runInternal = runtime.runInternal.bind(runtime);
  vi.spyOn(runtime, "runInternal").mockImplementation((...call) => {
    if (call[0].includes("tickInAction")) copyAsKilled(dataDir, killed);
    return runInternal(...call);
  });
  await pass(server, 0);
  expect((await runsOf(server))("action")).toEqual([START_ISO]);
  await server.close();
  stopClockAt(new Date(Date.parse(START_ISO) + STEP_MS).toISOString());
  const restarted = await start({ dataDir: killed });
  await pass(restarted, 0);
  expect((await runsOf(restarted))("action")).toEqual([]);
});

test("a run that a kill cut off is made up for, and none is that committed", async () => {
  const dataDir = temporaryDir();
  const atCall = temporaryDir();
  const atCommit = temporaryDir();
  stopClockAt(START_ISO);
  const server = await start({ dataDir });
  const { runtime, db } = server.backend;
  const runInternal = runtime.runInternal.bind(runtime);
  vi.spyOn(runtime, "runInternal").mockImplementationOnce((...call) => {
    copyAsKilled(dataDir, atCall);
    const stop = db.onDurable(() => {
      copyAsKilled(dataDir, atCommit);
      stop();
    });
    return runInternal(...call);
  });
  await pass(server, 0);
  vi.useRealTimers();
  await server.close();
  for (const dataDir of [atCall, atCommit]) {
    stopClockAt(new Date(Date.parse(START_ISO) + STEP_MS).toISOString());
    const restarted = await start({ dataDir });
    await pass(restarted, 0);
    const runs = await runsOf(restarted);
    expect(runs("interval")).toHaveLength(1);
    await restarted.close();
  }
});

test("a failed run is not repeated by a restart", async () => {
  const dataDir = temporaryDir();
  stopClockAt(START_ISO);
  const first = await start({ dataDir });
  const commit = vi.spyOn(first.backend.db, "commit");
  commit.mockImplementationOnce(() => {
    throw new Error("broken");
  });
  await pass(first, 0);
  vi.useRealTimers();
  await first.close();
  expect(first.logLines).toContain("cron interval [ERROR] Error: broken");
  stopClockAt(START_ISO);
  const second = await start({ dataDir });
  await pass(second, HOUR_MS);
  expect((await runsOf(second))("interval")).toEqual([]);
});

test("a job that fails is reported, and runs again at its next time", async () => {
  stopClockAt(START_ISO);
  const server = await start();
  await settle(server);
  const kind = { isThrown: true, isPublic: false, isTransient: false };
  const failure = { text: "Error: broken", frames: "", ...kind };
  vi.spyOn(server.backend.runtime, "runInternal").mockResolvedValue({ failure });
  await pass(server, 2 * HOUR_MS);
  const reports = server.logLines.filter((line) => line === "cron hourly [ERROR] Error: broken");
  expect(reports).toHaveLength(2);
});

describe("a job whose declaration changes", () => {
  /** Starts the server with `otherWords` in its crons in place of `words`. */
  async function startOther(dataDir: string, words: string, otherWords: string): Promise<Server> {
    const functionsDir = temporaryDir();
    cpSync(FOLDER, functionsDir, { recursive: true });
    const file = path.join(functionsDir, "crons.ts");
    const before = readFileSync(file, "utf8");
    expect(before).toContain(words);
    writeFileSync(file, before.replace(words, otherWords));
    // A separate folder, because the process has cached the other bundle.
    const bundleDir = temporaryDir();
    await bundleFunctions(functionsDir, bundleDir);
    return await start({ dataDir, functions: { bundleDir } });
  }

  /** Runs the usual jobs for an hour (by a clock that is `aheadMs` ahead); it is an hour later then. */
  async function passFirstHour(dataDir: string, aheadMs = 0): Promise<void> {
    const startMs = Date.parse(START_ISO);
    stopClockAt(new Date(startMs + aheadMs).toISOString());
    const first = await start({ dataDir });
    await pass(first, HOUR_MS);
    vi.useRealTimers();
    await first.close();
    stopClockAt(new Date(startMs + HOUR_MS).toISOString());
  }

  /** The hours at which the six-hour job ran. */
  async function hoursOf(server: Server): Promise<number[]> {
    const runs = (await runsOf(server))("interval");
    return runs.map((atIso) => (Date.parse(atIso) - Date.parse(START_ISO)) / HOUR_MS);
  }

  /** Those hours, when its schedule has other words after its first run. */
  async function runsAround(words: string, otherWords: string, aheadMs = 0): Promise<number[]> {
    const dataDir = temporaryDir();
    await passFirstHour(dataDir, aheadMs);
    const second = await startOther(dataDir, words, otherWords);
    await pass(second, 12 * HOUR_MS);
    return await hoursOf(second);
  }

  test("keeps its rhythm with other arguments", async () => {
    const args = 'tick, { job: "interval" }';
    expect(await runsAround(args, 'tick, { job: "interval", note: "new" }')).toEqual([0, 6, 12]);
  });

  test("begins anew when the clock of its last run was ahead", async () => {
    const YEAR_MS = 365 * 24 * HOUR_MS;
    const runs = await runsAround("{ hours: 6 }", "{ hours: 4 }", YEAR_MS);
    expect(runs).toEqual([YEAR_MS / HOUR_MS, 1, 5, 9, 13]);
  });

  test("goes on from its last run with another schedule", async () => {
    expect(await runsAround("{ hours: 6 }", "{ hours: 4 }")).toEqual([0, 4, 8, 12]);
  });

  test("begins anew when it was not declared for a while", async () => {
    const dataDir = temporaryDir();
    await passFirstHour(dataDir);
    const without = await startOther(
      dataDir,
      'crons.interval("interval"',
      'if (false) crons.interval("interval"',
    );
    await pass(without, HOUR_MS);
    vi.useRealTimers();
    await without.close();
    stopClockAt(new Date(Date.parse(START_ISO) + 2 * HOUR_MS).toISOString());
    const again = await start({ dataDir });
    await pass(again, 7 * HOUR_MS);
    expect(await hoursOf(again)).toEqual([0, 2, 8]);
  });
});
