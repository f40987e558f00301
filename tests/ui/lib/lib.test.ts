import { plural } from "#shared/counts";
import { MESSAGES } from "#shared/errors";
import { ConvexError } from "convex/values";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  announce,
  asOwnAction,
  clearAnnouncements,
  currentAnnouncement,
  isEchoOfOwnAction,
} from "../../../src/lib/announce";
import { currentAccessToken } from "../../../src/lib/convexSession";
import { refusalOf } from "../../../src/lib/errorText";
import {
  dayHeading,
  formatAgo,
  formatDateTime,
  formatIsoDate,
  formatTime,
  inOnePiece,
  receiptNumberOf,
} from "../../../src/lib/format";
import { printArea } from "../../../src/lib/printArea";
import { saveFile } from "../../../src/lib/saveFile";
import { currentTheme, setTheme } from "../../../src/lib/theme";
import { NOT_YET_ONLINE_PATHS, PATHS } from "../../../src/lib/paths";

describe("dates and times in the credit union's zone", () => {
  const evening = Date.parse("2026-11-21T02:30:00Z"); // Nov 20, 9:30 PM in New York

  test("the day is that of New York, not of UTC", () => {
    expect(dayHeading(evening, evening)).toBe("Today");
    expect(dayHeading(evening, evening + 3 * 3_600_000)).toBe("Yesterday");
    expect(dayHeading(evening, evening + 5 * 86_400_000)).toBe("Friday, November 20");
    expect(formatTime(evening)).toBe("9:30 PM");
  });

  test("the day before a change to or from daylight saving is yesterday", () => {
    // 25 hours: November 1, 2026, half an hour before its end.
    expect(dayHeading(Date.parse("2026-10-31T16:00:00Z"), Date.parse("2026-11-02T04:30:00Z"))).toBe(
      "Yesterday",
    );
    // 23 hours: the first half hour of March 9, 2026.
    expect(dayHeading(Date.parse("2026-03-08T16:00:00Z"), Date.parse("2026-03-09T04:30:00Z"))).toBe(
      "Yesterday",
    );
  });

  test("in a sentence no line ends between month and day, nor before AM or PM", () => {
    expect(inOnePiece(`asked on ${formatDateTime(evening)}.`)).toBe(
      "asked on Nov\u00a020, 2026, 9:30\u00a0PM.",
    );
  });

  test("a calendar date is not moved by any zone", () => {
    expect(formatIsoDate("2026-03-01")).toBe("Mar 1, 2026");
  });

  test.each([
    [30, "just now"],
    [60, "1 minute ago"],
    [7_200, "2 hours ago"],
    [86_400, "yesterday"],
    [6 * 86_400, "6 days ago"],
    [7 * 86_400, "Nov 13, 2026"],
  ])("%i seconds ago reads %s", (seconds, text) =>
    expect(formatAgo(evening - seconds * 1000, evening)).toBe(text),
  );

  test("yesterday is the day before, in notifications as in lists", () => {
    const night = Date.parse("2026-11-28T05:30:00Z"); // Nov 28, 12:30 AM in New York
    const hoursBefore = (hours: number) => night - hours * 3_600_000;
    expect(formatAgo(hoursBefore(24), night)).toBe("yesterday");
    expect(dayHeading(hoursBefore(25), night)).toBe("Thursday, November 26");
    expect(formatAgo(hoursBefore(25), night)).toBe("2 days ago");
    // November 1, 2026 has 25 hours.
    const lateOnSunday = Date.parse("2026-11-02T04:30:00Z");
    expect(formatAgo(lateOnSunday - 24.25 * 3_600_000, lateOnSunday)).toBe("today");
  });

  test("a receipt's number is short and keeps the random part of the id", () => {
    expect(receiptNumberOf("k17bh2xq4ta8z7w0m5c9n3d1e67f8g2h")).toBe("N3D1-E67F");
  });

  test("counts agree with their noun", () => {
    expect(plural(1, "deposit")).toBe("1 deposit");
    expect(plural(1_200, "deposit")).toBe("1,200 deposits");
  });
});

test("what is printed, and what contains it, is marked until it has been printed", () => {
  document.body.innerHTML = "<main><p>receipt</p><p>other</p></main>";
  // Test files of one worker share the document.
  onTestFinished(() => document.body.replaceChildren());
  const marked = () =>
    Array.from(
      document.querySelectorAll("[data-printable], [data-print-way]"),
      ({ localName }) => localName,
    );
  const print = vi.spyOn(window, "print").mockImplementation(() => {
    expect(marked()).toEqual(["html", "body", "main", "p"]);
  });
  printArea(document.querySelector("p"));
  expect(print).toHaveBeenCalledOnce();
  window.dispatchEvent(new Event("afterprint"));
  expect(marked()).toEqual([]);
});

