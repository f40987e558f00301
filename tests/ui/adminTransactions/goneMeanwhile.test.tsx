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
import { idOf } from "../../support/ids";
import { renderFeature } from "../../support/renderFeature";

const OTHERS = { failure: null, done: null } as const;

const ROW: AdminTransaction = {
  _id: idOf("r1"),
  accountType: "Checking",
  type: "debit",
  amountCents: 6_418n,
  description: "Market",
  category: "Food",
  status: "Completed",
  date: 0,
  isPosted: true,
  isDeleted: false,
};

const BATCH: TransactionBatch = {
  batchId: idOf("b1"),
  count: 2,
  createdAt: 0,
  createdBy: "admin@demo.example",
  updateBalance: true,
  isRemoved: false,
};

const table = (rows: readonly AdminTransaction[], isDeleting = false) => (
  <TransactionTable
    {...OTHERS}
    rows={rows}
    status="Exhausted"
    onLoadMore={() => undefined}
    onDelete={() => new Promise(() => undefined)}
    isDeleting={isDeleting}
  />
);
const list = (isRemoved: boolean, isBusy = false) => (
  <BatchList
    {...OTHERS}
    batches={[{ ...BATCH, isRemoved }]}
    onTakeBack={() => new Promise(() => undefined)}
    isBusy={isBusy}
  />
);

test("the question about a transaction that is gone says so, unless one's own press deletes it", async () => {
  const { user, rerender } = renderFeature(table([ROW]));
  const buttons = within(screen.getByRole("table"));
  await user.click(buttons.getByRole("button", { name: "Delete Market" }));
  const dialog = await screen.findByRole("alertdialog");
  rerender(table([]));
  expect(within(dialog).getByRole("alert")).toHaveTextContent("deleted in the meantime");
  rerender(table([], true));
  expect(within(dialog).queryByRole("alert")).not.toBeInTheDocument();
});

test("the question about a batch that is gone says so, unless one's own press takes it back", async () => {
  const { user, rerender } = renderFeature(list(false));
  await user.click(screen.getByRole("button", { name: /^Take back 2/ }));
  const dialog = await screen.findByRole("alertdialog");
  rerender(list(true));
  expect(within(dialog).getByRole("alert")).toHaveTextContent("deleted in the meantime");
  rerender(list(true, true));
  expect(within(dialog).queryByRole("alert")).not.toBeInTheDocument();
});
