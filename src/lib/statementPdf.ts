/**
 * Draws a statement as a PDF with the library's built-in fonts: heading, summary, rows with running
 * balance, totals, page numbers. Loaded on click only.
 *
 * Not here: which rows and sums belong to a statement (the server computes them).
 */
import type { Statement } from "#shared/answers";
import { INSTITUTION } from "#shared/institution";
import { signedCents } from "#shared/ledger";
import { formatUsd } from "#shared/money";
import { TEXTS } from "#shared/texts";
import { jsPDF } from "jspdf";
import { formatDate } from "./format";
import { entryText } from "./entryText";
import { isWhole, toWinAnsi } from "./winAnsi";

// US letter, in points.
const PAGE = { width: 612, height: 792, margin: 48, footerHeight: 48 } as const;
const RIGHT = PAGE.width - PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - PAGE.footerHeight;
const COLUMNS = { date: PAGE.margin, description: 128, amount: 470, balance: RIGHT } as const;
/** Between figures and what is left of them. */
const COLUMN_GAP = 10;
const AMOUNT_WIDTH_MIN = 66;
const FACT_WIDTH = COLUMNS.amount - COLUMNS.description;
const LINE_HEIGHT = 12;
const ROW_PADDING = 7;
const INK = "#0a1f25";
const MUTED = "#43595f";
const RULE = "#d9e2e3";
const LOSS_NOTICE =
  "A question mark stands for each letter that this file cannot show. The printed statement shows them all.";
const BAND = "#07303b";
const BEACON = "#f4b73b";

type Align = "left" | "right";
type Row = Statement["rows"][number];

/** Keeps the pen's place on the page, and where the table's columns are. */
interface Sheet {
  readonly pdf: jsPDF;
  y: number;
  /** Right edge of the amounts. */
  readonly amountX: number;
  readonly descriptionWidth: number;
}

function write(sheet: Sheet, text: string, x: number, align: Align = "left"): void {
  sheet.pdf.text(toWinAnsi(text), x, sheet.y, { align });
}

/** The text in lines no wider than `width`, in the font that is set. */
function linesOf({ pdf }: Sheet, text: string, width: number): string[] {
  return pdf.splitTextToSize(toWinAnsi(text), width) as string[];
}

function style(pdf: jsPDF, size: number, weight: "normal" | "bold", color: string): void {
  pdf.setFont("helvetica", weight).setFontSize(size).setTextColor(color);
}

const amountText = (row: Row): string => formatUsd(signedCents(row.type, row.amountCents));
const balanceText = (row: Row): string => formatUsd(row.balanceAfterCents);

/** The largest figures take their room from the descriptions, or a sign would be covered. */
function sheetFor(pdf: jsPDF, rows: readonly Row[]): Sheet {
  style(pdf, 9.5, "normal", INK);
  const widest = (textOf: (row: Row) => string): number =>
    rows.reduce((width, row) => Math.max(width, pdf.getTextWidth(textOf(row))), 0);
  const amountX = Math.min(COLUMNS.amount, COLUMNS.balance - widest(balanceText) - COLUMN_GAP);
  const amountWidth = Math.max(AMOUNT_WIDTH_MIN, widest(amountText));
  const descriptionWidth = amountX - amountWidth - COLUMN_GAP - COLUMNS.description;
  return { pdf, y: PAGE.margin, amountX, descriptionWidth };
}

function rule(sheet: Sheet): void {
  sheet.pdf.setDrawColor(RULE).setLineWidth(0.75).line(PAGE.margin, sheet.y, RIGHT, sheet.y);
}

function drawHeading(sheet: Sheet, statement: Statement): void {
  const { pdf } = sheet;
  pdf.setFillColor(BAND).rect(0, 0, PAGE.width, 84, "F");
  pdf.setFillColor(BEACON).rect(0, 84, PAGE.width, 3, "F");
  sheet.y = 40;
  style(pdf, 18, "bold", "#ffffff");
  write(sheet, INSTITUTION.fullName, PAGE.margin);
  sheet.y = 60;
  style(pdf, 10, "normal", "#a9c9cf");
  write(sheet, `${statement.accountType} account statement, ${statement.label}`, PAGE.margin);
  write(sheet, INSTITUTION.supportEmail, RIGHT, "right");
  sheet.y = 120;
}