describe("announcements", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    clearAnnouncements();
  });
  afterEach(() => void vi.useRealTimers());

  test("of several in a row the last is spoken, after a quiet moment", () => {
    announce("Available balance is now $10.00");
    vi.advanceTimersByTime(799);
    announce("Available balance is now $20.00");
    vi.advanceTimersByTime(799);
    expect(currentAnnouncement()).toBe("");
    vi.advanceTimersByTime(1);
    expect(currentAnnouncement()).toBe("Available balance is now $20.00");
  });

  test("the end of a session takes back what was said and what was about to be", () => {
    announce("Available balance is now $10.00");
    vi.advanceTimersByTime(800);
    announce("Available balance is now $20.00");
    clearAnnouncements();
    vi.advanceTimersByTime(800);
    expect(currentAnnouncement()).toBe("");
  });

  test("what comes during an own action and shortly after it is its echo", async () => {
    let answer: (text: string) => void = () => undefined;
    const acting = asOwnAction(() => new Promise<string>((resolve) => (answer = resolve)));
    vi.advanceTimersByTime(60_000);
    expect(isEchoOfOwnAction()).toBe(true);
    answer("done");
    expect(await acting).toBe("done");
    vi.advanceTimersByTime(999);
    expect(isEchoOfOwnAction()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isEchoOfOwnAction()).toBe(false);
  });

  test("a clock that is set back does not prolong an echo", async () => {
    await asOwnAction(async () => "done");
    vi.advanceTimersByTime(60_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(isEchoOfOwnAction()).toBe(false);
  });

  test("a refused action has no echo, nor has one of a session that is over", async () => {
    const refusal = new Error("refused");
    await expect(asOwnAction(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(isEchoOfOwnAction()).toBe(false);
    let answer: (text: string) => void = () => undefined;
    const acting = asOwnAction(() => new Promise<string>((resolve) => (answer = resolve)));
    clearAnnouncements();
    expect(isEchoOfOwnAction()).toBe(false);
    answer("too late");
    await acting;
    expect(isEchoOfOwnAction()).toBe(false);
  });
});

test("a theme is applied at once and kept; the device's own is no setting at all", () => {
  setTheme("dark");
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(window.localStorage.getItem("theme")).toBe("dark");
  setTheme("system");
  expect(currentTheme()).toBe("system");
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(window.localStorage.getItem("theme")).toBeNull();
});

test("a file is offered once, under its name, and its bytes are freed later", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const revoked = vi.fn();
  const files: Blob[] = [];
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`;
  URL.revokeObjectURL = revoked;
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    clicked.push(`${this.download} ${this.href} ${this.isConnected}`);
  });
  const file = new Blob(["Date"]);
  saveFile("statement-2025-03.csv", file);
  expect(clicked).toEqual(["statement-2025-03.csv blob:1 true"]);
  expect(files).toEqual([file]);
  expect(document.querySelector("a[download]")).toBeNull();
  expect(revoked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(revoked).toHaveBeenCalledExactlyOnceWith("blob:1");
});

test.each([null, "text", 5, {}, { code: "toString", message: "x" }])(
  "an error that holds %j is no refusal: it says what failed",
  (data) => {
    const message = MESSAGES.SAVE_FAILED;
    const refusal = refusalOf(new ConvexError(data), "SAVE_FAILED");
    expect(refusal).toEqual({ code: "SAVE_FAILED", message });
  },
);

test("a refusal keeps its details", () => {
  const data = { code: "STALE_EDIT", message: "x", details: { balance: "5" } };
  expect(refusalOf(new ConvexError(data), "SAVE_FAILED")).toEqual(data);
});

test("what is sent along with a request is the access token, never the one that renews it", () => {
  onTestFinished(() => void window.sessionStorage.clear());
  window.sessionStorage.setItem("__convexAuthRefreshToken_x", "renews");
  expect(currentAccessToken()).toBe("");
  window.sessionStorage.setItem("__convexAuthJWT_x", "shows");
  expect(currentAccessToken()).toBe("shows");
});

test("no address has both a page and the notice that it has none", () => {
  const pages: readonly string[] = Object.values(PATHS);
  expect(NOT_YET_ONLINE_PATHS.filter((path) => pages.includes(path))).toEqual([]);
});
