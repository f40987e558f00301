import { describe, expect, test } from "vitest";
import {
  filtersOf,
  hasFilters,
  readFilters,
  writeFilters,
} from "../../../src/features/history/filters";

const read = (query: string) => readFilters(new URLSearchParams(query));

describe("history filters", () => {
  test("every filter of the address reaches the query as its own type", () => {
    const texts = read(
      "q=rent&account=Savings&type=debit&category=Bill Pay&status=Pending&from=2026-01-01&to=2026-02-28&min=5&max=10.50",
    );
    expect(filtersOf(texts)).toEqual({
      text: "rent",
      accountType: "Savings",
      type: "debit",
      category: "Bill Pay",
      status: "Pending",
      fromDate: "2026-01-01",
      toDate: "2026-02-28",
      minCents: 500n,
      maxCents: 1_050n,
    });
  });

  test("what is no such value filters nothing", () => {
    const texts = read("account=Gold&type=x&category=Rent&status=y&from=2026-02-31&min=a&q=%20");
    expect(filtersOf(texts)).toEqual({});
  });

  test.each([
    ["an amount above what an amount can be", "min=10000000000.01&max=99999999999999999999"],
    ["a date whose year is still being typed", "from=0002-11-01&to=0202-11-01"],
    ["a text longer than the search takes", `q=${"x".repeat(201)}`],
  ])("%s filters nothing either", (_, query) => {
    expect(filtersOf(read(query))).toEqual({});
  });

  test("the largest amount and the longest text filter", () => {
    const text = "x".repeat(200);
    expect(filtersOf(read(`max=10,000,000,000&q=${text}`))).toEqual({
      maxCents: 1_000_000_000_000n,
      text,
    });
  });

  test("writing what was read gives the same address, without empty filters", () => {
    expect(writeFilters(read("account=Savings&q=rent&other=1")).toString()).toBe(
      "q=rent&account=Savings",
    );
    expect(hasFilters(read(""))).toBe(false);
    expect(hasFilters(read("q=a"))).toBe(true);
  });
});
