import type { jsPDF } from "jspdf";
import { describe, expect, test } from "vitest";
import { statementPdf } from "../../../src/lib/statementPdf";
import { fileNameOf } from "../../../src/lib/statementFiles";
import { toWinAnsi } from "../../../src/lib/winAnsi";
import type { Statement } from "../../../convex/shared/answers";
import { SHORT_TEXT_LENGTH_MAX } from "../../../convex/shared/limits";
import { STATEMENT } from "../../support/statement";

function statementOf(rowCount: number): Statement {
  return {
    ...STATEMENT,
    openingCents: 100_000n,
    closingCents: 100_000n + BigInt(rowCount) * 100n,
    creditsCents: BigInt(rowCount) * 100n,
    debitsCents: 0n,
    rows: Array.from({ length: rowCount }, (_, index) => ({
      id: `row-${index}`,
      date: Date.parse("2025-03-10T15:00:00Z"),
      description: `Deposit ${index} to Łódź`,
      category: "Deposit" as const,
      type: "credit" as const,
      amountCents: 100n,
      balanceAfterCents: 100_000n + BigInt(index + 1) * 100n,
    })),
  };
}

/** Every line of the first page with its left edge, in points. */
function linesWithEdges(pdf: jsPDF): { text: string; x: number }[] {
  const { pages } = pdf.internal as unknown as { pages: string[][] };
  return (pages[1] ?? []).flatMap((block) => {
    let x = 0;
    return [...block.matchAll(/(-?[\d.]+) -?[\d.]+ Td\n\((.*)\) Tj/g)].map(
      ([, right, text = ""]) => {
        // The first place in a block counts from the page's edge, the others from the line before.
        x += Number(right);
        return { text, x };
      },
    );
  });
}

describe("the PDF statement", () => {
  test("has one page for an empty month and more for a long one", () => {
    expect(statementPdf(statementOf(0)).getNumberOfPages()).toBe(1);
    expect(statementPdf(statementOf(120)).getNumberOfPages()).toBeGreaterThan(2);
  });

  test("keeps a long holder's name on the page, in lines beside its label", () => {
    const names = Array.from({ length: 20 }, (_, index) => `Longsurname${index}`);
    const pdf = statementPdf({ ...statementOf(0), holderName: names.join(" ") });
    const lines = linesWithEdges(pdf).filter(({ text }) => text.includes("Longsurname"));
    expect(lines.map(({ text }) => text).join(" ")).toBe(names.join(" "));
    expect(Math.min(...lines.map(({ x }) => x))).toBeGreaterThan(120);
  });

  test("keeps a reference of letters that stand for whole words on its page", () => {
    const [row] = statementOf(1).rows;
    const rows = [{ ...row!, reference: "\ufdfa".repeat(SHORT_TEXT_LENGTH_MAX) }];
    expect(statementPdf({ ...statementOf(1), rows }).getNumberOfPages()).toBe(1);
  });

  test("keeps words and the largest figures apart", () => {
    const [row] = statementOf(1).rows;
    const amountCents = 1_000_000_000_000n;
    const large = {
      ...row!,
      description: "W".repeat(SHORT_TEXT_LENGTH_MAX),
      type: "debit" as const,
      amountCents,
      balanceAfterCents: -amountCents,
    };
    const pdf = statementPdf({ ...statementOf(1), rows: [large] });
    pdf.setFont("helvetica", "normal").setFontSize(9.5);
    const lines = linesWithEdges(pdf);
    const words = lines.filter(({ text }) => text.startsWith("WWW"));
    const [amount, balance] = lines.filter(({ text }) => text === "-$10,000,000,000.00");
    const edges = words.map(({ text, x }) => x + pdf.getTextWidth(text));
    expect(Math.max(...edges)).toBeLessThan(amount!.x);
    expect(amount!.x + pdf.getTextWidth(amount!.text)).toBeLessThan(balance!.x - 5);
  });

  test("says so when question marks stand for letters", () => {
    const said = (holderName: string) =>
      linesWithEdges(statementPdf({ ...statementOf(1), holderName })).some(({ text }) =>
        text.startsWith("A question mark stands for"),
      );
    expect([said("Łukasz Who?"), said("Олена"), said("Lee 漢")]).toEqual([false, true, true]);
  });

  test("has each sum and number beside its name", () => {
    const sums = { openingCents: 1n, creditsCents: 2n, debitsCents: 3n, closingCents: 4n };
    const numbers = { accountNumber: "1234567890", routingNumber: "021000021" };
    const texts = linesWithEdges(statementPdf({ ...STATEMENT, ...sums, ...numbers })).map(
      ({ text }) => text,
    );
    expect(
      ["Opening balance", "Money in", "Money out", "Closing balance"].map(
        (name) => texts[texts.indexOf(name) + 1],
      ),
    ).toEqual(["$0.01", "$0.02", "$0.03", "$0.04"]);
    expect(texts[texts.indexOf("Account number") + 1]).toBe(numbers.accountNumber);
    expect(texts[texts.indexOf("Routing number") + 1]).toBe(numbers.routingNumber);
  });

  test("is a PDF", () => {
    expect(statementPdf(statementOf(3)).output().slice(0, 5)).toBe("%PDF-");
  });
});

test("letters that the PDF's fonts lack become ones they have", () => {
  expect(toWinAnsi("Łódź – “Ünlü” ş 漢")).toBe('Lódz - "Ünlü" s ?');
});

test("characters that stand for several become only what the PDF's fonts have", () => {
  expect(toWinAnsi("⅓ of 100 ㎧ for ㈱ at 10‑12")).toBe("1/3 of 100 m/s for (?) at 10-12");
  expect(toWinAnsi("Sœur Işık, Ħal Għaxaq")).toBe("Soeur Isik, Hal Ghaxaq");
});

test("no character garbles its line of the PDF, and what cannot be seen is left out", () => {
  for (let code = 0x20; code <= 0x3_ffff; code += 1) {
    const drawn = toWinAnsi(String.fromCodePoint(code));
    if (!/^[\0-\xff]*$/.test(drawn)) expect(drawn).toBe(`drawable (U+${code.toString(16)})`);
  }
  expect(toWinAnsi("a\u200bb\u00adc\ufe0f")).toBe("abc");
});

test("file names say account and period", () => {
  expect(fileNameOf({ accountType: "Savings", period: "2024-03" }, "ofx")).toBe(
    "statement-savings-2024-03.ofx",
  );
});
