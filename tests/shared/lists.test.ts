import { expect, test } from "vitest";
import { hasRoutingChecksum } from "../../convex/shared/accountNumbers";
import { BANKS, findBank } from "../../convex/shared/banks";
import { COUNTRIES, isCountry } from "../../convex/shared/countries";
import { CURRENCIES, DEFAULT_CURRENCY, isCurrency } from "../../convex/shared/currencies";
import { INSTITUTION } from "../../convex/shared/institution";

test("ten banks with distinct names and valid, unassigned routing numbers", () => {
  expect(BANKS).toHaveLength(10);
  expect(new Set(BANKS.map((bank) => bank.name)).size).toBe(10);
  expect(new Set(BANKS.map((bank) => bank.routingNumber)).size).toBe(10);
  for (const bank of BANKS) {
    expect(hasRoutingChecksum(bank.routingNumber)).toBe(true);
    expect(bank.routingNumber).toMatch(/^99\d{7}$/);
  }
  expect(findBank("Ironwood Community")?.routingNumber).toBe("990091174");
  expect(findBank("ironwood community")).toBeUndefined();
});

test("the institution's routing number passes the checksum and one digit off does not", () => {
  expect(hasRoutingChecksum(INSTITUTION.routingNumber)).toBe(true);
  expect(hasRoutingChecksum("021000022")).toBe(false);
  expect(hasRoutingChecksum("02100002")).toBe(false);
});

test("197 countries in alphabetical order, with the names people search for", () => {
  expect(COUNTRIES).toHaveLength(197);
  expect(new Set(COUNTRIES.map((country) => country.code)).size).toBe(197);
  expect(COUNTRIES.every((country) => /^[A-Z]{2}$/.test(country.code))).toBe(true);
  const names = COUNTRIES.map((country) => country.name);
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, "en")));
  const found = (text: string) => COUNTRIES.find((country) => country.aliases.includes(text))?.code;
  expect(found("USA")).toBe("US");
  expect(found("UK")).toBe("GB");
  expect(found("Burma")).toBe("MM");
  expect(isCountry("DE")).toBe(true);
  expect(isCountry("XX")).toBe(false);
});

test("29 currencies, US dollar first", () => {
  expect(CURRENCIES).toHaveLength(29);
  expect(new Set(CURRENCIES.map((currency) => currency.code)).size).toBe(29);
  expect(CURRENCIES[0]?.code).toBe(DEFAULT_CURRENCY);
  expect(isCurrency("EUR")).toBe(true);
  expect(isCurrency("eur")).toBe(false);
});
