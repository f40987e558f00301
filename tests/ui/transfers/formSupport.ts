/** What the tests of transfer forms share. */
import { screen, waitFor } from "@testing-library/react";
import { expect, vi } from "vitest";

const ACCOUNTS = [
  { type: "Checking", availableCents: 1_248_055n, balanceCents: 1_248_055n },
  { type: "Savings", availableCents: 831_240n, balanceCents: 831_240n },
] as const;

/** Props that every form gets; `onSubmit` says that the transfer was not done, so the form stays. */
export function props() {
  return {
    accounts: ACCOUNTS,
    isGateClosed: false,
    isBusy: false,
    refusal: null,
    disabledReason: undefined,
    onEdit: vi.fn(),
    onSubmit: vi.fn(async () => false),
  };
}

/** A form's rules load on first use, so a refusal may come a moment later. */
export const expectAlert = (text: string) =>
  waitFor(() => expect(screen.getByRole("alert").textContent).toBe(text));
export const click = (name: RegExp | string) => screen.getByRole("button", { name });
