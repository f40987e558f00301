import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { CsvRow } from "../../../convex/shared/csv";
import { TEXTS } from "../../../convex/shared/texts";
import {
  TransactionGrid,
  type TransactionGridProps,
} from "../../../src/features/adminTransactions/TransactionGrid";
import { blankRow } from "../../../src/features/adminTransactions/gridRows";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const DEFAULTS = { date: "2026-11-20", time: "14:30" };

function renderGrid(overrides: Partial<TransactionGridProps> = {}) {
  const onAdd = vi.fn<TransactionGridProps["onAdd"]>(async () => null);
  const props: TransactionGridProps = {
    draftKey: "transactions-maya",
    defaults: () => DEFAULTS,
    readFile: async () => ({ parse: { isOk: true, rows: [] } }),
    onAdd,
    onFileHash: () => undefined,
    earlierFile: null,
    isBusy: false,
    done: null,
    ...overrides,
  };
  return { onAdd, props, ...renderFeature(<TransactionGrid {...props} />) };
}

function fileRow(description: string, amount: string): CsvRow {
  const { texts } = blankRow(DEFAULTS);
  return { texts: { ...texts, description, amount }, unreadable: {} };
}

/** Pastes, because typing letter by letter is slow and not the point. */
async function fill(user: UserEvent, label: string, text: string): Promise<void> {
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
}

async function pickFile(user: UserEvent): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error("no file input");
  await user.upload(input, new File(["any"], "november.csv", { type: "text/csv" }));
}

beforeEach(() => sessionStorage.clear());

