import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  BatchList,
  type TransactionBatch,
} from "../../../src/features/adminTransactions/BatchList";
import { DeleteUserTransactionsPanel } from "../../../src/features/adminTransactions/DeleteUserTransactionsPanel";
import {
  TransactionTable,
  type AdminTransaction,
} from "../../../src/features/adminTransactions/TransactionTable";
import { idOf } from "../../support/ids";
import { renderFeature } from "../../support/renderFeature";

const ROW: AdminTransaction = {
  _id: idOf("t1"),
  accountType: "Checking",
  type: "debit",
  amountCents: 6_418n,
  description: "Cedar Street Market",
  category: "Food",
  status: "Completed",
  date: Date.UTC(2026, 10, 20, 14, 30),
  isPosted: true,
  isDeleted: false,
};

const BATCH: TransactionBatch = {
  batchId: idOf("b1"),
  count: 12,
  createdAt: ROW.date,
  createdBy: "admin@demo.example",
  updateBalance: true,
  isRemoved: false,
};

/** Presses Delete on the only row. */
async function askToDelete(row: AdminTransaction) {
  const { user } = renderFeature(
    <TransactionTable
      rows={[row]}
      status="Exhausted"
      onLoadMore={() => undefined}
      onDelete={async () => undefined}
      isDeleting={false}
      failure={null}
      done={null}
    />,
  );
  const [button] = screen.getAllByRole("button", { name: /^Delete/ });
  if (button === undefined) throw new Error("no button");
  await user.click(button);
  return { user, dialog: await screen.findByRole("alertdialog") };
}

describe("User Transactions", () => {
  test("a row is deleted only after the question", async () => {
    const onDelete = vi.fn(async () => undefined);
    const { user } = renderFeature(
      <TransactionTable
        rows={[ROW]}
        status="Exhausted"
        onLoadMore={() => undefined}
        onDelete={onDelete}
        isDeleting={false}
        failure={null}
        done={null}
      />,
    );
    expect(screen.getByText("1 transaction")).toBeVisible();
    const [button] = screen.getAllByRole("button", { name: /^Delete/ });
    if (button === undefined) throw new Error("no button");
    await user.click(button);
    const dialog = await screen.findByRole("alertdialog", { name: "Delete this transaction?" });
    expect(dialog).toHaveTextContent("Its effect on the Checking balance is reversed.");
    expect(onDelete).not.toHaveBeenCalled();
    await user.click(screen.getByRole("button", { name: "Delete transaction" }));
    expect(onDelete).toHaveBeenCalledWith("t1");
  });

  test.each(["Completed", "Pending", "Failed"] as const)(
    "of a %s row that moved no money no effect is said to be reversed",
    async (status) => {
      const { dialog } = await askToDelete({ ...ROW, status, isPosted: false });
      expect(dialog).toHaveTextContent("It never touched the balance");
      expect(dialog).not.toHaveTextContent("reversed");
    },
  );

  test("a description in another direction does not turn the amount around", async () => {
    const { dialog } = await askToDelete({ ...ROW, description: "تحويل" });
    expect(within(dialog).getByText("تحويل").tagName).toBe("BDI");
  });
});

const renderBatches = (
  batches: readonly TransactionBatch[],
  onTakeBack: (batchId: string) => Promise<void> = async () => undefined,
) =>
  renderFeature(
    <BatchList
      batches={batches}
      onTakeBack={onTakeBack}
      isBusy={false}
      failure={null}
      done={null}
    />,
  );

describe("a question that closes keeps its words", () => {
  /** Every text the dialog shows while open or closing. */
  function textsOf(dialog: HTMLElement): ReadonlySet<string> {
    const texts = new Set<string>();
    const watch = new MutationObserver(() => texts.add(dialog.textContent));
    watch.observe(dialog, { subtree: true, childList: true, characterData: true });
    onTestFinished(() => watch.disconnect());
    return texts;
  }

  test("of a transaction", async () => {
    const { user, dialog } = await askToDelete(ROW);
    const texts = textsOf(dialog);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect([...texts].filter((text) => !text.includes(ROW.description))).toEqual([]);
  });

  test("of rows added together", async () => {
    const onTakeBack = vi.fn(async () => undefined);
    const { user } = renderBatches([BATCH], onTakeBack);
    await user.click(screen.getByRole("button", { name: /^Take back 12 transactions/ }));
    const dialog = await screen.findByRole("alertdialog", { name: "Take back 12 transactions?" });
    const texts = textsOf(dialog);
    await user.click(within(dialog).getByRole("button", { name: "Take back" }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(onTakeBack).toHaveBeenCalledWith("b1");
    expect([...texts].filter((text) => !text.includes("12 transactions"))).toEqual([]);
  });
});

test("a question about rows added together says which", async () => {
  const others = {
    ...BATCH,
    batchId: idOf<"transactionBatches">("b2"),
    createdBy: "second@demo.example",
  };
  const { user } = renderBatches([BATCH, others]);
  await user.click(screen.getAllByRole("button", { name: /^Take back/ })[1]!);
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).toHaveTextContent(
    /Added .+ second@demo.example\. Transactions not yet deleted are/,
  );
});

test("rows that never touched the balance are taken back without a word of a reversal", async () => {
  const { user } = renderBatches([{ ...BATCH, updateBalance: false }]);
  await user.click(screen.getByRole("button", { name: /^Take back/ }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).toHaveTextContent("They never touched the balances");
  expect(dialog).not.toHaveTextContent("reversed");
});

describe("Delete User Transactions", () => {
  test.each([
    ["Finding user...", "text-pos"],
    ["User not found", "text-pos"],
    ["Successfully deleted 42 transactions", "text-pos"],
    ["Error deleting transactions", "text-neg"],
  ])("%j shows %s", (statusText, colour) => {
    renderFeature(
      <DeleteUserTransactionsPanel
        onDelete={() => undefined}
        isBusy={false}
        statusText={statusText}
        progressText=""
      />,
    );
    expect(screen.getByText(statusText)).toHaveClass(colour);
  });

  test("the typed address is handed on once", async () => {
    const onDelete = vi.fn();
    const { user } = renderFeature(
      <DeleteUserTransactionsPanel
        onDelete={onDelete}
        isBusy={false}
        statusText=""
        progressText=""
      />,
    );
    expect(screen.getByRole("button", { name: "Delete Transactions" })).toBeDisabled();
    await user.type(screen.getByLabelText("User email"), " maya@demo.example{Enter}");
    expect(onDelete.mock.calls).toEqual([["maya@demo.example"]]);
  });
});
