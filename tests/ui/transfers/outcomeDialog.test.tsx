import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { OutcomeDialog } from "../../../src/features/transfers/OutcomeDialog";
import { renderFeature } from "../../support/renderFeature";

describe("outcome dialogs", () => {
  test.each([
    ["TRANSFER_BLOCKED", "Transaction Blocked"],
    ["ACTIVITY_ALERT", "Account Activity Alert"],
    ["ACCOUNT_LOCKED", "Transaction Denied"],
  ] as const)("%s opens %s with hours, address and Close", async (code, title) => {
    const onClose = vi.fn();
    const { user } = renderFeature(
      <OutcomeDialog outcome={{ code, message: "The sentence." }} onClose={onClose} />,
    );
    const dialog = await screen.findByRole("alertdialog", { name: title });
    expect(dialog).toHaveAccessibleDescription("The sentence.");
    expect(dialog).toHaveTextContent(/8AM to 8PM EST/);
    expect(within(dialog).getByRole("link").getAttribute("href")).toMatch(/^mailto:/);
    // Not on the address above it: Enter would open the mail app.
    await waitFor(() =>
      expect(within(dialog).getByRole("button", { name: "Close" })).toHaveFocus(),
    );
    await user.keyboard("{Enter}");
    expect(onClose).toHaveBeenCalledOnce();
  });
});
