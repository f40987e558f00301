import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { BatchList } from "../../../src/features/adminTransactions/BatchList";
import {
  TransactionTable,
  type AdminTransaction,
} from "../../../src/features/adminTransactions/TransactionTable";
import { idOf } from "../../support/ids";
import { renderFeature } from "../../support/renderFeature";

const rowOf = (description: string): AdminTransaction => ({
  _id: idOf(description),
  accountType: "Checking",
  type: "debit",
  amountCents: 6_418n,
  description,
  category: "Food",
  status: "Completed",
  date: 0,
  isPosted: true,
  isDeleted: false,
});

function Table({ elsewhere = [] }: { elsewhere?: readonly string[] }) {
  const [rows, setRows] = useState(["Rent", "Market", "Cinema", "Fuel"].map(rowOf));
  return (
    <TransactionTable
      rows={rows.filter(({ _id }) => !elsewhere.includes(_id))}
      status="Exhausted"
      onLoadMore={() => undefined}
      onDelete={async (id) => setRows((before) => before.filter(({ _id }) => _id !== id))}
      isDeleting={false}
      failure={null}
      done={null}
    />
  );
}

beforeEach(() => {
  // Each row of a table is drawn twice, and styles, which jsdom does not apply, hide one of the two.
  vi.spyOn(Element.prototype, "checkVisibility").mockImplementation(function (this: Element) {
    return this.closest("table") !== null || screen.queryByRole("table") === null;
  });
});

test("what is deleted is said with its sign, and then the next row's button has the focus", async () => {
  const { user } = renderFeature(<Table />);
  const table = screen.getByRole("table");
  await user.click(within(table).getByRole("button", { name: "Delete Market" }));
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveAccessibleDescription(/^Market, -\$64\.18, /);
  await user.click(await screen.findByRole("button", { name: "Delete transaction" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName("Delete Cinema"));
});

test("after a deletion that was given up, the same button", async () => {
  const { user } = renderFeature(<Table />);
  const button = within(screen.getByRole("table")).getByRole("button", { name: "Delete Market" });
  await user.click(button);
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(button).toHaveFocus());
});

test("a row that somebody else deletes hands its focus to the one in its place, in the end to the list", () => {
  const { rerender } = renderFeature(<Table />);
  const table = screen.getByRole("table");
  within(table).getByRole("button", { name: "Delete Market" }).focus();
  rerender(<Table elsewhere={["Rent"]} />);
  expect(document.activeElement).toHaveAccessibleName("Delete Market");
  rerender(<Table elsewhere={["Rent", "Market"]} />);
  expect(document.activeElement).toHaveAccessibleName("Delete Cinema");
  rerender(<Table elsewhere={["Rent", "Market", "Cinema", "Fuel"]} />);
  expect(document.activeElement).not.toBe(document.body);
});

test("a focus that is elsewhere, or nowhere, stays there", () => {
  const { rerender } = renderFeature(<Table />);
  rerender(<Table elsewhere={["Rent"]} />);
  expect(document.body).toHaveFocus();
});

function Batches() {
  const [removedId, setRemovedId] = useState("");
  return (
    <BatchList
      batches={["b1", "b2"].map((batchId, index) => ({
        batchId: idOf(batchId),
        count: index + 2,
        createdAt: 0,
        createdBy: "admin@demo.example",
        updateBalance: true,
        isRemoved: batchId === removedId,
      }))}
      onTakeBack={async (batchId) => setRemovedId(batchId)}
      isBusy={false}
      failure={null}
      done={null}
    />
  );
}

test("after a batch was taken back the next one's button has the focus", async () => {
  const { user } = renderFeature(<Batches />);
  await user.click(screen.getByRole("button", { name: /^Take back 2/ }));
  const dialog = await screen.findByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Take back" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName(/^Take back 3/));
  // What was taken back before is not what this is about.
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("alertdialog")).not.toHaveTextContent("in the meantime");
});
