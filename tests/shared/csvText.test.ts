import { expect, test } from "vitest";
import { csvText } from "../../convex/shared/csvText";

const cellOf = (text: string) => csvText([[text]]).slice(1, -2);

test("begins with a byte order mark and ends every line with CRLF (RFC 4180)", () => {
  expect(csvText([["a", "b"], ["c"]])).toBe("\uFEFFa,b\r\nc\r\n");
});

const FORMULAS = ["=1", "+1", "-1+2", "-1.234", "@SUM(A1)", "\tx", "\rx", "\nx"];
const FULL_WIDTH = ["\uff1d1", "\uff0b1", "\uff0d1", "\uff20SUM(A1)"];

test.each([...FORMULAS, ...FULL_WIDTH])("%j is marked as text", (text) => {
  expect(cellOf(text)).toBe(`"'${text}"`);
});

// For programs that separate cells by semicolons and accept quotes only at the beginning of a cell.
test.each([
  ["x;=1+1;y", "x;'=1+1;y"],
  ["x\n@SUM(A1)\ny", "x\n'@SUM(A1)\ny"],
  ["x\t-1+2\t\uff1d3", "x\t'-1+2\t'\uff1d3"],
  ["x;=1;=2", "x;'=1;'=2"],
  // Of the two quotes that stand for this one, the second ends what the first begins.
  ['x;"=1+1;y', `x;""'=1+1;y`],
])("no part of %j is a formula", (text, safe) => {
  expect(cellOf(text)).toBe(`"${safe}"`);
});

test.each(["10.50", "-10.50", "", "a=b"])("%j is left unchanged", (text) => {
  expect(cellOf(text)).toBe(text);
});

test("commas, semicolons, quotes and line ends stay inside their cell", () => {
  expect(cellOf("rent; May")).toBe('"rent; May"');
  expect(cellOf('said "no",\nthen left')).toBe('"said ""no"",\nthen left"');
});