describe("Add Transactions", () => {
  test("rows, their file and the choice of balances stay for who comes back", async () => {
    const { user, unmount } = renderGrid({
      readFile: async () => ({
        parse: { isOk: true, rows: [fileRow("Rent", "5.00")] },
        fileHash: "hash",
      }),
    });
    await pickFile(user);
    await user.click(screen.getByLabelText("Update account balance"));
    await fill(user, "Row 1 Description", " of May");
    unmount();
    const onFileHash = vi.fn();
    renderGrid({ onFileHash });
    expect(screen.getByLabelText("Row 1 Description")).toHaveValue("Rent of May");
    expect(screen.getByLabelText("Update account balance")).not.toBeChecked();
    expect(onFileHash).toHaveBeenCalledWith("hash");
  });

  test("the choice of balances stays also before anything is typed", async () => {
    const { user, unmount } = renderGrid();
    await user.click(screen.getByLabelText("Update account balance"));
    unmount();
    renderGrid();
    expect(screen.getByLabelText("Update account balance")).not.toBeChecked();
  });

  test("added rows are not kept", async () => {
    const { user, unmount } = renderGrid();
    await fill(user, "Row 1 Amount", "5.00");
    await fill(user, "Row 1 Description", "Rent");
    await user.click(screen.getByRole("button", { name: "Add 1 transaction" }));
    unmount();
    renderGrid();
    expect(screen.getByLabelText("Row 1 Description")).toHaveValue("");
  });

  test("every cell has its row's name and the specification's options", async () => {
    renderGrid();
    for (const column of ["Account", "Type", "Amount", "Description", "Category", "Date"]) {
      expect(screen.getByLabelText(`Row 1 ${column}`)).toBeVisible();
    }
    expect(within(screen.getByLabelText("Row 1 Category")).getAllByRole("option")).toHaveLength(10);
    expect(
      within(screen.getByLabelText("Row 1 Status"))
        .getAllByRole("option")
        .map((option) => option.textContent),
    ).toEqual(["Completed", "Pending", "Failed"]);
    expect(screen.getByLabelText("Row 1 Date")).toHaveValue("2026-11-20");
    expect(screen.getByLabelText("Row 1 Time")).toHaveValue("14:30");
    await expectNoAxeViolations();
  });

  test("the only row cannot be removed, and the neighbour takes the focus of a removed one", async () => {
    const { user } = renderGrid();
    expect(screen.getByRole("button", { name: "Remove row 1" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Add row" }));
    await user.click(screen.getByRole("button", { name: "Remove row 1" }));
    expect(screen.queryByLabelText("Row 2 Account")).toBeNull();
    expect(screen.getByLabelText("Row 1 Account")).toHaveFocus();
  });

  test("adding with gaps shows them at their cells and adds nothing", async () => {
    const { user, onAdd } = renderGrid();
    await user.click(screen.getByRole("button", { name: "Add 1 transaction" }));
    expect(screen.getByText("Row 1, Amount: enter a number above 0")).toBeVisible();
    expect(screen.getByLabelText("Row 1 Amount")).toBeInvalid();
    expect(screen.getByLabelText("Row 1 Amount")).toHaveFocus();
    expect(screen.getByRole("button", { name: "Add 1 transaction" })).toBeDisabled();
    expect(onAdd).not.toHaveBeenCalled();
  });

  test("that a cell was left wrong is announced, because the focus is elsewhere by then", async () => {
    const { user } = renderGrid();
    await fill(user, "Row 1 Amount", "0");
    const said = () => screen.getAllByRole("status").map((region) => region.textContent);
    expect(said()).not.toContain("Fix the marked fields first.");
    await user.tab();
    expect(said()).toContain("Fix the marked fields first.");
  });

  test("complete rows are added once and the grid starts anew", async () => {
    const { user, onAdd } = renderGrid();
    await fill(user, "Row 1 Amount", "64.18");
    await fill(user, "Row 1 Description", "Cedar Street Market");
    await user.click(screen.getByRole("checkbox", { name: "Update account balance" }));
    await user.click(screen.getByRole("button", { name: "Add 1 transaction" }));
    expect(onAdd).toHaveBeenCalledOnce();
    const [state, isBalanceUpdated] = onAdd.mock.calls[0] ?? [];
    expect(state?.rows[0]?.row.texts).toMatchObject({
      amount: "64.18",
      description: "Cedar Street Market",
    });
    expect(isBalanceUpdated).toBe(false);
    expect(screen.getByLabelText("Row 1 Amount")).toHaveValue("");
  });

  test("a refusal keeps the rows and says the cause", async () => {
    const { user } = renderGrid({ onAdd: async () => "Insufficient funds" });
    await fill(user, "Row 1 Amount", "64.18");
    await fill(user, "Row 1 Description", "Cedar");
    await user.click(screen.getByRole("button", { name: "Add 1 transaction" }));
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Failed to add transactions: Insufficient funds",
    );
    expect(screen.getByLabelText("Row 1 Description")).toHaveValue("Cedar");
  });

  test("a file fills the grid and links each problem to its cell", async () => {
    const { user, onAdd } = renderGrid({
      readFile: async () => ({
        parse: { isOk: true, rows: [fileRow("Payroll", "10"), fileRow("Fee", "-12")] },
      }),
    });
    await pickFile(user);
    expect(await screen.findByText(/november\.csv: 2 rows read, 1 needs a fix\./)).toBeVisible();
    await user.click(screen.getByRole("link", { name: /Row 2, Amount: enter a number above 0/ }));
    expect(screen.getByLabelText("Row 2 Amount")).toHaveFocus();
    expect(screen.getByRole("button", { name: "Add 2 transactions" })).toBeDisabled();
    await user.clear(screen.getByLabelText("Row 2 Amount"));
    await user.type(screen.getByLabelText("Row 2 Amount"), "12");
    await user.click(screen.getByRole("button", { name: "Add 2 transactions" }));
    expect(onAdd).toHaveBeenCalledOnce();
  });

  test("nothing is added while a file is read, or before it is known whether it was added before", async () => {
    let read = () => {};
    const reading = new Promise<void>((resolve) => (read = resolve));
    const { user, props, rerender } = renderGrid({
      readFile: async () => {
        await reading;
        return { parse: { isOk: true, rows: [fileRow("Payroll", "10")] }, fileHash: "hash" };
      },
    });
    await fill(user, "Row 1 Amount", "64.18");
    await fill(user, "Row 1 Description", "Cedar Street Market");
    await pickFile(user);
    expect(screen.getByRole("button", { name: "Add 1 transaction" })).toBeDisabled();
    rerender(<TransactionGrid {...props} earlierFile={undefined} />);
    read();
    expect(await screen.findByRole("button", { name: "Add 2 transactions" })).toBeDisabled();
    rerender(<TransactionGrid {...props} earlierFile={null} />);
    expect(screen.getByRole("button", { name: "Add 2 transactions" })).toBeEnabled();
  });

  test("a file is looked up until the last of its rows is removed", async () => {
    const onFileHash = vi.fn();
    const { user } = renderGrid({
      onFileHash,
      readFile: async () => ({
        parse: { isOk: true, rows: [fileRow("Payroll", "10")] },
        fileHash: "hash",
      }),
    });
    await pickFile(user);
    await screen.findByText(/november\.csv: 1 row read\./);
    expect(onFileHash).toHaveBeenLastCalledWith("hash");
    await user.click(screen.getByRole("button", { name: "Add row" }));
    await user.click(screen.getByRole("button", { name: "Remove row 1" }));
    expect(onFileHash).toHaveBeenLastCalledWith(null);
    expect(screen.queryByText(/november\.csv/)).toBeNull();
  });

  test("a file that cannot be read changes nothing", async () => {
    const { user } = renderGrid({
      readFile: async () => ({ parse: { isOk: false, problem: "the file is empty" } }),
    });
    await pickFile(user);
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Failed to parse CSV file: the file is empty",
    );
    expect(screen.getByRole("button", { name: "Add 1 transaction" })).toBeEnabled();
  });

  test("after a file that cannot be read, the earlier one's rows are said to be still there", async () => {
    const readFile = vi
      .fn<TransactionGridProps["readFile"]>()
      .mockResolvedValueOnce({
        parse: { isOk: true, rows: [fileRow("Payroll", "10")] },
        fileHash: "hash",
      })
      .mockResolvedValueOnce({ parse: { isOk: false, problem: "the file is empty" } })
      .mockResolvedValueOnce({ parse: { isOk: true, rows: [fileRow("Rent", "20")] } });
    const { user } = renderGrid({ readFile });
    await pickFile(user);
    expect(await screen.findByText(/november\.csv: 1 row read\./)).toBeVisible();
    expect(screen.queryByText("Its rows are still in the list.")).toBeNull();
    await pickFile(user);
    expect(await screen.findByText("Its rows are still in the list.")).toBeVisible();
    await pickFile(user);
    expect(await screen.findByDisplayValue("Rent")).toBeVisible();
    expect(screen.queryByText("Its rows are still in the list.")).toBeNull();
  });

  test("the same file again must be confirmed, and any other one anew", async () => {
    const { user } = renderGrid({
      readFile: async () => ({ parse: { isOk: true, rows: [fileRow("Rent", "5.00")] } }),
      earlierFile: { isWaiting: false, at: Date.UTC(2026, 10, 20, 14), count: 3 },
    });
    expect(screen.getByText(/This file was already added on Nov 20, 2026/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Add 1 transaction" })).toBeDisabled();
    await user.click(screen.getByRole("checkbox", { name: "Add these rows again" }));
    expect(screen.getByRole("button", { name: "Add 1 transaction" })).toBeEnabled();
    await pickFile(user);
    expect(screen.getByRole("checkbox", { name: "Add these rows again" })).not.toBeChecked();
    expect(screen.getByRole("button", { name: "Add 1 transaction" })).toBeDisabled();
  });

  test("a file that waits for a second administrator is said to wait", () => {
    renderGrid({ earlierFile: { isWaiting: true, at: Date.UTC(2026, 10, 20, 14), count: 1 } });
    const waits =
      /This file is already waiting for a second administrator, requested on Nov 20, 2026.*\(1 row\)/;
    expect(screen.getByText(waits)).toBeVisible();
  });

  test("rows that were added after the page was left are not offered again", async () => {
    let answer: (cause: string | null) => void = () => undefined;
    const onAdd = () => new Promise<string | null>((resolve) => (answer = resolve));
    const first = renderGrid({ onAdd });
    await fill(first.user, "Row 1 Description", "Bonus");
    await fill(first.user, "Row 1 Amount", "5.00");
    await first.user.click(screen.getByRole("button", { name: "Add 1 transaction" }));
    first.unmount();
    answer(null);
    await Promise.resolve();
    renderGrid();
    expect(screen.getByLabelText("Row 1 Description")).toHaveValue("");
  });

  test("success is said in the specification's words", () => {
    renderGrid({ done: TEXTS.transactionsAdded });
    expect(screen.getByText("Transactions added successfully!")).toBeVisible();
  });
});
