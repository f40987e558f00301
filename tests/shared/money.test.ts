import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatSignedUsd,
  formatUsd,
  minCents,
  parseAmount,
  parseCents,
  sumCents,
  toDecimalText,
} from "../../convex/shared/money";

describe("text to cents", () => {
  test.each([
    ["0", 0n],
    ["0.01", 1n],
    ["5.", 500n],
    [".5", 50n],
    ["12.3", 1_230n],
    ["1234.56", 123_456n],
    [" 7 ", 700n],
    ["$7.10", 710n],
    ["1,234.50", 123_450n],
    ["10,000,000", 1_000_000_000n],
    ["0007", 700n],
    ["9".repeat(24), BigInt("9".repeat(24)) * 100n],
    ["\u200e$1,234.50\u200f", 123_450n],
    ["\u00a07\u200b.10", 710n],
  ])("reads %j", (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  test.each([
    "",
    ".",
    "$",
    "1.234",
    "0.001",
    "-5",
    "+5",
    "1e3",
    "NaN",
    "Infinity",
    "0x10",
    "1,23",
    "12,34.00",
    "1 000",
    "1.2.3",
    "12$34",
    "9".repeat(25),
    "٣",
    "１２",
    "9".repeat(100_000),
  ])("refuses %.20j instead of rounding it", (text) => {
    expect(parseCents(text)).toBeNull();
  });

  test("an empty and an invalid amount have different refusals", () => {
    expect(parseAmount("  ")).toBe("empty");
    expect(parseAmount("\u200b")).toBe("empty");
    expect(parseAmount("abc")).toBe("invalid");
    expect(parseAmount("0")).toBe(0n);
  });
});

describe("cents to text", () => {
  test("shows dollars with two decimals and thousands", () => {
    expect(formatUsd(0n)).toBe("$0.00");
    expect(formatUsd(5n)).toBe("$0.05");
    expect(formatUsd(-4_500n)).toBe("-$45.00");
    expect(formatUsd(123_456_789n)).toBe("$1,234,567.89");
    expect(formatSignedUsd(1_250n)).toBe("+$12.50");
    expect(formatSignedUsd(-1_250n)).toBe("-$12.50");
    expect(formatSignedUsd(0n)).toBe("$0.00");
  });

  test("agrees with the platform's own formatter wherever that one is exact", () => {
    const platform = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (cents) => {
        expect(formatUsd(BigInt(cents))).toBe(
          platform.format(cents / 100).replace("-$0.00", "$0.00"),
        );
      }),
    );
  });

  test("every amount can be converted to text and back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (cents) => {
        expect(parseCents(toDecimalText(cents))).toBe(cents);
        expect(parseCents(formatUsd(cents))).toBe(cents);
      }),
    );
  });
});

test("sums and minima are exact beyond the range of safe integers", () => {
  expect(sumCents([])).toBe(0n);
  expect(sumCents([9_007_199_254_740_993n, 2n])).toBe(9_007_199_254_740_995n);
  expect(minCents(3n, 2n)).toBe(2n);
  expect(minCents(-3n, 2n)).toBe(-3n);
});
