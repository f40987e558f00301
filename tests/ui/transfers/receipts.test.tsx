import { act, screen } from "@testing-library/react";
import { createRef } from "react";
import { describe, expect, test, vi } from "vitest";
import type { Receipt } from "../../../convex/shared/answers";
import { appError } from "../../../convex/shared/errors";
import { InternalTransfer } from "../../../src/features/transfers/internal/InternalTransfer";
import { InternationalTransfer } from "../../../src/features/transfers/international/InternationalTransfer";
import { SentLine } from "../../../src/features/transfers/SentLine";
import { TransferSection } from "../../../src/features/transfers/TransferSection";
import { hasDraft, writeDraft } from "../../../src/lib/drafts";
import { UserTransfer } from "../../../src/features/transfers/user/UserTransfer";
import { renderFeature } from "../../support/renderFeature";
import { renderWithBackend } from "../../support/renderWithBackend";
import { expectAlert } from "./formSupport";

const ACCOUNTS = [
  { type: "Checking", availableCents: 100_000n, balanceCents: 100_000n },
  { type: "Savings", availableCents: 0n, balanceCents: 0n },
] as const;

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

const button = (name: string) => screen.getByRole("button", { name });

test.each([
  ["Between Accounts", InternalTransfer, "Transfer $25.00", { toAccount: "Savings" }],
  ["To another user", UserTransfer, "Send Money", { shownName: "Omar Haddad" }],
] as const)(
  "%s: what is shown is sent; another transfer starts at the form's first field",
  async (_, Panel, send, to) => {
    const submit = vi.fn(async () => RECEIPT);
    const { user } = renderWithBackend(<Panel accounts={ACCOUNTS} isGateClosed={false} />, {
      mutations: {
        "transfers:submit": submit,
        "transfers:findRecipient": async () => ({ name: "Omar Haddad" }),
      },
    });
    const recipient = screen.queryByLabelText("Recipient Email");
    if (recipient !== null) await user.type(recipient, "omar@demo.example");
    await user.type(screen.getByLabelText("Amount"), "25");
    await user.type(screen.getByLabelText("Reference"), "Rent");
    await user.click(button(send));
    expect(await screen.findByRole("heading", { name: "$25.00 sent to Savings" })).toHaveFocus();
    expect(submit).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(to));
    await user.click(button("Make another transfer"));
    expect(screen.getByLabelText("From Account")).toHaveFocus();
  },
);

test("International: once sent, the line that says so has the focus; the form is empty, and stays so after a reload", async () => {
  const typed = {
    recipientName: "Ana Lima",
    bankName: "Banco Azul",
    swiftCode: "DEUTDEFF",
    accountNumber: "12345678",
    country: "PT",
    amount: "25",
    reference: "Gift",
  };
  writeDraft("transfer-international", typed);
  const submit = vi.fn(async () => RECEIPT).mockRejectedValueOnce(appError("INSUFFICIENT_FUNDS"));
  const { user } = renderWithBackend(
    <InternationalTransfer accounts={ACCOUNTS} isGateClosed={false} />,
    { mutations: { "transfers:submit": submit } },
  );
  await user.click(button("Continue"));
  await screen.findByRole("heading", { name: "Review your transfer" });
  await user.click(button("Continue"));
  await user.click(button("Confirm Transfer"));
  await expectAlert("Insufficient funds");
  // A refusal is not said again of what may be another transfer by then.
  await user.click(button("Back"));
  await user.click(button("Continue"));
  expect(screen.queryByText("Insufficient funds")).toBeNull();
  await user.click(button("Confirm Transfer"));
  expect(await screen.findByLabelText("Recipient Name")).toHaveValue("");
  expect(hasDraft("transfer-international")).toBe(false);
  const sent = screen.getByText("Sent $25.00 to Savings");
  expect(sent.closest("[tabindex]")).toHaveFocus();
});

describe("a tab that is left while it sends", () => {
  /** The section with 25 dollars on their way between own accounts, left for the tab "To US Bank". */
  async function leave() {
    let answer: (receipt: Receipt) => void = () => undefined;
    const { user } = renderWithBackend(<TransferSection accounts={ACCOUNTS} />, {
      mutations: { "transfers:submit": () => new Promise((resolve) => (answer = resolve)) },
    });
    await user.type(await screen.findByLabelText("Amount"), "25");
    await user.type(screen.getByLabelText("Reference"), "Rent");
    await user.click(button("Transfer $25.00"));
    await screen.findByRole("button", { name: "Transferring..." });
    const open = (name: string) => user.click(screen.getByRole("tab", { name }));
    await open("To US Bank");
    return { user, open, answer: () => act(async () => answer(RECEIPT)) };
  }

  test("is still sending when the member comes back, and shows its receipt then", async () => {
    const { open, answer } = await leave();
    await open("Between Accounts");
    expect(button("Transferring...")).toBeVisible();
    await answer();
    expect(screen.getByRole("heading", { name: "$25.00 sent to Savings" })).toBeVisible();
  });

  test("keeps its receipt for when the member comes back, and no longer", async () => {
    const { user, open, answer } = await leave();
    await answer();
    expect(screen.queryByRole("heading", { name: /sent to/ })).toBeNull();
    await open("International");
    await open("Between Accounts");
    expect(screen.getByRole("heading", { name: "$25.00 sent to Savings" })).toBeVisible();
    await user.click(button("Make another transfer"));
    expect(screen.getByLabelText("Amount")).toHaveValue("");
    await user.type(screen.getByLabelText("Reference"), "Next");
    await open("To US Bank");
    expect(screen.getAllByLabelText("Reference")).toHaveLength(1);
  });
});

test("a tab that was chosen is still shown after a reload, with what was typed into it", async () => {
  const before = renderWithBackend(<TransferSection accounts={ACCOUNTS} />, {});
  await before.user.click(screen.getByRole("tab", { name: "International" }));
  await before.user.type(await screen.findByLabelText("Recipient Name"), "Ana Lima");
  before.unmount();
  renderWithBackend(<TransferSection accounts={ACCOUNTS} />, {});
  expect(screen.getByRole("tab", { selected: true })).toHaveAccessibleName("International");
  expect(await screen.findByLabelText("Recipient Name")).toHaveValue("Ana Lima");
});

test("a receipt above the form gives the focus back to the button that opened it", async () => {
  const { user } = renderFeature(<SentLine receipt={RECEIPT} line={createRef<HTMLDivElement>()} />);
  await user.click(button("View receipt"));
  await user.click(button("Close receipt"));
  expect(button("View receipt")).toHaveFocus();
});

test("opening and closing a receipt changes nothing of what was announced", async () => {
  const { user } = renderFeature(<SentLine receipt={RECEIPT} line={createRef<HTMLDivElement>()} />);
  const status = screen.getByText("Sent $25.00 to Savings").closest("[role=status]")!;
  const onChange = vi.fn();
  const observer = new MutationObserver(onChange);
  observer.observe(status, { childList: true, characterData: true, subtree: true });
  await user.click(button("View receipt"));
  await user.click(button("Close receipt"));
  expect(observer.takeRecords()).toEqual([]);
  expect(onChange).not.toHaveBeenCalled();
});
