/** Clients that do not read: how far behind one may be, and all together. */
import { expect, test } from "vitest";
import { slowReaders } from "../../../embedded/server/slowReaders";

const MEBIBYTE = 1024 * 1024;
const behindBy = (mebibytes: number) => ({ mebibytes, unsentBytes: mebibytes * MEBIBYTE });
const cutOf = (...mebibytes: number[]) =>
  slowReaders(mebibytes.map(behindBy)).map((reader) => reader.mebibytes);

test("nobody is cut while one is at most 64 MiB behind, and all together 512", () => {
  expect(cutOf()).toEqual([]);
  expect(cutOf(0, 64, 0)).toEqual([]);
  expect(cutOf(...Array<number>(8).fill(64))).toEqual([]);
});

test("whoever is further behind is cut", () => {
  expect(cutOf(1, 65, 64, 200)).toEqual([200, 65]);
});

test("if all together are too far behind, the slowest are cut until they are not", () => {
  expect(cutOf(...Array<number>(100).fill(5), 20, 1, 10)).toEqual([20]);
  expect(cutOf(...Array<number>(10).fill(60))).toEqual([60, 60]);
});
