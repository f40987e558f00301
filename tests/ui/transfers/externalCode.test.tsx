import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { Receipt } from "../../../convex/shared/answers";
import { appError } from "../../../convex/shared/errors";
import { ExternalCodeForm } from "../../../src/features/transfers/external/ExternalCodeForm";
import { ExternalTransfer } from "../../../src/features/transfers/external/ExternalTransfer";
import { ConfirmStep } from "../../../src/features/transfers/international/ReviewSteps";
import {
  expectNoAxeViolations,
  renderFeature,
  type RenderedFeature,
} from "../../support/renderFeature";
import { renderWithBackend } from "../../support/renderWithBackend";

const button = (name: string) => screen.getByRole("button", { name });
const expectRefused = () =>
  waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Please enter OTP"));

const PROPS = {
  details: {
    fromAccount: "Checking",
    toBank: "Cedar Point Trust",
    routingNumber: "990030397",
    accountNumber: "12345678",
    accountName: "Dana Whitfield",
    amountCents: 2_500n,
    reference: "Loan",
  },
  expiresAt: Date.UTC(2026, 10, 20, 14, 46, 59),
  isBusy: false,
  message: undefined,
  attemptsLeft: undefined,
  disabledReason: undefined,
  onBack: () => undefined,
  onConfirm: async () => false,
} as const;

type StartExternal = (
  args: Record<string, unknown>,
) => Promise<{ pendingId: string; expiresAt: number; receipt?: Receipt }>;

const RECEIPT: Receipt = {
  transferId: "t" as Receipt["transferId"],
  transferType: "external",
  amountCents: 2_500n,
  fromAccount: "Checking",
  toLabel: "Dana Whitfield, Cedar Point Trust",
  reference: "Loan",
  createdAt: 5,
  availableCents: 97_500n,
};

