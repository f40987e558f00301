import { act, renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import { gridReducer, initialGrid } from "../../../src/features/adminTransactions/gridRows";
import { useTransactionGrid } from "../../../src/features/adminTransactions/useTransactionGrid";
import { fakeServer } from "../../support/convexReact";

/** What the grid says when the server refuses its rows. */
async function causeOf(refusal: object): Promise<string | null> {
  fakeServer.calls = {
    "admin/transactions:addMany": async () => {
      throw new ConvexError({
        code: "INVALID_DATE",
        message: "Please enter a valid date",
        ...refusal,
      });
    },
  };
  const { result } = renderHook(() => useTransactionGrid("maya"));
  const amount = { kind: "edit", key: 1, column: "amount", text: "5.00" } as const;
  const what = { kind: "edit", key: 1, column: "description", text: "Rent" } as const;
  const typed = [amount, what].reduce(
    gridReducer,
    initialGrid({ date: "1901-02-03", time: "14:30" }),
  );
  return await act(() => result.current.onAdd(typed, true));
}

test("a refusal of one row of many names the row as the grid numbers it", async () => {
  expect(await causeOf({ details: { row: 2 } })).toBe("Row 3: Please enter a valid date");
});

test("a refusal of all rows together names none", async () => {
  expect(await causeOf({})).toBe("Please enter a valid date");
});
