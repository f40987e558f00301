import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  addDays,
  addMonths,
  ageOn,
  dateLabel,
  dateOf,
  dayBounds,
  isDate,
  isMonth,
  lastMonths,
  momentOf,
  monthBounds,
  monthLabel,
  monthOf,
  monthsBack,
  shortMonthName,
  timeOf,
  tomorrowOf,
} from "../../convex/shared/dates";

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe("the credit union's calendar", () => {
  test("a time late in the evening belongs to its local day and month", () => {
    // 23:30 on January 31 in New York is already February in UTC.
    const late = at("2026-02-01T04:30:00Z");
    expect(dateOf(late)).toBe("2026-01-31");
    expect(monthOf(late)).toBe("2026-01");
    expect(timeOf(late)).toBe("23:30");
    expect(tomorrowOf(late)).toBe("2026-02-01");
  });

  test("the day begins at midnight, to the millisecond, whichever side of it was asked for first", () => {
    for (const midnight of ["2026-02-03T05:00:00Z", "2026-07-03T04:00:00Z"].map(at)) {
      const today = new Date(midnight).toISOString().slice(0, 10);
      expect(dateOf(midnight - 1)).toBe(addDays(today, -1));
      expect(dateOf(midnight)).toBe(today);
    }
  });

  test("the clock is asked once for each hour, and again once very many hours are known", () => {
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
    onTestFinished(() => asked.mockRestore());
    // Hours that nothing else asks for: other files of this worker have filled the same memory.
    const first = at("7042-02-03T05:00:00Z");
    for (const past of [0, HOUR_MS - 1, 0]) expect(dateOf(first + past)).toBe("7042-02-03");
    expect(asked).toHaveBeenCalledTimes(1);
    for (let hour = 1; hour <= 20_000; hour++) dateOf(first + hour * HOUR_MS);
    asked.mockClear();
    dateOf(first);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("months begin at local midnight in winter and in summer", () => {
    expect(monthBounds("2026-01").startMs).toBe(at("2026-01-01T05:00:00Z"));
    expect(monthBounds("2026-07")).toEqual({
      startMs: at("2026-07-01T04:00:00Z"),
      endMs: at("2026-08-01T04:00:00Z"),
    });
  });

  test("the days of the clock change have 23 and 25 hours", () => {
    const length = (date: string) => dayBounds(date).endMs - dayBounds(date).startMs;
    expect(length("2026-03-08")).toBe(23 * HOUR_MS);
    expect(length("2026-11-01")).toBe(25 * HOUR_MS);
    expect(length("2026-03-09")).toBe(24 * HOUR_MS);
  });

  test("a time that the clock change skips becomes the next hour", () => {
    expect(timeOf(momentOf("2026-03-08", "02:30"))).toBe("03:30");
  });

  test("every other time of the days of the clock change is what the clock shows then", () => {
    for (const date of ["2026-03-08", "2026-11-01"]) {
      for (const hour of ["00", "01", "03", "04", "12", "23"]) {
        const moment = momentOf(date, `${hour}:30`);
        expect(`${dateOf(moment)} ${timeOf(moment)}`).toBe(`${date} ${hour}:30`);
      }
    }
  });

  test("an invalid date has no timestamp", () => {
    for (const text of ["20266-12-01", "2026-13-01", ""]) expect(momentOf(text)).toBeNaN();
  });

  test("timestamps and local times convert both ways for any minute of twelve years", () => {
    const minutes = fc.integer({ min: at("2020-01-01") / 60_000, max: at("2032-01-01") / 60_000 });
    fc.assert(
      fc.property(minutes, (minute) => {
        const moment = minute * 60_000;
        const back = momentOf(dateOf(moment), timeOf(moment));
        // In the hour that occurs twice, either result is correct.
        expect([0, HOUR_MS]).toContain(Math.abs(back - moment));
        const { startMs, endMs } = monthBounds(monthOf(moment));
        expect(startMs <= moment && moment < endMs).toBe(true);
      }),
    );
  });
});

describe("dates and months as text", () => {
  test("days are added across months, years and leap days", () => {
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
    expect(addDays("2025-12-31", 1)).toBe("2026-01-01");
    expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  });

  test("months are added across years", () => {
    expect(addMonths("2025-12", 1)).toBe("2026-01");
    expect(addMonths("2025-01", -1)).toBe("2024-12");
    expect(addMonths("2025-03", -12)).toBe("2024-03");
  });

  test.each([
    ["2008-11-30", "2026-11-29", 17],
    ["2008-11-30", "2026-11-30", 18],
    ["2008-02-29", "2026-02-28", 17],
    ["2008-02-29", "2026-03-01", 18],
    ["2026-11-29", "2026-11-30", 0],
  ])("somebody born on %s is on %s %i years old", (birthIso, dateIso, years) => {
    expect(ageOn(birthIso, dateIso)).toBe(years);
  });

  test("only real dates and months count", () => {
    for (const text of ["2026-02-30", "2026-13-01", "2026-1-1", "", "2026-01-01T00:00", "x"]) {
      expect(isDate(text)).toBe(false);
    }
    expect(isDate("2024-02-29")).toBe(true);
    expect(isMonth("2025-00")).toBe(false);
    expect(isMonth("2025-13")).toBe(false);
    expect(isMonth("2025-12")).toBe(true);
  });

  test("a date in a sentence has its month's short name, as the charts have", () => {
    expect(dateLabel("2026-12-04")).toBe("Dec 4, 2026");
    expect(dateLabel("2024-02-29")).toBe("Feb 29, 2024");
    expect(shortMonthName("2025-09")).toBe("Sep");
  });

  test("the thirteen statement months are labelled as specified", () => {
    const months = monthsBack("2025-03", "2024-03");
    expect(months).toHaveLength(13);
    expect(monthLabel(months[0] ?? "")).toBe("March 2025");
    expect(monthLabel(months.at(-1) ?? "")).toBe("March 2024");
  });

  test("the last months end with the given one, also across a new year", () => {
    expect(lastMonths("2026-02", 6)).toEqual([
      "2025-09",
      "2025-10",
      "2025-11",
      "2025-12",
      "2026-01",
      "2026-02",
    ]);
  });
});
