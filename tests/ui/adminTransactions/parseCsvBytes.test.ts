import { describe, expect, test, vi } from "vitest";
import { cellProblemText, rowProblems } from "../../../convex/shared/csv";
import { parseCsvBytes } from "../../../src/features/adminTransactions/parseCsvBytes";
import { readCsvFile } from "../../../src/features/adminTransactions/readCsvFile";

const DEFAULTS = { date: "2026-11-20", time: "14:30" };
const HEADER = "Account,Type,Amount,Description,Category,Date,Time,Status";
const LINE = "Checking,credit,10.50,Payroll,Income,2026-11-19,09:02,Completed";

function parse(input: string | Uint8Array) {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  return parseCsvBytes(bytes, DEFAULTS);
}

function descriptions(input: string | Uint8Array): string[] {
  const result = parse(input);
  if (!result.isOk) throw new Error(result.problem);
  return result.rows.map((row) => row.texts.description);
}

function problem(input: string | Uint8Array): string {
  const result = parse(input);
  return result.isOk ? "none" : result.problem;
}

function utf16(text: string, isLittleEndian: boolean): Uint8Array {
  const units = [0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))];
  return new Uint8Array(
    units.flatMap((unit) => {
      const bytes = [unit & 0xff, unit >> 8];
      return isLittleEndian ? bytes : bytes.reverse();
    }),
  );
}

describe("the bytes of a CSV file", () => {
  test("a byte order mark, mixed line ends and blank lines do not matter", () => {
    const text = `\uFEFF${HEADER}\r\n${LINE}\r${LINE}\n\n   \n,,,,,,,\n${LINE}\r\n`;
    expect(descriptions(text)).toEqual(["Payroll", "Payroll", "Payroll"]);
  });

  test.each([";", "\t", "|"])("the separator %j is recognized by the header", (separator) => {
    const text = `${HEADER}\n${LINE}`.replaceAll(",", separator);
    expect(descriptions(text)).toEqual(["Payroll"]);
  });

  test("a spreadsheet's note on the separator is no header", () => {
    const text = `${HEADER}\n${LINE}`.replaceAll(",", ";");
    expect(descriptions(`\uFEFFsep=;\r\n${text}`)).toEqual(["Payroll"]);
  });

  test("commas inside semicolon files stay in their values", () => {
    const text = `${HEADER}\n${LINE}`.replaceAll(",", ";").replace("Payroll", "Rent, May, June");
    expect(descriptions(text)).toEqual(["Rent, May, June"]);
  });

  test("quoted values hold separators, quotes and line ends", () => {
    const text = `${HEADER}\n${LINE.replace("Payroll", '"Bob ""B"", Inc\r\nSecond line"')}`;
    expect(descriptions(text)).toEqual(['Bob "B", Inc Second line']);
  });

  test("Windows-1252 is read and said", () => {
    const text = `${HEADER}\n${LINE.replace("Payroll", "Cafe")}`;
    const latin = new TextEncoder().encode(text);
    latin[text.lastIndexOf("Cafe") + 3] = 0xe9;
    const result = parse(latin);
    expect(result).toMatchObject({ isOk: true });
    expect(result.isOk && result.encodingNote).toContain("Windows-1252");
    expect(descriptions(latin)).toEqual(["Caf\u00e9"]);
  });

  test.each([true, false])(
    "UTF-16 with its mark is read and said (little endian: %s)",
    (isLittle) => {
      const result = parse(utf16(`${HEADER}\n${LINE}`, isLittle));
      expect(result.isOk && result.rows.map((row) => row.texts.description)).toEqual(["Payroll"]);
      expect(result.isOk && result.encodingNote).toBe("The file is UTF-16.");
    },
  );

  test("NUL characters are refused with their line, however lines end", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = [HEADER, LINE, "Checking,\0debit"].join(end);
      expect(problem(text)).toContain("line 3 holds a NUL");
    }
  });

  test("a quote that never closes is refused with its row", () => {
    expect(problem(`${HEADER}\n${LINE}\nChecking,credit,1,"open,Income`)).toContain(
      "row 2: a quoted value is never closed",
    );
  });

  test("500 rows are read, 501 are refused whole", () => {
    const body = (count: number) => `${HEADER}\n${`${LINE}\n`.repeat(count)}`;
    expect(descriptions(body(500))).toHaveLength(500);
    expect(problem(body(501))).toContain("more than 500 rows");
  });

  test("a million blank lines are no rows", () => {
    expect(problem(`${HEADER}${"\n".repeat(900_000)}`)).toContain("no rows below the header");
  });

  test("more than one megabyte is refused, and one long line within it is not a crash", () => {
    expect(problem(new Uint8Array(1_000_001))).toContain("at most 1 MB");
    expect(problem("x".repeat(900_000))).toContain("header, column 1");
  });

  test("a million rows are refused whole, by their size or by their number", () => {
    const body = new TextEncoder().encode(`${HEADER}\n${`${LINE}\n`.repeat(1_000_000)}`);
    expect(problem(body)).toMatch(/^the file has [\d,.]+ MB, at most 1 MB can be read$/);
    expect(problem(`${HEADER}\n${"a,b\n".repeat(200_000)}`)).toContain("more than 500 rows");
  });

  test("one line of 50 MB is refused before a byte of it is read", async () => {
    const file = new File(["x"], "long.csv");
    const arrayBuffer = vi.spyOn(file, "arrayBuffer");
    Object.defineProperty(file, "size", { value: 50_000_000 });
    const { parse: reading } = await readCsvFile(file, DEFAULTS);
    expect(reading).toEqual({
      isOk: false,
      problem: "the file has 50 MB, at most 1 MB can be read",
    });
    expect(arrayBuffer).not.toHaveBeenCalled();
  });

  test("a file is not blamed when the part of the page that reads it did not load", async () => {
    class MissingWorker {
      onerror: (() => void) | undefined;
      postMessage = () => this.onerror?.();
      terminate = () => undefined;
    }
    vi.stubGlobal("Worker", MissingWorker);
    const { parse: reading } = await readCsvFile(new File([LINE], "x.csv"), DEFAULTS);
    vi.unstubAllGlobals();
    expect(reading).toMatchObject({
      problem: expect.stringContaining("reload the page") as string,
    });
  });

  test("formulas are plain text in a description, and no number anywhere else", () => {
    const formulas = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", '"=HYPERLINK(""http://x"",""y"")"'];
    const lines = formulas.map((formula) => LINE.replace("Payroll", formula));
    expect(descriptions(`${HEADER}\n${lines.join("\n")}`)).toEqual([
      "=1+1",
      "+1+1",
      "-1+1",
      "@SUM(A1)",
      '=HYPERLINK("http://x","y")',
    ]);
    const result = parse(`${HEADER}\n${LINE.replace("10.50", "=10+1")}`);
    const [row] = result.isOk ? result.rows : [];
    expect(row && rowProblems(row)).toMatchObject([{ column: "amount", found: "=10+1" }]);
  });

  test.each([
    ["too few columns", "Account,Amount", "the header is missing Description, Category"],
    ["an unknown column", `${HEADER},Memo`, 'header, column 9: found "Memo"'],
    ["a column twice", `${HEADER},Amount`, 'header, column 9: "Amount" stands there twice'],
    ["no header", LINE, "the first line must name the columns"],
    ["a row that is too wide", HEADER, "row 1 has 9 values, expected 8"],
  ])("%s is refused in one sentence", (_title, header, sentence) => {
    expect(problem(`${header}\n${LINE},x`)).toContain(sentence);
  });

  test("an empty file says so", () => {
    expect(problem("")).toBe("the file is empty");
  });
});

