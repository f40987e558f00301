import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { FindRecipient } from "../../../src/features/transfers/user/useRecipient";
import { UserTransferForm } from "../../../src/features/transfers/user/UserTransferForm";
import { renderFeature } from "../../support/renderFeature";
import { click, expectAlert, props } from "./formSupport";

describe("To another user", () => {
  const found: FindRecipient = async () => ({ name: "Omar Haddad" });

  test("verifies when the field is left and shows the green line", async () => {
    const find = vi.fn(found);
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    await user.type(screen.getByLabelText("Recipient Email"), "Omar@demo.example");
    await user.tab();
    expect(await screen.findByText("Recipient found: Omar Haddad")).toBeVisible();
    await user.click(click("Verify"));
    expect(find).toHaveBeenCalledExactlyOnceWith("omar@demo.example");
    await user.type(screen.getByLabelText("Recipient Email"), "x");
    expect(screen.queryByText("Recipient found: Omar Haddad")).toBeNull();
  });

  test("an answer that comes after the address was changed is not about the new one", async () => {
    let answer: (value: { name: string }) => void = () => undefined;
    const find: FindRecipient = () => new Promise((resolve) => (answer = resolve));
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    await user.type(screen.getByLabelText("Recipient Email"), "omar@demo.example");
    await user.tab();
    await user.type(screen.getByLabelText("Recipient Email"), "x");
    await act(async () => answer({ name: "Omar Haddad" }));
    expect(screen.queryByText(/Omar Haddad/)).toBeNull();
  });

  test.each([["Cannot transfer to your own account"], ["Recipient not found"]])(
    "says %s as the server does",
    async (message) => {
      const find: FindRecipient = async () => ({ message });
      const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
      await user.type(screen.getByLabelText("Recipient Email"), "someone@demo.example");
      await user.click(click("Verify"));
      expect(await screen.findByRole("alert")).toHaveTextContent(message);
    },
  );

  test("Verify without an address says what is missing; leaving the empty field does not", async () => {
    const find = vi.fn(found);
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    await user.click(screen.getByLabelText("Recipient Email"));
    await user.tab();
    expect(screen.queryByText("Please enter a valid email address")).toBeNull();
    await user.click(click("Verify"));
    await expectAlert("Please enter a valid email address");
    expect(find).not.toHaveBeenCalled();
  });

  test("leaving an unknown address again asks nobody; the button does", async () => {
    const find = vi.fn<FindRecipient>(async () => ({ message: "Recipient not found" }));
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    const email = screen.getByLabelText("Recipient Email");
    await user.type(email, "someone@demo.example");
    for (let time = 0; time < 3; time++) {
      await user.click(email);
      await user.click(screen.getByLabelText("Amount"));
      await expectAlert("Recipient not found");
    }
    expect(find).toHaveBeenCalledOnce();
    await user.click(click("Verify"));
    expect(find).toHaveBeenCalledTimes(2);
  });

  test("leaving an address whose look-up failed asks again", async () => {
    const find = vi.fn<FindRecipient>(() => Promise.reject(new Error("gone")));
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    await user.type(screen.getByLabelText("Recipient Email"), "someone@demo.example");
    await user.tab();
    await expectAlert("Error verifying recipient");
    await user.click(screen.getByLabelText("Recipient Email"));
    await user.click(screen.getByLabelText("Amount"));
    expect(find).toHaveBeenCalledTimes(2);
  });

  test("says that the look-up failed when there is no answer", async () => {
    const find: FindRecipient = () => Promise.reject(new Error("gone"));
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    await user.type(screen.getByLabelText("Recipient Email"), "someone@demo.example");
    await user.click(click("Verify"));
    expect(await screen.findByRole("alert")).toHaveTextContent("Error verifying recipient");
  });

  test("refuses a malformed address without a look-up", async () => {
    const find = vi.fn(found);
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={find} />);
    await user.type(screen.getByLabelText("Recipient Email"), "omar");
    await user.click(click("Verify"));
    await expectAlert("Please enter a valid email address");
    expect(find).not.toHaveBeenCalled();
  });

  test("a malformed address is refused in one sentence, however it is left", async () => {
    const { user } = renderFeature(<UserTransferForm {...props()} findRecipient={found} />);
    await user.type(screen.getByLabelText("Amount"), "10");
    await user.type(screen.getByLabelText("Reference"), "Lunch");
    await user.type(screen.getByLabelText("Recipient Email"), "omar{Enter}");
    await expectAlert("Please enter a valid recipient");
    await user.tab();
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    expect(screen.getByLabelText("Recipient Email")).toBeInvalid();
    await user.click(click("Verify"));
    await expectAlert("Please enter a valid email address");
    expect(screen.getAllByRole("alert")).toHaveLength(1);
  });

  test("Enter in an unverified recipient refuses and looks up: then nothing is refused, and the next one sends", async () => {
    let answer: (value: { name: string }) => void = () => undefined;
    const find = vi.fn<FindRecipient>(() => new Promise((resolve) => (answer = resolve)));
    const given = props();
    const { user } = renderFeature(<UserTransferForm {...given} findRecipient={find} />);
    await user.type(screen.getByLabelText("Amount"), "10");
    await user.type(screen.getByLabelText("Reference"), "Lunch");
    const email = screen.getByLabelText("Recipient Email");
    await user.type(email, "omar@demo.example{Enter}");
    await expectAlert("Please enter a valid recipient");
    answer({ name: "Omar Haddad" });
    expect(await screen.findByText("Recipient found: Omar Haddad")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    expect(email).toBeValid();
    expect(given.onSubmit).not.toHaveBeenCalled();
    await user.type(email, "{Enter}");
    await waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce());
    expect(find).toHaveBeenCalledOnce();
  });

  test("a recipient who has left since the look-up is not called found, and can be looked up again", async () => {
    const find = vi.fn(found);
    const onEdit = vi.fn();
    const refusal = { code: "RECIPIENT_NOT_FOUND", message: "Recipient not found" } as const;
    const form = (given: object) => (
      <UserTransferForm {...props()} onEdit={onEdit} {...given} findRecipient={find} />
    );
    const { user, rerender } = renderFeature(form({}));
    await user.type(screen.getByLabelText("Recipient Email"), "omar@demo.example");
    await user.click(click("Verify"));
    expect(await screen.findByText("Recipient found: Omar Haddad")).toBeVisible();
    rerender(form({ refusal }));
    await expectAlert("Recipient not found");
    expect(screen.queryByText(/Omar Haddad/)).toBeNull();
    onEdit.mockClear();
    await user.click(click("Verify"));
    expect(await screen.findByText("Recipient found: Omar Haddad")).toBeVisible();
    expect(find).toHaveBeenCalledTimes(2);
    expect(onEdit).toHaveBeenCalled();
  });

  test("an unverified recipient is refused; a look-up under way is waited for", async () => {
    let answer: (value: { name: string }) => void = () => undefined;
    const find: FindRecipient = () => new Promise((resolve) => (answer = resolve));
    const given = props();
    const { user } = renderFeature(<UserTransferForm {...given} findRecipient={find} />);
    await user.type(screen.getByLabelText("Amount"), "10");
    await user.type(screen.getByLabelText("Reference"), "Lunch");
    await user.type(screen.getByLabelText("Recipient Email"), "omar@demo.example{Enter}");
    expect(await screen.findByText("Please enter a valid recipient")).toBeVisible();
    await user.click(click("Send Money"));
    expect(given.onSubmit).not.toHaveBeenCalled();
    answer({ name: "Omar Haddad" });
    expect(await screen.findByText("Recipient found: Omar Haddad")).toBeVisible();
    await waitFor(() =>
      expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
        fromAccount: "Checking",
        recipientEmail: "omar@demo.example",
        shownName: "Omar Haddad",
        amountCents: 1_000n,
        reference: "Lunch",
      }),
    );
  });
});
