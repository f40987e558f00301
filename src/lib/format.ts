/**
 * Dates, times and numbers as people read them, in the credit union's time zone.
 *
 * Not here: money in full (`formatUsd` of #shared/money).
 */
import { addDays, dateOf } from "#shared/dates";
import { INSTITUTION } from "#shared/institution";

const ZONE = { timeZone: INSTITUTION.timeZone } as const;
const LOCALE = "en-US";

const dateFormat = new Intl.DateTimeFormat(LOCALE, { ...ZONE, dateStyle: "medium" });
const longDateFormat = new Intl.DateTimeFormat(LOCALE, { ...ZONE, dateStyle: "long" });
const timeFormat = new Intl.DateTimeFormat(LOCALE, { ...ZONE, timeStyle: "short" });
const zonedTimeFormat = new Intl.DateTimeFormat(LOCALE, {
  ...ZONE,
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "shortGeneric",
});
const weekdayFormat = new Intl.DateTimeFormat(LOCALE, {
  ...ZONE,
  weekday: "long",
  month: "long",
  day: "numeric",
});
const fullDateFormat = new Intl.DateTimeFormat(LOCALE, { ...ZONE, dateStyle: "full" });
const relativeFormat = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

/** ICU puts a narrow no-break space before AM and PM; ordinary spaces are easier to search. */
const plain = (text: string): string => text.replace(/\u202f/g, " ");

/** "Nov 20, 2026" */
export const formatDate = (atMs: number): string => dateFormat.format(atMs);

/** "November 20, 2026" */
export const formatLongDate = (atMs: number): string => longDateFormat.format(atMs);

/** "8:12 AM" */
export const formatTime = (atMs: number): string => plain(timeFormat.format(atMs));

/** "8:12 AM ET", for a moment that the reader compares with a clock of their own. */
export const formatZonedTime = (atMs: number): string => plain(zonedTimeFormat.format(atMs));

/** "Nov 20, 2026, 8:12 AM" */
export const formatDateTime = (atMs: number): string => `${formatDate(atMs)}, ${formatTime(atMs)}`;

/** For dates in a sentence: never breaks a time or a day of the month across two lines. */
export const inOnePiece = (text: string): string =>
  text.replaceAll(/\b([A-Z][a-z]{2}) (?=\d)|(\d) (?=[AP]M\b)/g, "$1$2\u00a0");

/** "Friday, November 20, 2026, 9:41 AM" */
export const formatFullDateTime = (atMs: number): string =>
  `${fullDateFormat.format(atMs)}, ${formatTime(atMs)}`;

/** "Nov 20, 2026" from the calendar date "2026-11-20", whatever the zone. */
export function formatIsoDate(iso: string): string {
  return new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", dateStyle: "medium" }).format(
    Date.parse(`${iso}T00:00:00Z`),
  );
}

/** "Today", "Yesterday", "Tuesday, November 17"; with the year when it is not the current one. */
export function dayHeading(atMs: number, nowMs: number): string {
  const day = dateOf(atMs);
  const today = dateOf(nowMs);
  if (day === today) return "Today";
  // By calendar date, because days may have 23 or 25 hours.
  if (day === addDays(today, -1)) return "Yesterday";
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return isThisYear ? weekdayFormat.format(atMs) : fullDateFormat.format(atMs);
}

/** "3 minutes ago", "yesterday"; beyond a week, a date. */
export function formatAgo(atMs: number, nowMs: number): string {
  const seconds = Math.round((nowMs - atMs) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return relativeFormat.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return relativeFormat.format(-Math.floor(seconds / 3600), "hour");
  // By calendar date, as in `dayHeading`: 47 hours ago may be two days ago.
  const days = (Date.parse(dateOf(nowMs)) - Date.parse(dateOf(atMs))) / 86_400_000;
  return days < 7 ? relativeFormat.format(-days, "day") : formatDate(atMs);
}

/**
 * "7K3M-Q9X2": a receipt number short enough to read out over the phone. Eight of the random characters of the
 * transfer's id, whose last ones are a checksum.
 */
export function receiptNumberOf(transferId: string): string {
  const characters = transferId.slice(-12, -4).toUpperCase();
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}
