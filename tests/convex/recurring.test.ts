/** What recurs, and how often: nobody else would notice that a job is no longer on the schedule. */
import { expect, test } from "vitest";
import crons from "../../convex/crons";
import { dateOf, momentOf } from "../../convex/shared/dates";
import { MS } from "../../convex/shared/limits";
import { firstRunMs, nextRunMs } from "../../embedded/runtime/cronSchedule";

/** The longest time between two runs of each job. */
const LONGEST_MS: Readonly<Record<string, number>> = {
  "accounts:replaceMasked": MS.HOUR_MS,
  "admin/health:continueJobs": 6 * MS.HOUR_MS,
  "admin/health:startLedgerCheck": MS.DAY_MS,
  "billPayments:settleDue": MS.DAY_MS / 2,
  "mobileDeposits:sweepFiles": 6 * MS.HOUR_MS,
  "mobileDeposits:sweepImages": 6 * MS.HOUR_MS,
  "outboxJob:deliver": MS.MINUTE_MS,
  "sessions:sessionExpiry": MS.MINUTE_MS,
  "transfers:sweepLapsed": 6 * MS.HOUR_MS,
};

const jobs = Object.values(crons.crons);
type Job = (typeof jobs)[number];

/** The next ten runs of a job from a moment on. */
function runsFrom({ schedule }: Job, fromMs: number): number[] {
  const runs = [firstRunMs(schedule, fromMs)];
  while (runs.length < 10) runs.push(nextRunMs(schedule, runs.at(-1)!, runs.at(-1)!));
  return runs;
}

test("every job runs as often as what it does needs", () => {
  const longest = jobs.map((job) => {
    const runs = runsFrom(job, Date.UTC(2026, 0, 1));
    return [job.name, Math.max(...runs.slice(1).map((run, index) => run - runs[index]!))];
  });
  expect(Object.fromEntries(longest)).toEqual(LONGEST_MS);
});

test.each(["2026-01-15", "2026-07-15"])(
  "payments due on %s are made within two hours of its beginning",
  (date) => {
    const settling = jobs.find(({ name }) => name === "billPayments:settleDue")!;
    const [first = 0] = runsFrom(settling, momentOf(date));
    expect(dateOf(first)).toBe(date);
    expect(first - momentOf(date)).toBeLessThan(2 * MS.HOUR_MS);
  },
);
