import { describe, expect, test } from "vitest";
import type { TxRow } from "#shared/answers";
import { statementOfx, transactionsOfx } from "#shared/ofx";
import { statementCsv } from "#shared/statementExport";
import { STATEMENT, STATEMENT_ROW } from "../support/statement";

const NOW_MS = Date.parse("2025-04-02T12:00:00Z");

describe("CSV", () => {
  test("marks formulas as text, quotes where needed, and makes debits negative", () => {
    const lines = statementCsv(STATEMENT).split("\r\n");
    expect(lines[0]).toBe("\uFEFFDate,Description,Category,Reference,Amount,Balance");
    expect(lines[1]).toBe(",Opening balance,,,,100.00");
    expect(lines[2]).toBe(
      `2025-03-10,"'=HYPERLINK(""http://x"",""A & B <c>"")",Food,"a,b",-5.00,95.00`,
    );
    expect(lines[3]).toBe(",Closing balance,,,,95.00");
  });
});

describe("OFX", () => {
  test("is well-formed, names the account and makes debits negative", () => {
    const text = statementOfx(STATEMENT, NOW_MS);
    expect(text).toContain("<ACCTID>3481029931</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE>");
    expect(text).toContain("<TRNAMT>-5.00</TRNAMT><FITID>row-1</FITID>");
    expect(text).toContain("A &amp; B &lt;c&gt;");
    expect(text).toContain("<BALAMT>95.00</BALAMT>");
    // Every opening tag has a closing tag.
    const opened = [...text.matchAll(/<([A-Z0-9]+)>/g)].map((match) => match[1]);
    const closed = [...text.matchAll(/<\/([A-Z0-9]+)>/g)].map((match) => match[1]);
    expect([...opened].sort()).toEqual([...closed].sort());
  });

  test("shortens a long description for the name without splitting a character", () => {
    const description = `${"x".repeat(31)}\u{1f600}\u{1f600}`;
    const text = statementOfx({ ...STATEMENT, rows: [{ ...STATEMENT_ROW, description }] }, NOW_MS);
    expect(text).toContain(
      `<NAME>${"x".repeat(31)}\u{1f600}</NAME><MEMO>${description}, a,b</MEMO>`,
    );
  });

  test("counts characters as people see them, not as the file writes them", () => {
    const rows = [{ ...STATEMENT_ROW, description: "<".repeat(33) }];
    const text = statementOfx({ ...STATEMENT, rows }, NOW_MS);
    expect(text).toContain(`<NAME>${"&lt;".repeat(32)}</NAME>`);
  });

  test("holds no more of description and reference than the format's memo may", () => {
    const rows = [
      { ...STATEMENT_ROW, description: "d".repeat(200), reference: "\u{1f600}".repeat(100) },
    ];
    const text = statementOfx({ ...STATEMENT, rows }, NOW_MS);
    expect(text).toContain(`<MEMO>${"d".repeat(200)}, ${"\u{1f600}".repeat(53)}</MEMO>`);
  });

  test("dates are the credit union's, with its offset: an evening stays in its day and month", () => {
    const rows = [{ ...STATEMENT_ROW, date: Date.parse("2025-04-01T01:30:00Z") }];
    const text = statementOfx({ ...STATEMENT, rows }, NOW_MS);
    expect(text).toContain("<DTPOSTED>20250331213000[-4:EDT]</DTPOSTED>");
    expect(text).toContain("<DTSTART>20250301000000[-5:EST]</DTSTART>");
    expect(text).toContain("<DTEND>20250331235959[-4:EDT]</DTEND>");
    expect(text).toContain("<DTASOF>20250331235959[-4:EDT]</DTASOF>");
  });

  test("replaces characters that XML does not allow, because senders choose the reference freely", () => {
    const rows = [{ ...STATEMENT_ROW, description: "a\uffffb\u0001", reference: "\ufffe\ud800c" }];
    const text = statementOfx({ ...STATEMENT, rows }, NOW_MS);
    expect(text).toContain("<NAME>a\ufffdb\ufffd</NAME><MEMO>a\ufffdb\ufffd, \ufffd\ufffdc</MEMO>");
  });

  test("the history goes from its first to its last row, and its balance is the present one", () => {
    const { id: _id, balanceAfterCents: _balance, ...row } = STATEMENT_ROW;
    const rowOn = (day: string): TxRow => ({
      ...row,
      _id: day as TxRow["_id"],
      accountType: "Checking",
      status: "Completed",
      date: Date.parse(`2025-03-${day}T16:00:00Z`),
    });
    const account = { type: "Checking", accountNumber: "1", routingNumber: "2" } as const;
    const momentsOf = (rows: TxRow[]) => {
      const text = transactionsOfx(rows, [{ ...account, balanceCents: 5n }], NOW_MS);
      return ["DTSTART", "DTEND", "DTASOF"].map(
        (name) => new RegExp(`<${name}>(\\d{8})`).exec(text)?.[1],
      );
    };
    const newestFirst = ["21", "14", "10"].map(rowOn);
    expect(momentsOf(newestFirst)).toEqual(["20250310", "20250321", "20250402"]);
    expect(momentsOf([])).toEqual(["20250402", "20250402", "20250402"]);
  });

  test("the history has one list per account with rows, and empty ones where there are none at all", () => {
    const accountOf = (type: "Checking" | "Savings") => ({
      type,
      accountNumber: type,
      routingNumber: "2",
      balanceCents: 5n,
    });
    const accounts = [accountOf("Checking"), accountOf("Savings")];
    const listed = (rows: TxRow[]) =>
      [...transactionsOfx(rows, accounts, NOW_MS).matchAll(/<ACCTID>(\w+)</g)].map(([, id]) => id);
    const { id: _id, balanceAfterCents: _balance, ...row } = STATEMENT_ROW;
    const tx = { ...row, _id: "1" as TxRow["_id"], accountType: "Savings" as const };
    expect(listed([{ ...tx, status: "Completed" }])).toEqual(["Savings"]);
    expect(listed([{ ...tx, status: "Pending" }])).toEqual(["Checking", "Savings"]);
    // A memo moved no money.
    const memo: TxRow = { ...tx, status: "Completed", isMemo: true };
    expect(listed([memo])).toEqual(["Checking", "Savings"]);
    expect(listed([])).toEqual(["Checking", "Savings"]);
  });
});
