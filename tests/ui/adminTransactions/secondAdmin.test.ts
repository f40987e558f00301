import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { appError } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { gridReducer, initialGrid } from "../../../src/features/adminTransactions/gridRows";
import { useBatches } from "../../../src/features/adminTransactions/useBatches";
import { useTransactionGrid } from "../../../src/features/adminTransactions/useTransactionGrid";
import { useUserTransactions } from "../../../src/features/adminTransactions/useUserTransactions";
import { useAccountEdit } from "../../../src/features/adminUsers/useUserDetail";
import { orAsk } from "../../../src/lib/secondAdmin";
import { fakeServer } from "../../support/convexReact";

const refuse = async () => {
  throw appError("SECOND_ADMIN_REQUIRED");
};

beforeEach(() => {
  fakeServer.calls = {
    "admin/transactions:addMany": refuse,
    "admin/transactions:remove": refuse,
    "admin/transactions:removeBatch": refuse,
    "admin/accounts:update": refuse,
  };
});

test("rows that wait for a second administrator are said to wait", async () => {
  const { result } = renderHook(() => useTransactionGrid("maya"));
  const blank = initialGrid({ date: "2026-11-20", time: "14:30" });
  const amount = { kind: "edit", key: 1, column: "amount", text: "5.00" } as const;
  const what = { kind: "edit", key: 1, column: "description", text: "Rent" } as const;
  const typed = [amount, what].reduce(gridReducer, blank);
  await act(() => result.current.onAdd(typed, true));
  expect(result.current.done).toBe(TEXTS.approvalRequested);
});

test("so is a deletion", async () => {
  const { result } = renderHook(() => useUserTransactions("maya"));
  await act(() => result.current.onDelete("t1"));
  expect(result.current.done).toBe(TEXTS.approvalRequested);
});

test("so is a batch that is taken back", async () => {
  const { result } = renderHook(() => useBatches("maya"));
  await act(() => result.current.onTakeBack("b1"));
  expect(result.current.done).toBe(TEXTS.approvalRequested);
});

const VALUES = { accountNumber: "", routingNumber: "", balanceCents: 1n, availableCents: 1n };
const EDIT = { ...VALUES, expected: VALUES };

test("so is an account edit", async () => {
  const { result } = renderHook(() => useAccountEdit());
  await act(() => result.current.onSave("a1", EDIT));
  expect(result.current.done).toBe(TEXTS.approvalRequested);
});

test("an account edit that one administrator may make is said to be saved", async () => {
  fakeServer.calls["admin/accounts:update"] = () => Promise.resolve(null);
  const { result } = renderHook(() => useAccountEdit());
  await act(() => result.current.onSave("a1", EDIT));
  expect(result.current.done).toBe(TEXTS.accountSaved);
});

test.each(["SECOND_ADMIN_REQUIRED", "SECOND_ADMIN_FOR_ROLE"] as const)(
  "of what is refused with %s, a second administrator is asked, and that may fail as well",
  async (code) => {
    const refused = () => Promise.reject(appError(code));
    const ask = vi.fn(() => Promise.resolve());
    expect(await orAsk(refused, ask)("args")).toEqual({ isAsked: true });
    expect(ask).toHaveBeenCalledExactlyOnceWith("args");
    const full = appError("APPROVALS_FULL");
    await expect(orAsk(refused, () => Promise.reject(full))("args")).rejects.toBe(full);
  },
);

test.each([appError("STALE_EDIT"), new Error("the connection was lost")])(
  "nobody is asked after another failure: %s",
  async (failure) => {
    const ask = vi.fn(() => Promise.resolve());
    const failing = orAsk(() => Promise.reject(failure), ask);
    await expect(failing("args")).rejects.toBe(failure);
    expect(ask).not.toHaveBeenCalled();
  },
);
