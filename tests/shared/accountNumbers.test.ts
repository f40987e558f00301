import { expect, test } from "vitest";
import {
  formatAccountNumber,
  hasRoutingChecksum,
  lastFour,
  maskNumber,
  needsNumber,
  newAccountNumber,
  replacementAccountNumber,
} from "../../convex/shared/accountNumbers";

test("numbers are shown in groups of 3, 3 and 4 digits, also shorter ones", () => {
  expect(formatAccountNumber("3481029931")).toBe("348-102-9931");
  expect(formatAccountNumber("34810299")).toBe("348-102-99");
  expect(formatAccountNumber("3481")).toBe("348-1");
  expect(formatAccountNumber("")).toBe("");
});

test("only the last four characters of a masked number are shown", () => {
  expect(lastFour("3481029931")).toBe("9931");
  expect(maskNumber("3481029931")).toBe("••••9931");
  expect(lastFour(maskNumber("3481029931"))).toBe("9931");
  expect(lastFour(maskNumber("A-1"))).toBe("A-1");
});

test("missing and masked numbers need to be replaced", () => {
  for (const masked of [undefined, "", "****1234", "••••1234", "XXXX1234", "12 34"]) {
    expect(needsNumber(masked)).toBe(true);
  }
  expect(needsNumber("12345678")).toBe(false);
});

test("new numbers have 8 and 10 digits and never start with 0", () => {
  for (const value of [0, 0.5, 0.999_999]) {
    expect(newAccountNumber(() => value)).toMatch(/^[1-9]\d{7}$/);
    expect(replacementAccountNumber(() => value)).toMatch(/^[1-9]\d{9}$/);
  }
  expect(newAccountNumber(() => 0)).toBe("10000000");
  expect(newAccountNumber(() => 0.999_999)).toBe("99999999");
});

test("a routing number with any one digit mistyped has no right checksum", () => {
  const right = "021000021";
  expect(hasRoutingChecksum(right)).toBe(true);
  for (const at of right.split("").keys()) {
    for (const digit of "0123456789".replace(right[at] ?? "", "")) {
      const wrong = right.slice(0, at) + digit + right.slice(at + 1);
      expect(hasRoutingChecksum(wrong), wrong).toBe(false);
    }
  }
});