describe("To US Bank, second step", () => {
  test("asks for a whole code before it sends one, and shows everything with a way back", async () => {
    const onConfirm = vi.fn(async () => false);
    const onBack = vi.fn();
    const { user } = renderFeature(
      <ExternalCodeForm {...PROPS} onBack={onBack} onConfirm={onConfirm} />,
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

  test("says until when the transfer waits for its code, without a line's end within the time", () => {
    renderFeature(<ExternalCodeForm {...PROPS} />);
    const note = screen.getByText(/waits 5 minutes, until 9:46 AM ET\.$/);
    expect(note).toBeVisible();
    expect(note.textContent).toContain("9:46\u00a0AM\u00a0ET");
  });

  test("there is no way back while the code is being confirmed", () => {
    renderFeature(<ExternalCodeForm {...PROPS} isBusy />);
    const ways = screen.getAllByRole("button", { name: /^(Back|Change .*)$/ });
    expect(ways).toHaveLength(7);
    for (const way of ways) expect(way).toBeDisabled();
  });

  /** Goes through the first step. */
  async function fillIn(user: RenderedFeature["user"]) {
    await user.selectOptions(screen.getByLabelText("Bank"), "Cedar Point Trust");
    await user.type(screen.getByLabelText("Account Number"), "12345678");
    await user.type(screen.getByLabelText("Account Holder Name"), "Dana Whitfield");
    await user.type(screen.getByLabelText("Amount"), "25");
    await user.type(screen.getByLabelText("Reference"), "Loan");
    await user.click(button("Continue"));
  }

  /** Goes through both steps, with the server's response to the code. */
  async function confirmed(confirmExternal: () => Promise<unknown>) {
    const startExternal = vi.fn<StartExternal>(async () => ({ pendingId: "p", expiresAt: 5 }));
    const { user } = renderWithBackend(
      <ExternalTransfer
        accounts={[{ type: "Checking", availableCents: 100_000n, balanceCents: 100_000n }]}
        isGateClosed={false}
      />,
      {
        mutations: {
          "transfers:startExternal": startExternal,
          "transfers:confirmExternal": confirmExternal,
        },
      },
    );
    await fillIn(user);
    await user.type(await screen.findByLabelText("Verification code"), "123456");
    await user.click(button("Confirm Transfer"));
    const keys = () => startExternal.mock.calls.map(([{ requestKey }]) => requestKey);
    return { user, keys, startExternal };
  }

  test.each([
    ["refusal of one transfer's code", /expired/, () => Promise.reject(appError("STEP_EXPIRED"))],
    [
      "word on one transfer's wrong code",
      /Invalid code/,
      async () => ({ ok: false, message: "Invalid code" }),
    ],
  ])("the %s does not stand at the next one's", async (_what, sentence, answer) => {
    const { user } = await confirmed(answer);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(sentence));
    await user.click(button("Back"));
    await user.click(button("Continue"));
    await screen.findByLabelText("Verification code");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test.each([
    ["stays when it was never judged", appError("OFFLINE"), "123456"],
    ["stays when the server could not say", new Error("Server Error"), "123456"],
    ["goes when it was", appError("STEP_EXPIRED"), ""],
  ] as const)("a code %s", async (_what, error, left) => {
    await confirmed(() => Promise.reject(error));
    await screen.findByRole("alert");
    await waitFor(() => expect(screen.getByLabelText("Verification code")).toHaveFocus());
    expect(screen.getByLabelText("Verification code")).toHaveValue(left);
  });

  test("says how many wrong codes it takes until the session ends", async () => {
    await confirmed(async () => ({ ok: false, message: "Invalid OTP", attemptsLeft: 1 }));
    await waitFor(() =>
      expect(screen.getByLabelText("Verification code")).toHaveAccessibleDescription(
        /^1 attempt left, then you are signed out\./,
      ),
    );
  });

  test("a way back leads to the field to be changed, or to the first one", async () => {
    const { user } = await confirmed(async () => {
      throw appError("STEP_EXPIRED");
    });
    await screen.findByRole("alert");
    await user.click(button("Change reference"));
    expect(screen.getByLabelText("Reference")).toHaveFocus();
    await user.click(button("Continue"));
    await screen.findByLabelText("Verification code");
    await user.click(button("Back"));
    expect(screen.getByLabelText("From Account")).toHaveFocus();
  });

  test("after a refusal in a dialog, the focus is in the details", async () => {
    const { user } = await confirmed(async () => {
      throw appError("ACCOUNT_LOCKED");
    });
    await screen.findByRole("alertdialog", { name: "Transaction Denied" });
    await user.click(button("Close"));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(screen.getByLabelText("From Account")).toHaveFocus();
  });

  test("what had no answer is the same transfer when its details are sent again", async () => {
    const { user, keys } = await confirmed(async () => {
      throw new Error("the connection broke");
    });
    await screen.findByRole("alert");
    await user.click(button("Back"));
    await user.click(button("Continue"));
    await screen.findByLabelText("Verification code");
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  test("what was executed without an answer asks for no other code when its details are sent again", async () => {
    const { user, startExternal } = await confirmed(async () => {
      throw new Error("the connection broke");
    });
    await screen.findByRole("alert");
    await user.click(button("Back"));
    startExternal.mockResolvedValue({ pendingId: "p", expiresAt: 5, receipt: RECEIPT });
    await user.click(button("Continue"));
    expect(await screen.findByRole("dialog", { name: "Transfer successful" })).toBeVisible();
    expect(screen.queryByLabelText("Verification code")).toBeNull();
    expect(screen.getByLabelText("Amount")).toHaveValue("");
    expect(sessionStorage.getItem("draft:transfer-external")).toBeNull();
  });

  test("once executed, the form is empty, and the same details are another transfer", async () => {
    const { user, keys } = await confirmed(async () => RECEIPT);
    await screen.findByRole("dialog", { name: "Transfer successful" });
    expect(sessionStorage.getItem("draft:transfer-external")).toBeNull();
    await user.click(button("Close"));
    await fillIn(user);
    await screen.findByLabelText("Verification code");
    expect(new Set(keys()).size).toBe(2);
  });
});

test("an international transfer has no way back while it is being sent", () => {
  renderFeature(
    <ConfirmStep
      command={{
        fromAccount: "Checking",
        recipientName: "Ana Lima",
        bankName: "Banco Azul",
        swiftCode: "DEUTDEFF",
        accountNumber: "12345678",
        country: "PT",
        currency: "USD",
        amountCents: 4_000n,
        reference: "Gift",
      }}
      isBusy
      message={undefined}
      disabledReason="You're offline."
      onBack={() => undefined}
      onConfirm={() => undefined}
    />,
  );
  expect(button("Back")).toBeDisabled();
  expect(button("Sending...")).toBeDisabled();
  expect(screen.getByText("You're offline.")).toBeVisible();
});
