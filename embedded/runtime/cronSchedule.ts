/** Computes the next run of a cron, in UTC. Pure: time is an argument. */
import type { CronJson } from "./modules.ts";

type Schedule = CronJson["schedule"];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/** A schedule without a match in this span (31 February) never runs. */
const SEARCH_SPAN_MS = 4 * 366 * DAY_MS;

/**
 * Parses one field of a cron expression into the values it matches. `openMax` is the end of a step without a
 * range.
 */
function parseField(
  text: string,
  min: number,
  max: number,
  names: readonly string[],
  openMax = max,
): Set<number> {
  const valueOf = (part: string): number => {
    const named = names.indexOf(part.toLowerCase());
    const value = named >= 0 ? named + min : /^\d+$/.test(part) ? Number(part) : NaN;
    if (!(value >= min && value <= max)) {
      throw new Error(`Invalid cron expression: ${part} is not between ${min} and ${max}`);
    }
    return value;
  };
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [range = "", stepText] = part.split("/");
    const step = stepText === undefined ? 1 : Number(stepText);
    if (!Number.isInteger(step) || step < 1) throw new Error("Invalid cron expression: bad step");
    const [from, to] = range.split("-");
    const low = range === "*" ? min : valueOf(from ?? "");
    const high =
      range === "*" || (to === undefined && stepText !== undefined)
        ? openMax
        : valueOf(to ?? from ?? "");
    if (low > high) throw new Error(`Invalid cron expression: ${range} ends before it begins`);
    for (let value = low; value <= high; value += step) values.add(value);
  }
  return values;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SHORT_WEEKDAYS = WEEKDAYS.map((day) => day.slice(0, 3));

/** The first minute after `afterMs` that matches a five-field cron expression. */
function nextCronExpression(expression: string, afterMs: number): number {
  const fields = expression.trim().split(/\s+/);
  const [minuteText, hourText, dayText, monthText, weekdayText] = fields;
  if (fields.length !== 5 || !minuteText || !hourText || !dayText || !monthText || !weekdayText) {
    throw new Error(`Invalid cron expression: ${expression}`);
  }
  const minutes = parseField(minuteText, 0, 59, []);
  const hours = parseField(hourText, 0, 23, []);
  const days = parseField(dayText, 1, 31, []);
  const months = parseField(monthText, 1, 12, MONTHS);
  const weekdays = parseField(weekdayText, 0, 7, SHORT_WEEKDAYS, 6);
  if (weekdays.has(7)) weekdays.add(0);
  // When both are restricted, either may match: the traditional rule of cron.
  const isEitherDay = dayText !== "*" && weekdayText !== "*";
  const admitsDay = (date: Date): boolean => {
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const byDay = days.has(date.getUTCDate());
    const byWeekday = weekdays.has(date.getUTCDay());
    return isEitherDay ? byDay || byWeekday : byDay && byWeekday;
  };
  let atMs = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  while (atMs < afterMs + SEARCH_SPAN_MS) {
    const date = new Date(atMs);
    if (!admitsDay(date)) atMs = Math.floor(atMs / DAY_MS) * DAY_MS + DAY_MS;
    else if (!hours.has(date.getUTCHours()) || !minutes.has(date.getUTCMinutes())) {
      atMs += MINUTE_MS;
    } else return atMs;
  }
  return Infinity;
}

function numberOf(schedule: Schedule, name: string): number {
  const value = schedule[name];
  return typeof value === "number" ? value : Number(value ?? 0);
}

/** The first run of a job that is new at `nowMs`: an interval starts at once, as officially. */
export function firstRunMs(schedule: Schedule, nowMs: number): number {
  return schedule.type === "interval" ? nowMs : nextRunMs(schedule, nowMs, nowMs);
}

/**
 * Time (ms) of the next run after `nowMs` of a job that was due at `dueMs`; Infinity when there is none.
 * Intervals keep the rhythm of their first run, however late a run was.
 *
 * @throws Error for unknown schedules and malformed expressions
 */
export function nextRunMs(schedule: Schedule, dueMs: number, nowMs: number): number {
  const minute = numberOf(schedule, "minuteUTC");
  const hour = numberOf(schedule, "hourUTC");
  const afterMs = Math.max(dueMs, nowMs);
  switch (schedule.type) {
    case "interval": {
      const everyMs =
        numberOf(schedule, "seconds") * 1000 +
        numberOf(schedule, "minutes") * MINUTE_MS +
        numberOf(schedule, "hours") * 60 * MINUTE_MS;
      return dueMs + (Math.floor((afterMs - dueMs) / everyMs) + 1) * everyMs;
    }
    case "hourly":
      return nextCronExpression(`${minute} * * * *`, afterMs);
    case "daily":
      return nextCronExpression(`${minute} ${hour} * * *`, afterMs);
    case "weekly": {
      const weekday = WEEKDAYS.indexOf(String(schedule.dayOfWeek));
      return nextCronExpression(`${minute} ${hour} * * ${weekday}`, afterMs);
    }
    case "monthly":
      return nextCronExpression(`${minute} ${hour} ${numberOf(schedule, "day")} * *`, afterMs);
    case "cron":
      return nextCronExpression(
        String(schedule.cronExpr ?? schedule.cron ?? schedule.cronString),
        afterMs,
      );
    default:
      throw new Error(`Unknown schedule ${schedule.type}`);
  }
}