function drawFacts(sheet: Sheet, facts: readonly (readonly [string, string])[]): void {
  for (const [name, value] of facts) {
    style(sheet.pdf, 10, "normal", MUTED);
    write(sheet, name, PAGE.margin);
    style(sheet.pdf, 10, "bold", INK);
    const lines = linesOf(sheet, value, FACT_WIDTH);
    sheet.pdf.text(lines, COLUMNS.amount, sheet.y, { align: "right" });
    sheet.y += lines.length * LINE_HEIGHT + 4;
  }
  sheet.y += 8;
}

function drawTableHead(sheet: Sheet): void {
  style(sheet.pdf, 9, "bold", MUTED);
  write(sheet, "Date", COLUMNS.date);
  write(sheet, "Description", COLUMNS.description);
  write(sheet, "Amount", sheet.amountX, "right");
  write(sheet, "Balance", COLUMNS.balance, "right");
  sheet.y += 6;
  rule(sheet);
  sheet.y += LINE_HEIGHT + 2;
}

/** Starts a new page with the table's header when `height` no longer fits. */
function makeRoom(sheet: Sheet, height: number): void {
  if (sheet.y + height <= BOTTOM) return;
  sheet.pdf.addPage();
  sheet.y = PAGE.margin;
  drawTableHead(sheet);
}

function drawRow(sheet: Sheet, row: Row): void {
  const { pdf } = sheet;
  style(pdf, 9.5, "normal", INK);
  const lines = linesOf(sheet, entryText(row), sheet.descriptionWidth);
  makeRoom(sheet, lines.length * LINE_HEIGHT + ROW_PADDING);
  style(pdf, 9.5, "normal", INK);
  write(sheet, formatDate(row.date), COLUMNS.date);
  write(sheet, amountText(row), sheet.amountX, "right");
  write(sheet, balanceText(row), COLUMNS.balance, "right");
  pdf.text(lines, COLUMNS.description, sheet.y);
  sheet.y += (lines.length - 1) * LINE_HEIGHT + ROW_PADDING;
  rule(sheet);
  sheet.y += LINE_HEIGHT;
}

function drawFooters(pdf: jsPDF, { holderName, rows }: Statement): void {
  const isAllShown = [holderName, ...rows.map(entryText)].every(isWhole);
  const count = pdf.getNumberOfPages();
  for (let page = 1; page <= count; page += 1) {
    pdf.setPage(page);
    style(pdf, 8, "normal", MUTED);
    const y = PAGE.height - PAGE.margin;
    if (!isAllShown) pdf.text(LOSS_NOTICE, PAGE.margin, y - LINE_HEIGHT);
    pdf.text(toWinAnsi(TEXTS.demoNotice), PAGE.margin, y);
    pdf.text(`Page ${page} of ${count}`, RIGHT, y, { align: "right" });
  }
}

/** The statement as a finished document. */
export function statementPdf(statement: Statement): jsPDF {
  const pdf = new jsPDF({ unit: "pt", format: "letter", compress: true });
  pdf.setProperties({
    title: toWinAnsi(`${statement.accountType} statement, ${statement.label}`),
    author: INSTITUTION.fullName,
  });
  const sheet = sheetFor(pdf, statement.rows);
  drawHeading(sheet, statement);
  drawFacts(sheet, [
    ["Account holder", statement.holderName],
    ["Account number", statement.accountNumber],
    ["Routing number", statement.routingNumber],
    ["Period", statement.label],
  ]);
  drawFacts(sheet, [
    ["Opening balance", formatUsd(statement.openingCents)],
    ["Money in", formatUsd(statement.creditsCents)],
    ["Money out", formatUsd(statement.debitsCents)],
    ["Closing balance", formatUsd(statement.closingCents)],
  ]);
  drawTableHead(sheet);
  statement.rows.forEach((row) => drawRow(sheet, row));
  if (statement.rows.length === 0) {
    style(pdf, 10, "normal", MUTED);
    write(sheet, "No transactions in this period.", PAGE.margin);
  }
  drawFooters(pdf, statement);
  return pdf;
}
