import { describe, expect, test } from "vitest";
import type { Id } from "../../convex/_generated/dataModel";
import type { Statement, TxRow } from "../../convex/shared/answers";
import { statementOfx, transactionsOfx } from "../../convex/shared/ofx";
import { statementCsv, transactionsCsv } from "../../convex/shared/statementExport";

const NOON = Date.parse("2025-03-10T16:00:00Z");

const row = (description: string, changes: Partial<TxRow> = {}): TxRow => ({
  _id: "t1" as Id<"transactions">,
  accountType: "Checking",
  type: "debit",
  amountCents: 1_050n,
  description,
  category: "Food",
  status: "Completed",
  date: NOON,
  ...changes,
});

const statement: Statement = {
  period: "2025-03",
  label: "March 2025",
  accountType: "Checking",
  accountNumber: "3481029931",
  routingNumber: "021000021",
  holderName: "Ada <b>Ode</b>",
  openingCents: 100_000n,
  closingCents: 98_950n,
  creditsCents: 0n,
  debitsCents: 1_050n,
  rows: [
    {
      id: "t1",
      date: NOON,
      description: 'Fish & "Chips", <b>now</b>',
      category: "Food",
      type: "debit",
      amountCents: 1_050n,
      balanceAfterCents: 98_950n,
    },
  ],
};

describe("comma-separated files", () => {
  test.each(['=HYPERLINK("http://x")', "+1", "-1+2", "@SUM(A1)", "\tx"])(
    "a description %j is treated as text by a spreadsheet",
    (description) => {
      const line = transactionsCsv([row(description)]).split("\r\n")[1] ?? "";
      expect(line).toContain(`"'${description.replaceAll('"', '""')}"`);
    },
  );

  test("debits are negative amounts, not formulas", () => {
    expect(transactionsCsv([row("x")])).toContain(",-10.50,");
    expect(transactionsCsv([row("x", { type: "credit" })])).toContain(",10.50,");
  });

  test("a row's date and time are the credit union's, and a balance that it lacks stays empty", () => {
    const pending = row("x", { date: Date.parse("2025-03-10T03:05:00Z"), status: "Pending" });
    const posted = { ...pending, status: "Completed" as const, balanceAfterCents: 0n };
    const lines = transactionsCsv([pending, posted]).trim().split("\r\n");
    expect(lines.slice(1)).toEqual([
      "2025-03-09,23:05,Checking,x,Food,,Pending,-10.50,",
      "2025-03-09,23:05,Checking,x,Food,,Completed,-10.50,0.00",
    ]);
  });

  test("a statement begins with its opening and ends with its closing balance", () => {
    const lines = statementCsv(statement).trim().split("\r\n");
    expect(lines[1]).toContain("Opening balance");
    expect(lines[1]).toContain("1000.00");
    expect(lines[2]).toContain('"Fish & ""Chips"", <b>now</b>"');
    expect(lines[3]).toContain("989.50");
  });
});

describe("OFX files", () => {
  test("are well-formed whatever the description contains", () => {
    const text = statementOfx(statement, NOON);
    expect(text).toContain('<MEMO>Fish &amp; "Chips", &lt;b&gt;now&lt;/b&gt;</MEMO>');
    expect(text).toContain("<TRNAMT>-10.50</TRNAMT>");
    expect(text).toContain("<BALAMT>989.50</BALAMT>");
    const open: string[] = [];
    for (const [, slash, name = ""] of text.matchAll(/<(\/?)([A-Z0-9]+)>/g)) {
      if (slash === "/") expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test("omit rows that are not in the ledger yet, and rows of other accounts", () => {
    const account = {
      type: "Checking" as const,
      accountNumber: "1",
      routingNumber: "2",
      balanceCents: 5n,
    };
    const text = transactionsOfx(
      [
        row("kept"),
        row("waiting", { status: "Pending" }),
        row("elsewhere", { accountType: "Savings" }),
      ],
      [account],
      NOON,
    );
    expect(text).toContain("kept");
    expect(text).not.toContain("waiting");
    expect(text).not.toContain("elsewhere");
  });
});
