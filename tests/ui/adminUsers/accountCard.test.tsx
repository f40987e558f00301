import { act, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { AccountCard, type AccountCardProps } from "../../../src/features/adminUsers/AccountCard";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const ACCOUNT: AccountCardProps["account"] = {
  _id: "a1",
  type: "Checking",
  accountNumber: "30798312",
  routingNumber: "021000021",
  balanceCents: 98_010n,
  availableCents: 90_000n,
};

async function openEdit(onSave: AccountCardProps["onSave"]) {
  const rendered = renderFeature(<AccountCard account={ACCOUNT} onSave={onSave} done={null} />);
  await rendered.user.click(screen.getByRole("button", { name: "Edit Checking" }));
  return rendered;
}

const change = (account: AccountCardProps["account"], onSave: AccountCardProps["onSave"]) => (
  <AccountCard account={account} onSave={onSave} done={null} />
);

describe("editing an account in place", () => {
  test("an unchanged number of 8 digits is no obstacle to a new balance", async () => {
    const onSave = vi.fn<AccountCardProps["onSave"]>(async () => null);
    const { user } = await openEdit(onSave);
    await expectNoAxeViolations();
    expect(screen.getByLabelText("Available")).toHaveAccessibleDescription(
      "What can be spent. It does not follow the balance.",
    );
    await user.clear(screen.getByLabelText("Balance"));
    await user.paste("1000");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(onSave).toHaveBeenCalledWith("a1", {
      accountNumber: "30798312",
      routingNumber: "021000021",
      balanceCents: 100_000n,
      availableCents: 90_000n,
      expected: {
        accountNumber: "30798312",
        routingNumber: "021000021",
        balanceCents: 98_010n,
        availableCents: 90_000n,
      },
    });
    expect(await screen.findByRole("button", { name: "Edit Checking" })).toBeVisible();
  });

  test("is not kept before anything is typed; its own change is not taken for somebody else's", async () => {
    let answer: (refusal: null) => void = () => undefined;
    const onSave = () => new Promise<null>((resolve) => (answer = resolve));
    const { user, rerender } = await openEdit(onSave);
    expect(sessionStorage).toHaveLength(0);
    await user.clear(screen.getByLabelText("Balance"));
    await user.paste("1000");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    rerender(change({ ...ACCOUNT, balanceCents: 100_000n }, onSave));
    expect(screen.queryByText(/Balance is now/)).toBeNull();
    await act(async () => answer(null));
    expect(screen.getByText("$1,000.00")).toBeVisible();
  });

  test("a number that starts with 0 is refused at its field", async () => {
    const onSave = vi.fn<AccountCardProps["onSave"]>(async () => null);
    const { user } = await openEdit(onSave);
    await user.clear(screen.getByLabelText("Account Number"));
    await user.paste("0123456789");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Account number must be 10 digits and not start with 0",
    );
    expect(screen.getByLabelText("Account Number")).toBeInvalid();
    expect(onSave).not.toHaveBeenCalled();
  });

  test.each([
    ["Balance", "Available"],
    ["Available", "Balance"],
  ])("%s above the largest amount is refused at its own field", async (wrong, right) => {
    const { user } = await openEdit(async () => null);
    await user.clear(screen.getByLabelText(wrong));
    await user.paste("99999999999999");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(screen.getByRole("alert")).toHaveTextContent("Please enter a valid amount");
    expect(screen.getByLabelText(wrong)).toBeInvalid();
    expect(screen.getByLabelText(right)).toBeValid();
    // It stands at the button that was pressed, and leads back to the field.
    const alert = screen.getByRole("alert");
    const place = screen.getByLabelText("Reason").compareDocumentPosition(alert);
    expect(place & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await user.click(screen.getByRole("link", { name: "Please enter a valid amount" }));
    expect(screen.getByLabelText(wrong)).toHaveFocus();
  });

  test("a failure stays in the open form", async () => {
    const { user } = await openEdit(async () => "Failed to update account");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Failed to update account");
    expect(screen.getByLabelText("Balance")).toHaveValue("980.10");
  });

  test("values that change meanwhile stop the save until the admin chose", async () => {
    const onSave = vi.fn<AccountCardProps["onSave"]>(async () => null);
    const { user, rerender } = await openEdit(onSave);
    await user.clear(screen.getByLabelText("Available"));
    await user.paste("5.00");
    rerender(change({ ...ACCOUNT, balanceCents: 50_000n }, onSave));
    expect(screen.getByText(/These values changed while you were editing/)).toBeVisible();
    expect(screen.getByText("Balance is now 500.00")).toBeVisible();
    expect(screen.getByLabelText("Available")).toHaveValue("5.00");
    expect(screen.getByRole("button", { name: "Save changes" })).toBeDisabled();
    screen.getByRole("button", { name: "Use new values" }).focus();
    await user.keyboard("{Enter>3/}");
    expect(screen.getByRole("form", { name: "Edit Checking" })).toHaveFocus();
    expect(onSave, "a held key chooses, and does not save").not.toHaveBeenCalled();
    expect(screen.getByLabelText("Balance")).toHaveValue("500.00");
    expect(screen.getByLabelText("Available")).toHaveValue("900.00");
    expect(screen.getByRole("button", { name: "Save changes" })).toBeEnabled();
  });
});
