/** When recurring jobs run next, in UTC. */
import { expect, test } from "vitest";
import { firstRunMs, nextRunMs } from "../../../embedded/runtime/cronSchedule";

const at = (iso: string): number => Date.parse(`${iso}Z`);
const MINUTE_MS = 60_000;
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

test.each([
  ["7", [0]],
  ["sun-tue", [0, 1, 2]],
  ["5-7", [0, 5, 6]],
  ["1/2", [1, 3, 5]],
  ["5/2", [5]],
  ["0-7", [0, 1, 2, 3, 4, 5, 6]],
  ["1-7/2", [0, 1, 3, 5]],
  ["*/7", [0]],
  ["*/2", [0, 2, 4, 6]],
  ["7,3", [0, 3]],
] as const)("the weekdays %s are %j, and Sunday is 0 and 7", (weekdays, expected) => {
  const schedule = { type: "cron", cron: `0 0 * * ${weekdays}` };
  const days = new Set<number>();
  const endMs = AFTER + 7 * 24 * 60 * MINUTE_MS;
  for (let dueMs = nextRunMs(schedule, AFTER, AFTER); dueMs <= endMs;) {
    days.add(new Date(dueMs).getUTCDay());
    dueMs = nextRunMs(schedule, dueMs, dueMs);
  }
  expect([...days].sort()).toEqual(expected);
});

test.each(["1,", "-5", "2-", "0x1", "1e0", "9", "5-2"])(
  "the weekdays %s are refused",
  (weekdays) => {
    const schedule = { type: "cron", cron: `0 0 * * ${weekdays}` };
    expect(() => nextRunMs(schedule, AFTER, AFTER)).toThrow("Invalid cron expression");
  },
);

test("an interval begins at once, and keeps its rhythm when a run was late", () => {
  const schedule = { type: "interval", minutes: 5 };
  expect(firstRunMs(schedule, AFTER)).toBe(AFTER);
  const lateMs = AFTER + 7 * MINUTE_MS;
  expect(nextRunMs(schedule, AFTER, lateMs)).toBe(AFTER + 10 * MINUTE_MS);
});

test("other schedules wait for their first time", () => {
  const daily = { type: "daily", hourUTC: 9, minuteUTC: 30 };
  expect(firstRunMs(daily, AFTER)).toBe(at("2026-02-28T09:30:00"));
});

test("a date that never comes never runs", () => {
  expect(nextRunMs({ type: "cron", cron: "0 0 31 2 *" }, AFTER, AFTER)).toBe(Infinity);
});

test.each(["* * * *", "61 * * * *", "a * * * *", "*/0 * * * *", "0 0 * * 8", "0 0 * * 5-2"])(
  "refuses %s",
  (cron) => {
    expect(() => nextRunMs({ type: "cron", cron }, AFTER, AFTER)).toThrow(
      "Invalid cron expression",
    );
  },
);
