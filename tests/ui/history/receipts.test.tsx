import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { HistoryRow, Receipt } from "../../../convex/shared/answers";
import { History } from "../../../src/features/history/History";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const RECEIPT: Receipt = {
  transferId: "abcdefghijklmnopqrstuvwxyz012345" as Receipt["transferId"],
  transferType: "internal",
  amountCents: 2_500n,
  fromAccount: "Checking",
  toLabel: "Savings",
  reference: "Rent",
  createdAt: 0,
  availableCents: 97_500n,
};

const row = (description: string, changes: Partial<HistoryRow> = {}): HistoryRow => ({
  _id: description as HistoryRow["_id"],
  accountType: "Checking",
  type: "debit",
  amountCents: 2_500n,
  description,
  category: "Transfer",
  status: "Completed",
  date: 0,
  ...changes,
});

const TO_SAVINGS = "Receipt, Transfer to Savings, $25.00";

const show = () => {
  fakeServer.queries["transactions:history"] = [
    row("Transfer to Savings", { transferId: RECEIPT.transferId }),
    row("Transfer from Checking", { type: "credit", accountType: "Savings" }),
    row("Gas bill"),
  ];
  return renderFeature(<History />, "/transactions");
};

const opened = async ({ user }: ReturnType<typeof show>) => {
  await user.click(screen.getByRole("button", { name: TO_SAVINGS }));
  return screen.findByRole("dialog", { name: "Transfer receipt" });
};

beforeEach(() => {
  fakeServer.queries = {};
});

test("only a row that names its transfer has a receipt", () => {
  show();
  const receipts = screen.getAllByRole("button", { name: /^Receipt/ });
  expect(receipts.map((button) => button.getAttribute("aria-label"))).toEqual([TO_SAVINGS]);
});

test("a receipt opens again, says of when its balance is, prints, and gives the focus back", async () => {
  fakeServer.queries["transfers:receipt"] = RECEIPT;
  const shown = show();
  const dialog = await opened(shown);
  expect(dialog).toHaveTextContent("$25.00 sent to Savings");
  expect(dialog).toHaveTextContent("Available in Checking afterwards$975.00");
  expect(within(dialog).getByRole("status")).toBeEmptyDOMElement();
  await expectNoAxeViolations(dialog);
  const printed = vi.spyOn(window, "print").mockImplementation(() => {
    expect(document.querySelector("[data-printable]")).toHaveTextContent("Receipt number");
  });
  await shown.user.click(screen.getByRole("button", { name: "Print receipt" }));
  expect(printed).toHaveBeenCalledOnce();
  await shown.user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.getByRole("button", { name: TO_SAVINGS })).toHaveFocus();
});

test("nothing can be printed before the receipt has arrived, or when there is none", async () => {
  const shown = show();
  const dialog = await opened(shown);
  expect(dialog.querySelector("[aria-busy=true]")).toBeVisible();
  expect(screen.getByRole("button", { name: "Print receipt" })).toBeDisabled();
  fakeServer.queries["transfers:receipt"] = null;
  shown.rerender(<History />);
  expect(dialog).toHaveTextContent("This receipt is no longer available.");
  expect(screen.queryByRole("button", { name: "Print receipt" })).toBeNull();
});
