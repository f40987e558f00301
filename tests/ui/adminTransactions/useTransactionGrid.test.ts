/** What the grid sends, and under which key: the same rows may be wanted twice, and must not be posted twice. */
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { appError } from "../../../convex/shared/errors";
import { initialGrid, type GridState } from "../../../src/features/adminTransactions/gridRows";
import { useTransactionGrid } from "../../../src/features/adminTransactions/useTransactionGrid";
import { fakeServer } from "../../support/convexReact";

type Sent = { requestKey: string; fileHash?: string; rows: readonly { date: number }[] };

const addMany = vi.fn<(args: Record<string, unknown>) => Promise<unknown>>();
beforeEach(() => {
  fakeServer.calls = { "admin/transactions:addMany": addMany };
  addMany.mockResolvedValue({ batchId: "batch", count: 1 });
});
afterEach(() => {
  fakeServer.calls = {};
  fakeServer.queries = {};
  addMany.mockReset();
});

function gridOf(amount: string, file: GridState["file"] = null): GridState {
  const { rows, ...rest } = initialGrid({ date: "2026-11-20", time: "14:30" });
  return {
    ...rest,
    file,
    rows: rows.map((row) => {
      const texts = { ...row.row.texts, amount, description: "Rent" };
      return { ...row, row: { ...row.row, texts } };
    }),
  };
}

/** A grid, and the request keys and files of what it has sent. */
function render() {
  const { result } = renderHook(() => useTransactionGrid("maya"));
  const add = async (grid: GridState) => {
    let failure: string | null = null;
    await act(async () => {
      failure = await result.current.onAdd(grid, true);
    });
    return failure as string | null;
  };
  const read = (fileHash: string) => {
    act(() => result.current.onFileHash(fileHash));
    return result.current.earlierFile;
  };
  return { add, read, sent: () => addMany.mock.calls.map(([args]) => args as Sent) };
}

test("rows whose outcome is unknown keep their key until there is an answer", async () => {
  const { add, sent } = render();
  addMany.mockRejectedValueOnce(new Error("the connection broke"));
  expect(await add(gridOf("5"))).toBe("the server did not confirm it");
  expect(await add(gridOf("5"))).toBeNull();
  expect(await add(gridOf("5"))).toBeNull();
  const [first, second, third] = sent().map(({ requestKey }) => requestKey);
  expect(second).toBe(first);
  expect(third).not.toBe(second);
});

test("rows that were refused are new ones when they are sent again", async () => {
  const { add, sent } = render();
  addMany.mockRejectedValueOnce(appError("INSUFFICIENT_FUNDS"));
  expect(await add(gridOf("5"))).toBe("Insufficient funds");
  await add(gridOf("5"));
  const keys = sent().map(({ requestKey }) => requestKey);
  expect(new Set(keys).size).toBe(2);
});

test("rows of a file are sent with what the file is recognized by", async () => {
  const { add, sent } = render();
  await add(gridOf("5", { name: "november.csv", rowCount: 1, fileHash: "abc" }));
  await add(gridOf("5"));
  expect(sent().map(({ fileHash }) => fileHash)).toEqual(["abc", undefined]);
});

test("date and time are the credit union's", async () => {
  const { add, sent } = render();
  await add(gridOf("5"));
  expect(sent().map(({ rows }) => rows[0]?.date)).toEqual([Date.UTC(2026, 10, 20, 19, 30)]);
});

test("a file is not taken for a new one before it was looked up", () => {
  const { read } = render();
  expect(read("abc")).toBeUndefined();
  fakeServer.queries = { "admin/transactions:findDuplicateFile": null };
  expect(read("def")).toBeNull();
});
