import { describe, expect, test } from "vitest";
import { CSV_COLUMNS, type CsvColumn } from "../../convex/shared/csvCells";
import {
  cellProblemText,
  csvSizeProblem,
  readCsvRows,
  rowProblems,
  type CsvRow,
} from "../../convex/shared/csv";

const DEFAULTS = { date: "2026-11-20", time: "14:30" };
const HEADER = [
  "account type",
  "transaction type",
  "amount",
  "description",
  "category",
  "date",
  "time",
  "status",
];
const GOOD = [
  "Checking",
  "credit",
  "10.50",
  "Payroll",
  "Income",
  "2026-11-19",
  "09:02",
  "Completed",
];

function rows(...lines: string[][]): readonly CsvRow[] {
  const reading = readCsvRows(lines, DEFAULTS);
  if (!reading.isOk) throw new Error(reading.problem);
  return reading.rows;
}

function problem(...lines: string[][]): string {
  const reading = readCsvRows(lines, DEFAULTS);
  return reading.isOk ? "none" : reading.problem;
}

/** The valid row with one cell replaced. */
const lineWith = (column: CsvColumn, text: string): string[] =>
  GOOD.map((cell, index) => (CSV_COLUMNS[index] === column ? text : cell));

/** That row's problems. */
function problemsWith(column: CsvColumn, text: string): string[] {
  const [row] = rows(HEADER, lineWith(column, text));
  if (row === undefined) throw new Error("no row");
  return rowProblems(row).map((found) => cellProblemText(3, found));
}

