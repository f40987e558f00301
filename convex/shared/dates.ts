/**
 * Calendar dates and months in the credit union's time zone, using only Intl.
 *
 * Dates are ISO text (`YYYY-MM-DD`), months `YYYY-MM`, moments milliseconds since epoch. Time is
 * always an argument. Not here: which periods exist (shared/policies, model/statements).
 */
import { INSTITUTION } from "./institution";
import { MS } from "./limits";

const { DAY_MS, HOUR_MS } = MS;

const WALL_CLOCK = new Intl.DateTimeFormat("en-US", {
  timeZone: INSTITUTION.timeZone,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** The wall clock of a moment, written as if it were UTC. */
function wallClockMs(atMs: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of WALL_CLOCK.formatToParts(atMs)) parts[type] = value;
  return Date.UTC(
    Number(parts.year),
    Number(parts.month) - 1,
    Number(parts.day),
    Number(parts.hour),
    Number(parts.minute),
    Number(parts.second),
  );
}

/**
 * Dates by whole hour since epoch. Offsets here are whole hours, so an hour lies within one date;
 * asking Intl costs more than everything else a transfer computes.
 */
const datesByHour = new Map<number, string>();
const DATES_KEPT_MAX = 20_000;

/** The calendar date of a moment. */
export function dateOf(atMs: number): string {
  const hour = Math.floor(atMs / HOUR_MS);
  const known = datesByHour.get(hour);
  if (known !== undefined) return known;
  if (datesByHour.size >= DATES_KEPT_MAX) datesByHour.clear();
  const date = new Date(wallClockMs(atMs)).toISOString().slice(0, 10);
  datesByHour.set(hour, date);
  return date;
}

/** The time of day of a moment, as `HH:MM`. */
export function timeOf(atMs: number): string {
  return new Date(wallClockMs(atMs)).toISOString().slice(11, 16);
}

/** The month of a moment. */
export function monthOf(atMs: number): string {
  return dateOf(atMs).slice(0, 7);
}

/**
 * The moment of a wall-clock time. In the hour that daylight saving skips, one hour later; NaN for what is no date.
 */
export function momentOf(dateIso: string, time = "00:00"): number {
  const wallMs = Date.parse(`${dateIso}T${time}:00.000Z`);
  if (Number.isNaN(wallMs)) return wallMs;
  // The offset in force differs by at most one hour around a change: check both sides.
  const early = wallMs - offsetMs(wallMs - DAY_MS);
  const late = wallMs - offsetMs(wallMs + DAY_MS);
  if (wallClockMs(early) === wallMs) return early;
  return wallClockMs(late) === wallMs ? late : Math.max(early, late);
}

/** Wall clock minus UTC. */
export function offsetMs(atMs: number): number {
  const wholeSecondMs = Math.floor(atMs / 1_000) * 1_000;
  return wallClockMs(wholeSecondMs) - wholeSecondMs;
}

/** First moment of a month and of the next: `[startMs, endMs)`. */
export function monthBounds(month: string): { startMs: number; endMs: number } {
  return { startMs: momentOf(`${month}-01`), endMs: momentOf(`${addMonths(month, 1)}-01`) };
}

/** First moment of a date and of the next: `[startMs, endMs)`. */
export function dayBounds(dateIso: string): { startMs: number; endMs: number } {
  return { startMs: momentOf(dateIso), endMs: momentOf(addDays(dateIso, 1)) };
}

/** A date some days later, or earlier when negative. */
export function addDays(dateIso: string, days: number): string {
  return new Date(Date.parse(`${dateIso}T00:00:00.000Z`) + days * DAY_MS)
    .toISOString()
    .slice(0, 10);
}

/** Completed years of age on a date; a person born on February 29 completes one on March 1 where there is none. */
export function ageOn(birthIso: string, dateIso: string): number {
  const years = Number(dateIso.slice(0, 4)) - Number(birthIso.slice(0, 4));
  return dateIso.slice(5) < birthIso.slice(5) ? years - 1 : years;
}

/** A month some months later, or earlier when negative. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const index = year * 12 + (number - 1) + months;
  const yearText = String(Math.floor(index / 12)).padStart(4, "0");
  return `${yearText}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** Spec section 9 "Bill payment date": the earliest one allowed. */
export function tomorrowOf(nowMs: number): string {
  return addDays(dateOf(nowMs), 1);
}

/** True for a real calendar date written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}

/** True for a month written `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** The name of a month or of a date's month. */
function monthName(iso: string): string {
  const [, number = "1"] = iso.split("-");
  return MONTH_NAMES[Number(number) - 1] ?? "";
}

/** "Dec" from "2026-12" or "2026-12-04". */
export function shortMonthName(iso: string): string {
  return monthName(iso).slice(0, 3);
}

/** "Dec 4, 2026" from "2026-12-04". */
export function dateLabel(dateIso: string): string {
  const [year = "", , day = "1"] = dateIso.split("-");
  return `${shortMonthName(dateIso)} ${String(Number(day))}, ${year}`;
}

/** "March 2025". */
export function monthLabel(month: string): string {
  const [year = ""] = month.split("-");
  return `${monthName(month)} ${year}`;
}

/** The months from the newest back to the oldest, both included. */
export function monthsBack(newest: string, oldest: string): string[] {
  const months: string[] = [];
  for (let month = newest; month >= oldest; month = addMonths(month, -1)) months.push(month);
  return months;
}

/** A month and those before it, `count` in all, oldest first. */
export function lastMonths(month: string, count: number): string[] {
  return monthsBack(month, addMonths(month, 1 - count)).reverse();
}
