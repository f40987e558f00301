/** What the back office is told of a deletion of all of a user's transactions, which goes on in batches. */
import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS, textFor } from "../../../convex/shared/texts";
import { useDeleteUserTransactions } from "../../../src/features/adminTransactions/useDeleteUserTransactions";
import { fakeServer } from "../../support/convexReact";

test.each([
  ["has begun", { isDone: false, deletedCount: 2 }, TEXTS.deletingTransactions],
  ["is done", { isDone: true, deletedCount: 3 }, textFor("transactionsDeleted", { count: 3 })],
  [
    "failed on its way",
    { isDone: true, deletedCount: 2, failed: "LEDGER" },
    MESSAGES.DELETE_TRANSACTIONS_FAILED,
  ],
])("that it %s", async (_what, job, text) => {
  fakeServer.calls = { "admin/transactions:removeAllForUser": async () => ({ jobId: "job" }) };
  fakeServer.queries = { "admin/transactions:removalJob": job };
  onTestFinished(() => void Object.assign(fakeServer, { calls: {}, queries: {} }));
  const { result } = renderHook(() => useDeleteUserTransactions());
  await act(async () => result.current.onDelete("maya@demo.example"));
  expect(result.current.statusText).toBe(text);
  expect(result.current.isBusy).toBe(!job.isDone);
});
