import { screen } from "@testing-library/react";
import type { FunctionReturnType } from "convex/server";
import { ConvexError } from "convex/values";
import { expect, test, vi } from "vitest";
import type { api } from "../../../convex/_generated/api";
import { MESSAGES, type ErrorCode } from "../../../convex/shared/errors";
import { MS } from "../../../convex/shared/limits";
import { TransferSection } from "../../../src/features/transfers/TransferSection";
import { renderWithBackend } from "../../support/renderWithBackend";
import { expectAlert } from "./formSupport";

const ACCOUNTS = [
  { type: "Checking", availableCents: 100n, balanceCents: 100n },
  { type: "Savings", availableCents: 0n, balanceCents: 0n },
] as const;

type Usage = FunctionReturnType<typeof api.transfers.usage>;

const PROTECTED: Usage = { used: 0, limit: null };
const EXTERNAL = {
  "Account Number": "12345678",
  "Account Holder Name": "June Park",
  Amount: "5000",
  Reference: "Rent",
};

/** Enters more than is available into a tab's form. */
async function tooMuch(
  usage: Usage | undefined,
  refusal: ErrorCode,
  tab: string,
  texts: Readonly<Record<string, string>>,
) {
  const send = vi.fn(async () => {
    throw new ConvexError({ code: refusal, message: MESSAGES[refusal] });
  });
  const { user } = renderWithBackend(<TransferSection accounts={ACCOUNTS} />, {
    queries: { "transfers:usage": usage },
    mutations: { "transfers:startExternal": send, "transfers:submit": send },
  });
  await user.click(screen.getByRole("tab", { name: tab }));
  for (const [label, text] of Object.entries(texts)) {
    await user.click(await screen.findByLabelText(label));
    await user.paste(text);
  }
  return { user, send };
}

test.each([
  ["the protected account", PROTECTED, "ACTIVITY_ALERT", "Account Activity Alert"],
  [
    "a restricted member",
    { used: 0, limit: 2, restriction: {} },
    "ACCOUNT_LOCKED",
    "Transaction Denied",
  ],
  [
    "a member without a transfer left",
    { used: 2, limit: 2 },
    "TRANSFER_BLOCKED",
    "Transaction Blocked",
  ],
  [
    "a member restricted until tomorrow",
    { used: 1, limit: 2, restriction: { expiresAt: Date.now() + MS.DAY_MS } },
    "ACCOUNT_LOCKED",
    "Transaction Denied",
  ],
] as const)(
  "out of the credit union, whatever the amount, %s is told of the gate and not of the funds",
  async (_who, usage, refusal, title) => {
    const { user } = await tooMuch(usage, refusal, "To US Bank", EXTERNAL);
    await user.selectOptions(screen.getByLabelText("Bank"), "Cedar Point Trust");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    const dialog = await screen.findByRole("alertdialog", { name: title });
    expect(dialog).toHaveTextContent(MESSAGES[refusal]);
  },
);

test("a restriction whose time is over does not matter any more: the funds do", async () => {
  const usage = { used: 0, limit: 2, restriction: { expiresAt: Date.now() } };
  const { user, send } = await tooMuch(usage, "INSUFFICIENT_FUNDS", "To US Bank", EXTERNAL);
  await user.selectOptions(screen.getByLabelText("Bank"), "Cedar Point Trust");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await expectAlert("Insufficient funds");
  expect(send).not.toHaveBeenCalled();
});

test.each([
  ["the protected account", PROTECTED],
  ["a restricted member", { used: 0, limit: 2, restriction: {} }],
  ["a member whose count is still being loaded", undefined],
] as const)("between own accounts the funds of %s are what counts", async (_who, usage) => {
  const texts = { Amount: "5000", Reference: "Rent" };
  const { user, send } = await tooMuch(usage, "TRANSFER_FAILED", "Between Accounts", texts);
  await user.click(screen.getByRole("button", { name: "Transfer $5,000.00" }));
  await expectAlert("Insufficient funds");
  expect(send).not.toHaveBeenCalled();
});

test("a count from before there was a limit shows as all of it", async () => {
  await tooMuch({ used: 7, limit: 2 }, "TRANSFER_BLOCKED", "Between Accounts", {});
  expect(screen.getByText("2 of 2 transfers used")).toBeInTheDocument();
});
