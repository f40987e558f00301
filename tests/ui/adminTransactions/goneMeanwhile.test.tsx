/** Questions about rows that another administrator deletes while they are open. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  BatchList,
  type TransactionBatch,
} from "../../../src/features/adminTransactions/BatchList";
import {
  TransactionTable,
  type AdminTransaction,
} from "../../../src/features/adminTransactions/TransactionTable";
import { renderFeature } from "../../support/renderFeature";

const OTHERS = { isDeleting: false, isBusy: false, failure: null, done: null } as const;

const ROW: AdminTransaction = {
  _id: "r1",
  accountType: "Checking",
  type: "debit",
  amountCents: 6_418n,
  description: "Market",
  category: "Food",
  status: "Completed",
  date: 0,
  isPosted: true,
};

const BATCH: TransactionBatch = {
  batchId: "b1",
  count: 2,
  createdAt: 0,
  createdBy: "admin@demo.example",
  updateBalance: true,
  isRemoved: false,
};

const table = (rows: readonly AdminTransaction[]) => (
  <TransactionTable
    {...OTHERS}
    rows={rows}
    status="Exhausted"
    onLoadMore={() => undefined}
    onDelete={() => new Promise(() => undefined)}
  />
);
const list = (batch: TransactionBatch) => (
  <BatchList {...OTHERS} batches={[batch]} onTakeBack={() => new Promise(() => undefined)} />
);

test("the question about a transaction that is gone says so, unless one's own press deleted it", async () => {
  const { user, rerender } = renderFeature(table([ROW]));
  const open = () =>
    user.click(within(screen.getByRole("table")).getByRole("button", { name: "Delete Market" }));
  await open();
  const dialog = await screen.findByRole("alertdialog");
  rerender(table([]));
  expect(within(dialog).getByRole("alert")).toHaveTextContent("deleted in the meantime");
  rerender(table([ROW]));
  expect(within(dialog).queryByRole("alert")).not.toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "Delete transaction" }));
  rerender(table([]));
  expect(within(dialog).queryByRole("alert")).not.toBeInTheDocument();
});

test("the question about a batch that is gone says so, unless one's own press took it back", async () => {
  const { user, rerender } = renderFeature(list(BATCH));
  await user.click(screen.getByRole("button", { name: /^Take back 2/ }));
  const dialog = await screen.findByRole("alertdialog");
  rerender(list({ ...BATCH, isRemoved: true }));
  expect(within(dialog).getByRole("alert")).toHaveTextContent("deleted in the meantime");
  rerender(list(BATCH));
  await user.click(within(dialog).getByRole("button", { name: "Take back" }));
  rerender(list({ ...BATCH, isRemoved: true }));
  expect(within(dialog).queryByRole("alert")).not.toBeInTheDocument();
});
