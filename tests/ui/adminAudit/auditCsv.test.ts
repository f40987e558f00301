import { describe, expect, test } from "vitest";
import {
  changesOf,
  fieldText,
  type AuditEntry,
} from "../../../src/features/adminAudit/auditChanges";
import { auditCsv } from "../../../src/features/adminAudit/auditCsv";

const ENTRY: AuditEntry = {
  _id: "e1",
  at: Date.UTC(2026, 10, 20, 14, 30),
  actorEmail: "admin@demo.example",
  action: "account.update",
  targetLabel: "Checking of maya@demo.example",
  before: JSON.stringify({ balanceCents: "425075", accountNumber: "1234567890", note: "same" }),
  after: JSON.stringify({ balanceCents: "500000", accountNumber: "1234567891", note: "same" }),
};

describe("changes of an audit entry", () => {
  test("shows only what differs, money as money", () => {
    expect(changesOf(ENTRY)).toEqual([
      { name: "balanceCents", before: "$4,250.75", after: "$5,000.00" },
      { name: "accountNumber", before: "1234567890", after: "1234567891" },
    ]);
    expect(fieldText("balanceCents")).toBe("Balance");
    expect(fieldText("accountNumber")).toBe("Account number");
    expect(fieldText("isDisabled")).toBe("Disabled");
    expect(fieldText("batchId")).toBe("Batch");
    expect(fieldText("issuedAt")).toBe("Issued");
    expect(fieldText("dobValid")).toBe("Date of birth valid");
    expect(fieldText("idCardClear")).toBe("ID document clear");
  });

  test("shows opening balances and dates as people read them", () => {
    const opened = { Checking: { availableCents: "50000", balanceCents: "123456" } };
    expect(changesOf({ ...ENTRY, before: "null", after: JSON.stringify(opened) })).toEqual([
      { name: "Checking", before: "", after: "Available $500.00; Balance $1,234.56" },
    ]);
    const removed = { date: Date.UTC(2026, 10, 20, 19, 30) };
    expect(changesOf({ ...ENTRY, before: JSON.stringify(removed), after: "null" })).toEqual([
      { name: "date", before: "Nov 20, 2026, 2:30 PM", after: "" },
    ]);
  });

  test("reads entries without one side, with plain values and with text that is no JSON", () => {
    expect(changesOf({ ...ENTRY, before: "null", after: '{"isChecked":true}' })).toEqual([
      { name: "isChecked", before: "", after: "yes" },
    ]);
    expect(changesOf({ ...ENTRY, before: '"oncePerSession"', after: '"oncePerMember"' })).toEqual([
      { name: "value", before: "oncePerSession", after: "oncePerMember" },
    ]);
    expect(changesOf({ ...ENTRY, before: "{broken", after: "null" })).toEqual([
      { name: "value", before: "{broken", after: "" },
    ]);
  });
});

describe("the audit log as a file", () => {
  test("texts that look like formulas stay texts, quotes and line ends are kept", () => {
    const csv = auditCsv([
      { ...ENTRY, targetLabel: "=HYPERLINK(1)", reason: 'said "no",\nthen left' },
    ]);
    const [header, line] = csv.split("\r\n");
    expect(header).toBe("\uFEFFTime (UTC),Who,Action,Target,Before,After,Reason,Requested by");
    expect(line).toContain(
      '2026-11-20T14:30:00.000Z,admin@demo.example,account.update,"\'=HYPERLINK(1)"',
    );
    expect(csv).toContain('"said ""no"",\nthen left"');
    expect(csv.endsWith("\r\n")).toBe(true);
  });
});
