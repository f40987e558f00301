import { expect, test, vi } from "vitest";
import type { TxRow } from "../../../convex/shared/answers";
import { readHistory } from "../../../src/features/history/readHistory";

const PAGE_ROWS = 2;

/** The pages of a list as it is when each is read; `change` is called after each with how many have been. */
function pagesOf(ids: string[], change: (pagesRead: number) => void = () => undefined) {
  let pagesRead = 0;
  return vi.fn(async (cursor: string | null) => {
    const from = cursor === null ? 0 : ids.indexOf(cursor) + 1;
    const page = ids.slice(from, from + PAGE_ROWS).map((_id) => ({ _id }) as TxRow);
    const isDone = from + PAGE_ROWS >= ids.length;
    change(++pagesRead);
    return { page, isDone, continueCursor: page.at(-1)?._id ?? "" };
  });
}

const idsOf = (rows: readonly TxRow[]): string[] => rows.map(({ _id }) => _id);

test("all pages are read, with their progress", async () => {
  const onProgress = vi.fn();
  const read = await readHistory(pagesOf(["a", "b", "c", "d", "e"]), 100, onProgress);
  expect(idsOf(read.rows)).toEqual(["a", "b", "c", "d", "e"]);
  expect(read.isCut).toBe(false);
  expect(onProgress.mock.calls).toEqual([[2], [4], [5]]);
});

test("no more than needed are read, and nothing twice where one page is all", async () => {
  const cut = await readHistory(pagesOf(["a", "b", "c", "d", "e"]), 3, () => undefined);
  expect(idsOf(cut.rows)).toEqual(["a", "b", "c", "d"]);
  expect(cut.isCut).toBe(true);
  const readPage = pagesOf(["a"]);
  expect(idsOf((await readHistory(readPage, 100, () => undefined)).rows)).toEqual(["a"]);
  expect(readPage).toHaveBeenCalledOnce();
});

test.each([
  ["first", 0, ["pending", "a", "b", "c", "e"]],
  ["below one that is dated ahead", 1, ["a", "pending", "b", "c", "e"]],
])("a payment that is made while the pages are read is in the file, %s", async (_, at, listed) => {
  const ids = ["a", "b", "c", "pending", "e"];
  const readPage = pagesOf(ids, (pagesRead) => {
    if (pagesRead === 1) ids.splice(at, 0, ...ids.splice(3, 1));
  });
  const read = await readHistory(readPage, 100, () => undefined);
  expect(idsOf(read.rows)).toEqual(listed);
});

test("where something happens all the time, reading ends all the same", async () => {
  const ids = ["a", "b", "c"];
  const readPage = pagesOf(ids, (pagesRead) => ids.unshift(`new ${pagesRead}`));
  expect((await readHistory(readPage, 100, () => undefined)).rows.length).toBeGreaterThan(3);
});
