import { describe, expect, test } from "vitest";
import type { CsvRow } from "../../../convex/shared/csv";
import {
  allProblems,
  blankRow,
  fileSummary,
  gridReducer,
  hasRoomFor,
  initialGrid,
  shownProblems,
  type GridState,
} from "../../../src/features/adminTransactions/gridRows";

const DEFAULTS = { date: "2026-11-20", time: "14:30" };

function fileRow(description: string, amount = "5"): CsvRow {
  const { texts } = blankRow(DEFAULTS);
  return { texts: { ...texts, description, amount }, unreadable: {} };
}

function load(state: GridState, rows: readonly CsvRow[]): GridState {
  const file = { name: "november.csv", rowCount: rows.length };
  return gridReducer(state, { kind: "loadFile", file, rows });
}

describe("the Add Transactions grid", () => {
  test("starts with one row of defaults whose gaps are not complained about yet", () => {
    const state = initialGrid(DEFAULTS);
    expect(state.rows.map(({ row }) => row.texts)).toEqual([
      expect.objectContaining({
        type: "debit",
        date: "2026-11-20",
        time: "14:30",
        status: "Completed",
      }),
    ]);
    expect(allProblems(state)).toHaveLength(2);
    expect(shownProblems(state)).toEqual([]);
  });

  test("shows the problem of a cell once it was left, and of all cells on request", () => {
    const blank = initialGrid(DEFAULTS);
    const leaveAmount = { kind: "leave", key: 1, column: "amount" } as const;
    // Whoever only passes a blank row on the way to something else has left nothing out.
    expect(shownProblems(gridReducer(blank, leaveAmount))).toEqual([]);
    const description = { kind: "edit", key: 1, column: "description", text: "Rent" } as const;
    const left = gridReducer(gridReducer(blank, description), leaveAmount);
    expect(shownProblems(left).map(({ text }) => text)).toEqual([
      "Row 1, Amount: enter a number above 0",
    ]);
    expect(shownProblems(gridReducer(blank, { kind: "revealAll" }))).toHaveLength(2);
  });

  test("a row carries the moment of now until something is typed into it or its moment is set", () => {
    const [before, now] = [DEFAULTS, { date: "2026-12-01", time: "00:05" }];
    const renew = (state: GridState) => gridReducer(state, { kind: "renew", before, now });
    const momentOf = (state: GridState) => {
      const { date, time } = state.rows[0]!.row.texts;
      return { date, time };
    };
    const blank = initialGrid(before);
    expect(momentOf(renew(blank))).toEqual(now);
    const set = (column: "amount" | "time", text: string) =>
      gridReducer(blank, { kind: "edit", key: 1, column, text });
    expect(momentOf(renew(set("amount", "5")))).toEqual(before);
    expect(momentOf(renew(set("time", "10:00")))).toEqual({ ...before, time: "10:00" });
  });

  test("the last row cannot be removed", () => {
    const one = initialGrid(DEFAULTS);
    expect(gridReducer(one, { kind: "removeRow", key: 1 })).toBe(one);
    const two = gridReducer(one, { kind: "addRow", defaults: DEFAULTS });
    expect(gridReducer(two, { kind: "removeRow", key: 1 }).rows.map(({ key }) => key)).toEqual([2]);
  });

  test("a file replaces an untouched grid and follows typed rows", () => {
    const fresh = load(initialGrid(DEFAULTS), [fileRow("a"), fileRow("b")]);
    expect(fresh.rows.map(({ row }) => row.texts.description)).toEqual(["a", "b"]);
    const typed = gridReducer(initialGrid(DEFAULTS), {
      kind: "edit",
      key: 1,
      column: "description",
      text: "typed",
    });
    expect(load(typed, [fileRow("a")]).rows.map(({ row }) => row.texts.description)).toEqual([
      "typed",
      "a",
    ]);
  });

  test("another file takes the place of the one before, beside what was typed", () => {
    const first = load(initialGrid(DEFAULTS), [fileRow("a"), fileRow("b")]);
    const withRow = gridReducer(first, { kind: "addRow", defaults: DEFAULTS });
    const key = withRow.rows.at(-1)?.key ?? 0;
    const typed = gridReducer(withRow, { kind: "edit", key, column: "description", text: "typed" });
    const second = load(typed, [fileRow("c")]);
    expect(second.rows.map(({ row }) => row.texts.description)).toEqual(["typed", "c"]);
    expect(hasRoomFor(second, 499)).toBe(true);
    expect(hasRoomFor(second, 500)).toBe(false);
  });

  test("problems of a file are shown at once, and editing the cell answers them", () => {
    const bad: CsvRow = { ...fileRow("a"), unreadable: { account: "Cheking" } };
    const state = load(initialGrid(DEFAULTS), [
      { ...bad, texts: { ...bad.texts, account: "" } },
      fileRow("b", "-12"),
    ]);
    expect(shownProblems(state).map(({ text }) => text)).toEqual([
      'Row 1, Account: choose Checking or Savings (found "Cheking")',
      'Row 2, Amount: enter a number above 0 (found "-12")',
    ]);
    const key = state.rows[0]?.key ?? 0;
    const fixed = gridReducer(state, { kind: "edit", key, column: "account", text: "Savings" });
    expect(shownProblems(fixed)).toHaveLength(1);
  });

  test("holds at most 500 rows, typed and read together", () => {
    const full = load(
      initialGrid(DEFAULTS),
      Array.from({ length: 500 }, (_, index) => fileRow(`row ${index}`)),
    );
    expect(full.rows).toHaveLength(500);
    expect(gridReducer(full, { kind: "addRow", defaults: DEFAULTS })).toBe(full);
    const typed = gridReducer(initialGrid(DEFAULTS), { kind: "addRow", defaults: DEFAULTS });
    expect(hasRoomFor(typed, 498)).toBe(true);
    expect(hasRoomFor(typed, 499)).toBe(false);
    expect(hasRoomFor(initialGrid(DEFAULTS), 500)).toBe(true);
  });

  test("a file leaves with the last of its rows, and is not sent with what is typed afterwards", () => {
    const typed = gridReducer(load(initialGrid(DEFAULTS), [fileRow("a"), fileRow("b")]), {
      kind: "addRow",
      defaults: DEFAULTS,
    });
    const remove = (state: GridState) =>
      gridReducer(state, { kind: "removeRow", key: state.rows[0]!.key });
    expect(remove(typed).file).toMatchObject({ name: "november.csv" });
    expect(remove(remove(typed)).file).toBeNull();
  });

  test("keys are never used twice, not even after a reset", () => {
    const state = load(initialGrid(DEFAULTS), [fileRow("a"), fileRow("b")]);
    const reset = gridReducer(state, { kind: "reset", defaults: DEFAULTS });
    expect(reset.rows).toHaveLength(1);
    expect(reset.file).toBeNull();
    expect(state.rows.map(({ key }) => key)).not.toContain(reset.rows[0]?.key);
  });

  test("the banner counts rows and fixes in words", () => {
    expect(fileSummary({ name: "november.csv", rowCount: 3 }, 1)).toBe(
      "november.csv: 3 rows read, 1 needs a fix.",
    );
    expect(fileSummary({ name: "a.csv", rowCount: 1 }, 0)).toBe("a.csv: 1 row read.");
    expect(fileSummary({ name: "a.csv", rowCount: 9 }, 2)).toBe(
      "a.csv: 9 rows read, 2 need a fix.",
    );
  });
});
