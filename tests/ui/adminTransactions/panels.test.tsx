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
import { ResetTransferCounts } from "../../../src/features/adminTransferCounts/ResetTransferCounts";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const ROW: AdminTransaction = {
  _id: "t1",
  accountType: "Checking",
  type: "debit",
  amountCents: 6_418n,
  description: "Cedar Street Market",
  category: "Food",
  status: "Completed",
  date: Date.UTC(2026, 10, 20, 14, 30),
  isPosted: true,
};

const BATCH: TransactionBatch = {
  batchId: "b1",
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
  const others = { ...BATCH, batchId: "b2", createdBy: "second@demo.example" };
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

describe("Reset Transfer Counts", () => {
  const props = {
    rows: [
      { userId: "u1", email: "maya@demo.example", name: "Maya", count: 2, isProtected: false },
      { userId: "u2", email: "vip@demo.example", name: "Vera", count: 0, isProtected: true },
    ],
    status: "Exhausted" as const,
    onLoadMore: () => undefined,
    busyUserIds: [],
    isResettingAll: false,
    outcomeOf: () => ({ success: null, failure: null }),
  };

  test("asks before everyone is reset, and Cancel goes back", async () => {
    const onResetAll = vi.fn();
    const { user } = renderFeature(
      <ResetTransferCounts {...props} onResetAll={onResetAll} onResetOne={() => undefined} />,
    );
    const open = { name: "Initiate Reset All Transfer Counts" };
    await user.click(screen.getByRole("button", open));
    expect(
      screen.getByText(
        "Are you sure you want to reset all transfer counts? This action cannot be undone.",
      ),
    ).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(onResetAll).not.toHaveBeenCalled();
    await user.click(screen.getByRole("button", open));
    await user.click(screen.getByRole("button", { name: "Confirm Reset All" }));
    expect(onResetAll).toHaveBeenCalledOnce();
  });

  test("no member is reset alone while everyone is: it would hide how that ended", () => {
    const silent = () => undefined;
    renderFeature(
      <ResetTransferCounts {...props} isResettingAll onResetAll={silent} onResetOne={silent} />,
    );
    expect(screen.getByRole("button", { name: "Reset maya@demo.example" })).toBeDisabled();
  });

  test("each member is reset alone, the protected account is not", async () => {
    const onResetOne = vi.fn();
    const { user } = renderFeature(
      <ResetTransferCounts {...props} onResetAll={() => undefined} onResetOne={onResetOne} />,
    );
    expect(screen.getByText("Current count: 2")).toBeVisible();
    expect(screen.getByRole("button", { name: "Reset vip@demo.example" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Reset maya@demo.example" }));
    expect(onResetOne.mock.calls).toEqual([["u1"]]);
    await expectNoAxeViolations();
  });

  test.each(["u1", null])("what came of the reset of %s stands with it", (resetOf) => {
    renderFeature(
      <ResetTransferCounts
        {...props}
        onResetAll={() => undefined}
        onResetOne={() => undefined}
        outcomeOf={(userId) => ({
          success: userId === resetOf ? "Done" : null,
          failure: userId === resetOf ? "Error: no" : null,
        })}
      />,
    );
    const rowOf = (element: HTMLElement) => element.closest("li");
    const button = screen.getByRole("button", { name: "Reset maya@demo.example" });
    const expected = resetOf === null ? null : rowOf(button);
    expect(rowOf(screen.getByText("Done"))).toBe(expected);
    expect(rowOf(screen.getByText("Error: no"))).toBe(expected);
  });

  test("a first page of nothing but administrators is not the last word", async () => {
    const onLoadMore = vi.fn();
    const silent = { onResetAll: () => undefined, onResetOne: () => undefined };
    const { user } = renderFeature(
      <ResetTransferCounts
        {...props}
        {...silent}
        rows={[]}
        status="CanLoadMore"
        onLoadMore={onLoadMore}
      />,
    );
    expect(screen.queryByText("No members yet")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Load more" }));
    expect(onLoadMore).toHaveBeenCalledOnce();
  });

  test("while resetting the button says so", () => {
    renderFeature(
      <ResetTransferCounts
        {...props}
        isResettingAll
        onResetAll={() => undefined}
        onResetOne={() => undefined}
      />,
    );
    expect(screen.getByRole("button", { name: "Resetting..." })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });
});
