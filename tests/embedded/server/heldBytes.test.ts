/** What the server holds for connections: how much for one, and for all together. */
import { expect, test } from "vitest";
import { beyondLimits, UNFINISHED, UNSENT } from "../../../embedded/server/heldBytes";

const MIB = 1024 * 1024;
const bytesOf = (mebibytes: number) => mebibytes * MIB;
const cutOf = (...mebibytes: number[]) => beyondLimits(mebibytes, bytesOf, UNSENT);

test("nobody is cut while one has at most 64 MiB unsent, and all together 512", () => {
  expect(cutOf()).toEqual([]);
  expect(cutOf(0, 64, 0)).toEqual([]);
  expect(cutOf(...Array<number>(8).fill(64))).toEqual([]);
});

test("whoever has more is cut", () => {
  expect(cutOf(1, 65, 64, 200)).toEqual([200, 65]);
});

test("if all together have too much, those with most are cut until they have not", () => {
  expect(cutOf(...Array<number>(100).fill(5), 20, 1, 10)).toEqual([20]);
  expect(cutOf(...Array<number>(10).fill(60))).toEqual([60, 60]);
  expect(beyondLimits([...Array<number>(127).fill(2), 1, 2, 0.1], bytesOf, UNFINISHED)).toEqual([
    2,
  ]);
});

test("the beginnings of small messages are not counted, however many there are", () => {
  const small = Array<number>(100_000).fill(4_095);
  const bytes = (size: number) => size;
  expect(beyondLimits([...small, 4_096], bytes, UNFINISHED)).toEqual([]);
});
