/**
 * Statements and transactions as OFX 2.1.1, the XML that finance programs import.
 *
 * Pure; the present time is an argument. Not here: CSV (shared/statementExport).
 */
import type { Statement, TxRow } from "./answers";
import { monthBounds, offsetMs } from "./dates";
import { INSTITUTION } from "./institution";
import { MS } from "./limits";
import { signedCents } from "./ledger";
import { toDecimalText } from "./money";
import type { AccountType } from "./validators";

/** Longest name and memo of a transaction that the format allows; the memo holds what the name cannot. */
const NAME_LENGTH_MAX = 32;
const MEMO_LENGTH_MAX = 255;

/** Account numbers as the file names them. */
export type OfxAccount = {
  readonly type: AccountType;
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly balanceCents: bigint;
};

type OfxRow = {
  /** How programs recognise a transaction: the same in every file, whatever surrounds it. */
  readonly id: string;
  readonly type: "credit" | "debit";
  readonly amountCents: bigint;
  readonly date: number;
  readonly description: string;
  readonly reference?: string | undefined;
};

type OfxStatement = {
  readonly account: OfxAccount;
  readonly rows: readonly OfxRow[];
  readonly startMs: number;
  readonly endMs: number;
  readonly balanceAtMs: number;
};

/** Characters no XML may contain (XML 1.0, section 2.2): with one of them, no program reads the file. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const REPLACEMENT = "\ufffd";

function escape(text: string): string {
  const markup = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return markup.replace(NO_XML, REPLACEMENT);
}

function tag(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

/** A text of at most `lengthMax` characters, cut between them. */
function textTag(name: string, text: string, lengthMax: number): string {
  return tag(name, escape([...text].slice(0, lengthMax).join("")));
}

const ZONE_NAME = new Intl.DateTimeFormat("en-US", {
  timeZone: INSTITUTION.timeZone,
  timeZoneName: "short",
});

/**
 * A moment as the format writes it: `20250331235959[-4:EDT]`. On the credit union's clock, because many programs
 * read the date and ignore the zone: in UTC, an evening's transaction would be the next day's, or the next month's.
 */
function moment(atMs: number): string {
  const offset = offsetMs(atMs);
  const wallClock = new Date(atMs + offset).toISOString().slice(0, 19).replace(/[-T:]/g, "");
  const zone = ZONE_NAME.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value;
  return `${wallClock}[${offset / MS.HOUR_MS}:${zone ?? ""}]`;
}

function transactionTag(row: OfxRow): string {
  const memo = [row.description, row.reference].filter(Boolean).join(", ");
  return tag(
    "STMTTRN",
    tag("TRNTYPE", row.type.toUpperCase()) +
      tag("DTPOSTED", moment(row.date)) +
      tag("TRNAMT", toDecimalText(signedCents(row.type, row.amountCents))) +
      tag("FITID", escape(row.id)) +
      textTag("NAME", row.description, NAME_LENGTH_MAX) +
      textTag("MEMO", memo, MEMO_LENGTH_MAX),
  );
}

function statementTag({ account, rows, startMs, endMs, balanceAtMs }: OfxStatement): string {
  const from =
    tag("BANKID", account.routingNumber) +
    tag("ACCTID", account.accountNumber) +
    tag("ACCTTYPE", account.type.toUpperCase());
  const list =
    tag("DTSTART", moment(startMs)) +
    tag("DTEND", moment(endMs)) +
    rows.map(transactionTag).join("\n");
  const balance =
    tag("BALAMT", toDecimalText(account.balanceCents)) + tag("DTASOF", moment(balanceAtMs));
  return tag(
    "STMTTRNRS",
    tag("TRNUID", "0") +
      tag("STATUS", tag("CODE", "0") + tag("SEVERITY", "INFO")) +
      tag(
        "STMTRS",
        tag("CURDEF", "USD") +
          tag("BANKACCTFROM", from) +
          tag("BANKTRANLIST", list) +
          tag("LEDGERBAL", balance),
      ),
  );
}

function document(statements: readonly OfxStatement[], nowMs: number): string {
  const signOn = tag(
    "SIGNONMSGSRSV1",
    tag(
      "SONRS",
      tag("STATUS", tag("CODE", "0") + tag("SEVERITY", "INFO")) +
        tag("DTSERVER", moment(nowMs)) +
        tag("LANGUAGE", "ENG") +
        tag("FI", tag("ORG", escape(INSTITUTION.fullName)) + tag("FID", INSTITUTION.routingNumber)),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
    tag("OFX", signOn + tag("BANKMSGSRSV1", statements.map(statementTag).join("\n"))),
    "",
  ].join("\n");
}

/** One statement of one account. */
export function statementOfx(statement: Statement, nowMs: number): string {
  const { startMs, endMs } = monthBounds(statement.period);
  const { accountType, accountNumber, routingNumber, closingCents, rows } = statement;
  const account = { type: accountType, accountNumber, routingNumber, balanceCents: closingCents };
  return document([{ account, rows, startMs, endMs: endMs - 1, balanceAtMs: endMs - 1 }], nowMs);
}

const isInLedger = (row: TxRow): boolean => row.status === "Completed" && row.isMemo !== true;

/** Rows of the history, by account that has any. Only those in the ledger are included: completed, and no memos. */
export function transactionsOfx(
  rows: readonly TxRow[],
  accounts: readonly OfxAccount[],
  nowMs: number,
): string {
  const statements = accounts.map((account) => {
    const own = rows
      .filter((row) => row.accountType === account.type && isInLedger(row))
      .map(({ _id, ...row }) => ({ ...row, id: _id }));
    const dates = own.map((row) => row.date);
    return {
      account,
      rows: own,
      startMs: dates.length === 0 ? nowMs : Math.min(...dates),
      endMs: dates.length === 0 ? nowMs : Math.max(...dates),
      balanceAtMs: nowMs,
    };
  });
  const filled = statements.filter(({ rows: own }) => own.length > 0);
  // The format wants at least one: a file without any is damaged to a program, not empty.
  return document(filled.length > 0 ? filled : statements, nowMs);
}
