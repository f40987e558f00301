import { screen, within, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { ExternalDetailsForm } from "../../../src/features/transfers/external/ExternalDetailsForm";
import { InternalTransferForm } from "../../../src/features/transfers/internal/InternalTransferForm";
import { InternationalDetailsForm } from "../../../src/features/transfers/international/InternationalDetailsForm";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { click, expectAlert, props } from "./formSupport";

/** Pastes into a field: one event for the whole text. */
async function paste(user: UserEvent, label: string, text: string): Promise<void> {
  await user.clear(screen.getByLabelText(label));
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
}

/** The list of countries is long and jsdom draws all of it. */
const LONG_TEST_MS = 30_000;

describe("Between Accounts", () => {
  test("refuses in the specification's order and sends nothing", async () => {
    const given = props();
    const { user } = renderFeature(<InternalTransferForm {...given} />);
    await user.click(click("Transfer"));
    await expectAlert("Please fill in all fields");
    expect(screen.getByLabelText("Amount")).toHaveFocus();
    await user.type(screen.getByLabelText("Amount"), "0");
    await user.type(screen.getByLabelText("Reference"), "Rent");
    await user.selectOptions(screen.getByLabelText("To Account"), "Checking");
    await user.click(click("Transfer"));
    await expectAlert("Cannot transfer to the same account");
    await user.selectOptions(screen.getByLabelText("To Account"), "Savings");
    await user.click(click("Transfer"));
    await expectAlert("Please enter a valid amount");
    await user.clear(screen.getByLabelText("Amount"));
    await user.type(screen.getByLabelText("Amount"), "12480.56");
    await user.click(click(/^Transfer \$12,480\.56$/));
    await expectAlert("Insufficient funds");
    expect(screen.getByLabelText("Amount")).toHaveAccessibleDescription(/Insufficient funds/);
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  test("behind a closed gate any amount is sent, so that the gate is what refuses it", async () => {
    const given = { ...props(), isGateClosed: true };
    const { user } = renderFeature(<InternalTransferForm {...given} />);
    await paste(user, "Amount", "99999");
    await paste(user, "Reference", "Rent");
    await user.click(click(/^Transfer/));
    await waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce());
  });

  test("says what it leaves, carries the amount on the button and sends whole cents", async () => {
    const given = props();
    const { user } = renderFeature(<InternalTransferForm {...given} />);
    await user.type(screen.getByLabelText("Amount"), "500");
    await user.type(screen.getByLabelText("Reference"), "November savings");
    expect(screen.getByText("Leaves $11,980.55 available in Checking")).toBeVisible();
    await user.click(click("Transfer $500.00"));
    expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
      fromAccount: "Checking",
      toAccount: "Savings",
      amountCents: 50_000n,
      reference: "November savings",
    });
  });

  test("promises no more than the balance covers where staff set a higher available amount", async () => {
    const given = {
      ...props(),
      accounts: [
        { type: "Checking", availableCents: 50_000n, balanceCents: 10_000n },
        { type: "Savings", availableCents: 0n, balanceCents: 0n },
      ] as const,
    };
    const { user } = renderFeature(<InternalTransferForm {...given} />);
    expect(screen.getByLabelText("From Account")).toHaveTextContent("Checking, $500.00 available");
    await paste(user, "Reference", "Rent");
    await paste(user, "Amount", "100.01");
    expect(screen.getByText("The balance of Checking is only $100.00")).toBeVisible();
    await user.click(click(/^Transfer/));
    await expectAlert("Insufficient funds");
    await paste(user, "Amount", "100");
    expect(screen.getByText("Leaves $400.00 available in Checking")).toBeVisible();
    await user.click(click(/^Transfer/));
    expect(given.onSubmit).toHaveBeenCalledOnce();
  });

  test("refuses a reference that is too long at its field instead of cutting it", async () => {
    const given = props();
    const { user } = renderFeature(<InternalTransferForm {...given} />);
    await paste(user, "Amount", "5");
    await paste(user, "Reference", "x".repeat(201));
    await user.click(click("Transfer $5.00"));
    await expectAlert("Please remove unusual characters or shorten the text");
    expect(screen.getByLabelText("Reference")).toHaveAccessibleDescription(/shorten the text/);
    expect(screen.getByLabelText("Reference")).toHaveValue("x".repeat(201));
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  test("swaps the accounts", async () => {
    const { user } = renderFeature(<InternalTransferForm {...props()} />);
    await user.click(click("Swap accounts"));
    expect(screen.getByLabelText("From Account")).toHaveValue("Savings");
    expect(screen.getByLabelText("To Account")).toHaveValue("Checking");
  });

  test("keeps what was typed for a form that comes back, and empties after success", async () => {
    const given = props();
    const { user, unmount } = renderFeature(<InternalTransferForm {...given} />);
    await user.type(screen.getByLabelText("Reference"), "Rent");
    unmount();
    const done = { ...given, onSubmit: vi.fn(async () => true) };
    const second = renderFeature(<InternalTransferForm {...done} />);
    expect(screen.getByLabelText("Reference")).toHaveValue("Rent");
    await second.user.type(screen.getByLabelText("Amount"), "5");
    await second.user.click(click("Transfer $5.00"));
    expect(screen.getByLabelText("Reference")).toHaveValue("");
    expect(screen.getByLabelText("Amount")).toHaveValue("");
  });

  test("shows the server's refusal until the next edit, and says why money cannot move", async () => {
    const given = props();
    const refusal = { code: "INSUFFICIENT_FUNDS", message: "Insufficient funds" } as const;
    const { user, rerender } = renderFeature(
      <InternalTransferForm {...given} refusal={refusal} disabledReason="You're offline." />,
    );
    await expectAlert("Insufficient funds");
    expect(click("Transfer")).toBeDisabled();
    expect(screen.getByText("You're offline.")).toBeVisible();
    await user.type(screen.getByLabelText("Amount"), "1");
    expect(given.onEdit).toHaveBeenCalled();
    rerender(<InternalTransferForm {...given} />);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("Enter in the amount: the refusal stays when the field is left", async () => {
    const { user } = renderFeature(<InternalTransferForm {...props()} />);
    await user.type(screen.getByLabelText("Reference"), "Rent");
    await user.type(screen.getByLabelText("Amount"), "99999{Enter}");
    await expectAlert("Insufficient funds");
    await user.tab();
    expect(screen.getByLabelText("Amount")).toHaveValue("99999.00");
    expect(screen.getByRole("alert")).toHaveTextContent("Insufficient funds");
  });

  test("has no violations, also while refused", async () => {
    const { user } = renderFeature(<InternalTransferForm {...props()} />);
    await user.click(click("Transfer"));
    await expectNoAxeViolations();
  });
});

describe("To US Bank", () => {
  test("choosing a bank fills the routing number, and account numbers of 7 or 18 digits are refused", async () => {
    const given = props();
    const { user } = renderFeature(<ExternalDetailsForm {...given} />);
    const bank = screen.getByLabelText("Bank");
    expect(within(bank).getAllByRole("option")).toHaveLength(11);
    await user.selectOptions(bank, "Cedar Point Trust");
    expect(screen.getByLabelText("Routing Number")).toHaveValue("990030397");
    await paste(user, "Account Holder Name", "Dana Whitfield");
    await paste(user, "Amount", "25");
    await paste(user, "Reference", "Loan");
    for (const digits of ["1234567", "123456789012345678"]) {
      await paste(user, "Account Number", digits);
      await user.click(click("Continue"));
      await expectAlert("Please enter a valid account number");
      expect(screen.getByRole("alert").nextSibling).toHaveTextContent(/^From Account/);
    }
    await paste(user, "Account Number", "12\u200b34 56\u00ad78");
    expect(screen.getByLabelText("Account Number")).toHaveValue("12345678");
    await user.click(click("Continue"));
    expect(given.onSubmit).toHaveBeenCalledOnce();
  });

  test("a pasted routing number keeps all of its digits, whatever blanks are in it", async () => {
    const { user } = renderFeature(<ExternalDetailsForm {...props()} />);
    await paste(user, "Routing Number", " 0210 0002 1");
    expect(screen.getByLabelText("Routing Number")).toHaveValue("021000021");
  });
});

describe("International", () => {
  test.each([
    ["DEUTDEFF 500", "DEUTDEFF500", "DEUTDEFF500"],
    ["deut de ff 500", "DEUTDEFF500", "DEUTDEFF500"],
    ["DEUTDEFF5001", "DEUTDEFF5001", "DEUTDEFF500"],
  ])(
    "a SWIFT code takes no twelfth key, and loses nothing of what is pasted: %s",
    async (text, pasted, typed) => {
      const { user } = renderFeature(<InternationalDetailsForm {...props()} />);
      const swift = screen.getByLabelText<HTMLInputElement>("SWIFT/BIC Code");
      await paste(user, "SWIFT/BIC Code", text);
      expect(swift).toHaveValue(pasted);
      await user.clear(swift);
      await user.type(swift, text);
      expect(swift).toHaveValue(typed);
      swift.setSelectionRange(0, 4);
      await user.paste("bank us");
      expect(swift).toHaveValue("BANKUSDEFF500");
    },
  );

  test(
    "shapes what is typed and refuses wrong lengths in a red banner at the top",
    async () => {
      const given = props();
      const { user } = renderFeature(<InternationalDetailsForm {...given} />);
      const swift = screen.getByLabelText("SWIFT/BIC Code");
      await user.click(click("Continue"));
      await expectAlert("Please fill in all fields");
      await paste(user, "Recipient Name", "Ana Lima");
      await paste(user, "Bank Name", "Banco Azul");
      await user.type(swift, "deutdef");
      await user.type(screen.getByLabelText("Account Number"), "DE 8937 04");
      await paste(user, "IBAN", "de89");
      await paste(user, "Amount", "40");
      await paste(user, "Reference", "Gift");
      expect(screen.getByLabelText("Account Number")).toHaveValue("DE893704");
      expect(screen.getByLabelText("IBAN")).toHaveValue("DE89");
      const country = await screen.findByRole("combobox", { name: "Country" });
      await user.type(country, "zzz");
      expect(await screen.findByText("No countries found.")).toBeVisible();
      await user.clear(country);
      await user.type(country, "Portug");
      await user.click(await screen.findByRole("option", { name: "Portugal" }));
      await user.click(click("Continue"));
      await expectAlert("Invalid SWIFT/BIC code");
      await user.type(swift, "f");
      expect(swift).toHaveValue("DEUTDEFF");
      await paste(user, "Account Number", "1234567");
      await user.click(click("Continue"));
      await expectAlert("Invalid account number");
      await user.type(screen.getByLabelText("Account Number"), "8");
      await user.click(click("Continue"));
      expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
        fromAccount: "Checking",
        recipientName: "Ana Lima",
        bankName: "Banco Azul",
        swiftCode: "DEUTDEFF",
        accountNumber: "12345678",
        iban: "DE89",
        country: "PT",
        currency: "USD",
        amountCents: 4_000n,
        reference: "Gift",
      });
      expect(screen.getByRole("combobox", { name: "Currency" })).toHaveValue("USD - US Dollar");
    },
    LONG_TEST_MS,
  );
});