describe("rows of a CSV file", () => {
  test("a complete row is read unchanged", () => {
    expect(rows(HEADER, GOOD)).toEqual([
      {
        texts: Object.fromEntries(CSV_COLUMNS.map((column, index) => [column, GOOD[index]])),
        unreadable: {},
      },
    ]);
  });

  test("missing values become debit, today, now and Completed", () => {
    const [row] = rows(HEADER, ["Savings", "", "5", "Fee", "Other", "", "", ""]);
    expect(row?.texts).toMatchObject({
      type: "debit",
      date: "2026-11-20",
      time: "14:30",
      status: "Completed",
    });
  });

  test("columns are found by name in any order, and optional ones may be absent", () => {
    const [row] = rows(
      ["Description", "AMOUNT", "Category", "accountType"],
      ["Rent", "900", "Other", "checking"],
    );
    expect(row?.texts).toMatchObject({
      account: "Checking",
      amount: "900",
      description: "Rent",
      type: "debit",
    });
    const [named] = rows(
      ["Transaction Type", ...HEADER.slice(2), "Account"],
      [...GOOD.slice(1), "Savings"],
    );
    expect(named?.texts).toMatchObject({ account: "Savings", type: "credit" });
  });

  test("eight unknown names are read by position", () => {
    const [row] = rows(["a", "b", "c", "d", "e", "f", "g", "h"], GOOD);
    expect(row?.texts.description).toBe("Payroll");
  });

  test("unknown names among known ones that stand in their places are read by position", () => {
    const [row] = rows(HEADER.with(3, "Memo"), GOOD);
    expect(row?.texts.description).toBe("Payroll");
  });

  test("names that are known but in other places are not read by position", () => {
    const swapped = ["Account", "Amount", "Type", "Memo", "Category", "Date", "Time", "Status"];
    const line = ["Checking", "10.50", "credit", ...GOOD.slice(3)];
    expect(problem(swapped, line)).toContain('column 4: found "Memo"');
  });

  test("a row may end with empty cells that have no column", () => {
    expect(rows(HEADER, [...GOOD, "", " "])).toEqual(rows(HEADER, GOOD));
    expect(rows([...HEADER, "", " "], [...GOOD, "", ""])).toEqual(rows(HEADER, GOOD));
  });

  test.each([
    ["account", "CHECKING", "Checking"],
    ["category", "billpay", "Bill Pay"],
    ["status", "pending", "Pending"],
    ["amount", "$1,234.50", "1234.50"],
    ["amount", "\u200e$1,234.50\u200e", "1234.50"],
    ["amount", "1,234.5", "1234.5"],
    ["amount", "+ $12", "12"],
    ["date", "11/9/2026", "2026-11-09"],
    ["date", "\u200e11/\u200e9/\u200e2026", "2026-11-09"],
    ["date", "2024-02-29", "2024-02-29"],
    ["time", "2:05 pm", "14:05"],
    ["time", "12:00 AM", "00:00"],
    ["time", "23:59:59", "23:59"],
    ["description", "two\nlines", "two lines"],
  ] as const)("%s %j is read as %j", (column, text, expected) => {
    const line = GOOD.map((cell, index) => (CSV_COLUMNS[index] === column ? text : cell));
    expect(rows(HEADER, line)[0]?.texts[column]).toBe(expected);
    expect(problemsWith(column, text)).toEqual([]);
  });

  test.each([
    ["amount", "-12", 'Row 3, Amount: enter a number above 0 (found "-12")'],
    ["amount", "-$12", 'Row 3, Amount: enter a number above 0 (found "-$12")'],
    ["amount", "0", 'Row 3, Amount: enter a number above 0 (found "0")'],
    ["amount", "1.234", 'Row 3, Amount: enter a number above 0 (found "1.234")'],
    ["amount", "=1+1", 'Row 3, Amount: enter a number above 0 (found "=1+1")'],
    ["amount", "NaN", 'Row 3, Amount: enter a number above 0 (found "NaN")'],
    ["amount", "1e3", 'Row 3, Amount: enter a number above 0 (found "1e3")'],
    ["amount", "", "Row 3, Amount: enter a number above 0"],
    ["account", "Cheking", 'Row 3, Account: choose Checking or Savings (found "Cheking")'],
    ["account", "Savings 2", 'Row 3, Account: choose Checking or Savings (found "Savings 2")'],
    ["account", "constructor", 'Row 3, Account: choose Checking or Savings (found "constructor")'],
    ["type", "refund", 'Row 3, Type: choose credit or debit (found "refund")'],
    ["description", " ", "Row 3, Description: enter a description"],
    ["description", "\u200b", 'Row 3, Description: enter a description (found "\u200b")'],
    ["date", "0099-01-01", 'Row 3, Date: enter a date such as 2026-11-20 (found "0099-01-01")'],
    ["date", "2026-02-30", 'Row 3, Date: enter a date such as 2026-11-20 (found "2026-02-30")'],
    ["date", "13/1/2026", 'Row 3, Date: enter a date such as 2026-11-20 (found "13/1/2026")'],
    ["time", "24:00", 'Row 3, Time: enter a time such as 14:30 (found "24:00")'],
    ["time", "13:00 PM", 'Row 3, Time: enter a time such as 14:30 (found "13:00 PM")'],
    ["time", "0:30 PM", 'Row 3, Time: enter a time such as 14:30 (found "0:30 PM")'],
    ["status", "Done", 'Row 3, Status: choose Completed, Pending, Failed (found "Done")'],
  ] as const)("%s %j is refused with row, column, found and expected", (column, text, sentence) => {
    expect(problemsWith(column, text)).toEqual([sentence]);
  });

  test("an amount above the bound and a description above its length are refused", () => {
    expect(problemsWith("amount", "10000000000.00")).toEqual([]);
    expect(problemsWith("amount", "10000000000.01")).toEqual([
      'Row 3, Amount: enter at most $10,000,000,000.00 (found "10000000000.01")',
    ]);
    expect(problemsWith("description", "x".repeat(201))).toHaveLength(1);
  });

  test.each(["description", "amount"] as const)(
    "a control of the column %s is given no text that a browser could not draw",
    (column) => {
      const text = `a${"\u0301".repeat(1_000)}`;
      expect(rows(HEADER, lineWith(column, text))[0]?.texts[column]).toBe("");
      expect(problemsWith(column, text)).toEqual([
        expect.stringMatching(/: use at most 200 ordinary characters \(found "a/),
      ]);
    },
  );

  test.each([
    ["an empty file", [], "the file is empty"],
    ["a header alone", [HEADER], "there are no rows below the header"],
    ["an unknown column", [["Account", "Amount", "Memo"]], 'column 3: found "Memo"'],
    ["a column twice", [["Account", "Amount", "amount", "Date"]], "stands there twice"],
    [
      "a missing column",
      [["Account", "Amount", "Date"], ["a"]],
      "the header is missing Description, Category",
    ],
    ["data instead of a header", [GOOD, GOOD], "the first line must name the columns"],
    ["a row that is too wide", [HEADER, [...GOOD, "x"]], "row 1 has 9 values, expected 8"],
    ["a prototype name as header", [["__proto__", "constructor"]], "column 1"],
  ])("%s is refused as a whole", (_title, lines, part) => {
    expect(problem(...lines)).toContain(part);
  });
});

test("a file of a million bytes is read, and none with more", () => {
  expect(csvSizeProblem(1_000_000)).toBeNull();
  expect(csvSizeProblem(1_000_001)).toBe("the file has 1 MB, at most 1 MB can be read");
});

describe("a file with commas or tabs between its values", () => {
  const HEAD = ["Account", "Amount", "Description", "Category", "Date"];
  const read = (...pairs: [amount: string, date: string][]) =>
    rows(HEAD, ...pairs.map(([amount, date]) => ["Checking", amount, "Rent", "Other", date]));
  const problemsOf = (row: CsvRow | undefined) =>
    row === undefined ? [] : rowProblems(row).map(({ column, found }) => [column, found]);

  test("that shows that days come first has its other dates left for a person to decide", () => {
    const [first, second, third, fourth] = read(
      ["1,250", "05/11/2026"],
      ["1", " 13/11/2026 "],
      ["1", "11/11/2026"],
      ["1", "2026-05-11"],
    );
    expect(problemsOf(first)).toEqual([["date", "05/11/2026"]]);
    expect(problemsOf(second)).toEqual([["date", "13/11/2026"]]);
    expect([third, fourth].map((row) => row?.texts.date)).toEqual(["2026-11-11", "2026-05-11"]);
    expect(first?.texts.amount).toBe("1250");
  });

  test("that shows both behind invisible characters, too", () => {
    const [first, second] = read(
      ["1,250\u200f", "05/11/2026\u200e"],
      ["\u200e12,50\u200f", "13/\u200e11/2026\u200e"],
    );
    expect(problemsOf(first)).toEqual([
      ["amount", "1,250"],
      ["date", "05/11/2026"],
    ]);
    expect(problemsOf(second)).toEqual([
      ["amount", "12,50"],
      ["date", "13/11/2026"],
    ]);
  });

  test.each(["12,50", "12,5"])(
    "that shows that commas are decimal points (%s) has its other amounts left to decide",
    (shown) => {
      const open = ["1,250", "$1,250", shown];
      const rows = read(...open.map((amount): [string, string] => [amount, "05/11/2026"]), [
        "1,250.00",
        "05/11/2026",
      ]);
      expect(rows.slice(0, -1).map(problemsOf)).toEqual(open.map((amount) => [["amount", amount]]));
      expect(rows.at(-1)?.texts).toMatchObject({ amount: "1250.00", date: "2026-05-11" });
    },
  );
});
