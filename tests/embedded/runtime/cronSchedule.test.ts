/** When recurring jobs run next, in UTC. */
import { expect, test } from "vitest";
import { firstRunMs, nextRunMs } from "../../../embedded/runtime/cronSchedule";

const at = (iso: string): number => Date.parse(`${iso}Z`);
const AFTER = at("2026-02-27T23:59:30");

test.each([
  ["an interval counts from the last run", { type: "interval", minutes: 5 }, "2026-02-28T00:04:30"],
  ["hourly at a minute", { type: "hourly", minuteUTC: 15 }, "2026-02-28T00:15:00"],
  ["daily over midnight", { type: "daily", hourUTC: 0, minuteUTC: 0 }, "2026-02-28T00:00:00"],
  [
    "weekly on a day",
    { type: "weekly", dayOfWeek: "monday", hourUTC: 9, minuteUTC: 30 },
    "2026-03-02T09:30:00",
  ],
  [
    "monthly skips months without that day",
    { type: "monthly", day: 31, hourUTC: 1, minuteUTC: 0 },
    "2026-03-31T01:00:00",
  ],
  ["a cron expression with steps", { type: "cron", cron: "*/20 6-8 * * *" }, "2026-02-28T06:00:00"],
  ["names of days and months", { type: "cron", cron: "0 12 * mar sun" }, "2026-03-01T12:00:00"],
  [
    "either day, when both are given",
    { type: "cron", cron: "0 0 15 * sat" },
    "2026-02-28T00:00:00",
  ],
] as const)("%s", (_title, schedule, expected) => {
  expect(new Date(nextRunMs(schedule, AFTER, AFTER)).toISOString()).toBe(`${expected}.000Z`);
});

test("an interval begins at once, and keeps its rhythm when a run was late", () => {
  const schedule = { type: "interval", minutes: 5 };
  expect(firstRunMs(schedule, AFTER)).toBe(AFTER);
  const lateMs = AFTER + 7 * 60_000;
  expect(nextRunMs(schedule, AFTER, lateMs)).toBe(AFTER + 10 * 60_000);
});

test("other schedules wait for their first time", () => {
  const daily = { type: "daily", hourUTC: 9, minuteUTC: 30 };
  expect(firstRunMs(daily, AFTER)).toBe(at("2026-02-28T09:30:00"));
});

test("a date that never comes never runs", () => {
  expect(nextRunMs({ type: "cron", cron: "0 0 31 2 *" }, AFTER, AFTER)).toBe(Infinity);
});

test.each(["* * * *", "61 * * * *", "a * * * *", "*/0 * * * *"])("refuses %s", (cron) => {
  expect(() => nextRunMs({ type: "cron", cron }, AFTER, AFTER)).toThrow("Invalid cron expression");
});
