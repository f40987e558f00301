import { screen } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TransferSection } from "../../../src/features/transfers/TransferSection";
import { renderWithBackend } from "../../support/renderWithBackend";
import { expectAlert } from "./formSupport";

const ACCOUNTS = [
  { type: "Checking", availableCents: 100n, balanceCents: 100n },
  { type: "Savings", availableCents: 0n, balanceCents: 0n },
] as const;

/** More than there is, from the account without a limit of transfers. */
async function tooMuch(tab: string, texts: Readonly<Record<string, string>>) {
  const send = vi.fn(async () => {
    throw new ConvexError({ code: "ACTIVITY_ALERT", message: MESSAGES.ACTIVITY_ALERT });
  });
  const { user } = renderWithBackend(<TransferSection accounts={ACCOUNTS} />, {
    queries: { "transfers:usage": { used: 0, limit: null } },
    mutations: { "transfers:startExternal": send, "transfers:submit": send },
  });
  await user.click(screen.getByRole("tab", { name: tab }));
  for (const [label, text] of Object.entries(texts)) {
    await user.click(await screen.findByLabelText(label));
    await user.paste(text);
  }
  return { user, send };
}

test("out of the credit union, whatever the amount, it gets the Account Activity Alert", async () => {
  const { user } = await tooMuch("To US Bank", {
    "Account Number": "12345678",
    "Account Holder Name": "June Park",
    Amount: "5000",
    Reference: "Rent",
  });
  await user.selectOptions(screen.getByLabelText("Bank"), "Cedar Point Trust");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Account Activity Alert" });
  expect(dialog).toHaveTextContent(MESSAGES.ACTIVITY_ALERT);
});

test("between its own accounts its funds are what counts", async () => {
  const { user, send } = await tooMuch("Between Accounts", { Amount: "5000", Reference: "Rent" });
  await user.click(screen.getByRole("button", { name: "Transfer $5,000.00" }));
  await expectAlert("Insufficient funds");
  expect(send).not.toHaveBeenCalled();
});
