import { describe, expect, test } from "vitest";
import {
  decideGate,
  readTransferCount,
  storedTransferCount,
} from "../../convex/shared/transferCount";
import { TRANSFER_TYPES } from "../../convex/shared/validators";

describe("the count under its three names", () => {
  test.each([
    [{}, 0],
    [{ transferCount: 0, transfers: 2, transfer_count: 1 }, 2],
    [{ transferCount: 1, transfers: 2 }, 1],
    [{ transfer_count: 3 }, 3],
    [{ transferCount: 0, transfers: 0, transfer_count: 0 }, 0],
  ])("reads %j as %i: the first non-zero wins", (stored, count) => {
    expect(readTransferCount(stored)).toBe(count);
  });

  test("is written under all three names names", () => {
    expect(storedTransferCount(2)).toEqual({ transferCount: 2, transfers: 2, transfer_count: 2 });
    expect(readTransferCount(storedTransferCount(0))).toBe(0);
  });
});

describe("the gate", () => {
  const open = { count: 0, countLimit: 2, isProtected: false, isRestricted: false };

  test.each(TRANSFER_TYPES)(
    "lets the first and second %s transfer pass and stops the third",
    (type) => {
      expect(decideGate(type, open)).toBe("allow");
      expect(decideGate(type, { ...open, count: 1 })).toBe("allow");
      expect(decideGate(type, { ...open, count: 2 })).toBe("TRANSFER_BLOCKED");
      expect(decideGate(type, { ...open, count: 9, isRestricted: true })).toBe("TRANSFER_BLOCKED");
    },
  );

  test.each([
    ["internal", "allow"],
    ["user", "allow"],
    ["external", "ACCOUNT_LOCKED"],
    ["international", "ACCOUNT_LOCKED"],
  ] as const)("gives for a restricted member's %s transfer: %s", (type, decision) => {
    expect(decideGate(type, { ...open, isRestricted: true })).toBe(decision);
  });

  test.each([
    ["internal", "allow"],
    ["user", "allow"],
    ["external", "ACTIVITY_ALERT"],
    ["international", "ACTIVITY_ALERT"],
  ] as const)(
    "gives for the protected account's %s transfer, whatever its count: %s",
    (type, decision) => {
      const facts = { ...open, isProtected: true, count: 99, isRestricted: true };
      expect(decideGate(type, facts)).toBe(decision);
    },
  );
});