/** One row of a file: what is read for a column, or the sentences about its problems. */
function readOne(
  separator: string,
  cells: Readonly<Record<string, string>>,
  column: "amount" | "date",
) {
  const lines = [Object.keys(cells), Object.values(cells).map((cell) => `"${cell}"`)];
  const result = parse(lines.map((line) => line.join(separator)).join("\n"));
  const [row] = result.isOk ? result.rows : [];
  const problems = row === undefined ? [] : rowProblems(row);
  const said = problems.map((problem) => cellProblemText(1, problem)).join();
  return said === "" ? row?.texts[column] : said;
}

const CELLS = { Account: "Checking", Amount: "1", Description: "Rent", Category: "Other" };

test.each([
  // Where semicolons are separators, commas are often decimal marks.
  [";", "1,250", "enter the amount without a comma, such as 1250.00"],
  [";", "$1,250", "enter the amount without a comma, such as 1250.00"],
  [";", "1.250,00", "enter a number above 0"],
  [";", "1.250", "enter a number above 0"],
  [";", "12,50", "enter a number above 0"],
  [";", "1,250.00", "1250.00"],
  [";", "1,250,000", "1250000"],
  [";", "1250.00", "1250.00"],
  [",", "1,250", "1250"],
  ["\t", "1,250", "1250"],
])("with the separator %j the amount %s is not guessed: %s", (separator, amount, expected) => {
  const refused = `Row 1, Amount: ${expected} (found "${amount}")`;
  expect(readOne(separator, { ...CELLS, Amount: amount }, "amount")).toBe(
    /^\d/.test(expected) ? expected : refused,
  );
});

test.each([
  // Where semicolons are separators, the day often comes first.
  [";", "05/11/2026", "enter a date such as 2026-11-20"],
  [";", "5-11-2026", "enter a date such as 2026-11-20"],
  [";", "20/11/2026", "enter a date such as 2026-11-20"],
  [";", "05.11.2026", "enter a date such as 2026-11-20"],
  [";", "11/20/2026", "2026-11-20"],
  [";", "11/11/2026", "2026-11-11"],
  [";", "2026-05-11", "2026-05-11"],
  [",", "05/11/2026", "2026-05-11"],
])("with the separator %j the date %s is not guessed: %s", (separator, date, expected) => {
  const refused = `Row 1, Date: ${expected} (found "${date}")`;
  expect(readOne(separator, { ...CELLS, Date: date }, "date")).toBe(
    /^\d/.test(expected) ? expected : refused,
  );
});
