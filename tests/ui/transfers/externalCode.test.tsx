import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { ExternalCodeForm } from "../../../src/features/transfers/external/ExternalCodeForm";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const button = (name: string) => screen.getByRole("button", { name });
const expectRefused = () =>
  waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Please enter OTP"));

describe("To US Bank, second step", () => {
  test("asks for a whole code before it sends one, and shows everything with a way back", async () => {
    const onConfirm = vi.fn(async () => false);
    const onBack = vi.fn();
    const { user } = renderFeature(
      <ExternalCodeForm
        details={{
          fromAccount: "Checking",
          toBank: "Cedar Point Trust",
          routingNumber: "990030397",
          accountNumber: "12345678",
          accountName: "Dana Whitfield",
          amountCents: 2_500n,
          reference: "Loan",
        }}
        isBusy={false}
        message={undefined}
        disabledReason={undefined}
        onBack={onBack}
        onConfirm={onConfirm}
      />,
    );
    expect(screen.getByLabelText("Verification code")).toHaveFocus();
    expect(screen.getByRole("form", { name: /^Confirm \$25.00 to Dana / })).toBeVisible();
    expect(screen.getByText("$25.00")).toBeVisible();
    await user.click(button("Confirm Transfer"));
    await expectRefused();
    await user.type(screen.getByLabelText("Verification code"), "12345");
    await user.click(button("Confirm Transfer"));
    await expectRefused();
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText("Verification code"), "12ab3456");
    await user.click(button("Confirm Transfer"));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith("123456");
    expect(screen.getByLabelText("Verification code")).toHaveValue("");
    expect(screen.getByLabelText("Verification code")).toHaveFocus();
    await user.click(button("Change amount"));
    expect(onBack).toHaveBeenCalledOnce();
    await expectNoAxeViolations();
  });
});
