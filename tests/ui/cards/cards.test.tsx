import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { lazy, Suspense } from "react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { CardCodeDialog } from "../../../src/features/cards/CardCodeDialog";
import { CardsPanel } from "../../../src/features/cards/CardsPanel";
import { CreditUsage } from "../../../src/features/cards/CreditUsage";
import type { Card } from "../../../src/features/cards/useMyCards";
import { clearAnnouncements, currentAnnouncement } from "../../../src/lib/announce";
import { renderWithBackend } from "../../support/renderWithBackend";

/** An answer that does not come while the test looks. */
const underWay = () => new Promise<never>(() => undefined);

const CARD: Card = {
  _id: "c1" as Card["_id"],
  kind: "debit",
  design: "petrol",
  holderName: "Dana Whitfield",
  maskedNumber: "•••• 4411",
  expiry: "11/29",
  status: "Active",
  linkedAccount: "Checking",
  limitCents: undefined,
  availableCents: undefined,
  rewardsPoints: undefined,
  lastTransactions: [],
};

test.each([
  [500_000n, 350_000n, "30", "30% of $5,000.00 used"],
  [500_000n, 0n, "100", "100% of $5,000.00 used"],
  [0n, 0n, "0", "0% of $0.00 used"],
])(
  "credit usage is the share of the limit that is gone (%s, %s)",
  (limitCents, availableCents, percent, sentence) => {
    render(<CreditUsage limitCents={limitCents} availableCents={availableCents} />);
    const meter = screen.getByRole("meter", { name: "Credit usage" });
    expect(meter).toHaveAttribute("aria-valuenow", percent);
    expect(meter).toHaveAttribute("aria-valuemax", "100");
    expect(screen.getByText(sentence)).toBeVisible();
  },
);

describe("card services", () => {
  test("a code that is being checked cannot be left, so its answer meets its own question", async () => {
    const onClose = vi.fn();
    const { user } = renderWithBackend(
      <CardCodeDialog action="Change PIN" cardId="c1" onClose={onClose} />,
      { mutations: { "cards:verifyCode": underWay } },
    );
    await user.type(await screen.findByLabelText("Verification code"), "123456");
    await user.click(screen.getByRole("button", { name: "Verify" }));
    expect(screen.getByRole("button", { name: "Verifying..." })).toHaveFocus();
    expect(screen.getByRole("button", { name: "Back" })).toBeDisabled();
    await user.keyboard("{Escape}");
    expect(onClose).not.toHaveBeenCalled();
  });

  test("a code is sent when it is complete, and a left question asks for another one", async () => {
    const verify = vi.fn(async () => ({ message: MESSAGES.CARD_SERVICE_UNAVAILABLE }));
    const { user } = renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [CARD] },
      mutations: { "cards:verifyCode": verify },
    });
    await user.click(screen.getByRole("button", { name: "Change PIN" }));
    await user.type(await screen.findByLabelText("Verification code"), "12345{Enter}");
    expect(verify).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText("Verification code"), "6{Enter}");
    expect(await screen.findByText(MESSAGES.CARD_SERVICE_UNAVAILABLE)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Back" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Change PIN" }));
    expect(await screen.findByLabelText("Verification code")).toHaveValue("");
    expect(screen.queryByText(MESSAGES.CARD_SERVICE_UNAVAILABLE)).toBeNull();
  });

  test("a card that is being reported lost is not called off by Cancel", async () => {
    const { user } = renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [CARD] },
      mutations: { "cards:reportLost": underWay },
    });
    await user.click(screen.getByRole("button", { name: "Report Lost" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await user.click(dialog.getByRole("button", { name: "Report Lost" }));
    expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  });

  test("once a card has been reported lost its heading has the focus; after Cancel the button", async () => {
    const { user } = renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [CARD] },
      mutations: { "cards:reportLost": async () => null },
    });
    const opener = screen.getByRole("button", { name: "Report Lost" });
    await user.click(opener);
    const dialog = () => screen.findByRole("alertdialog");
    await user.click(within(await dialog()).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(opener).toHaveFocus());
    await user.click(opener);
    await user.click(within(await dialog()).getByRole("button", { name: "Report Lost" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: "Debit card" })).toHaveFocus());
  });

  test("a refused change is told with its card: the other one may be out of sight", async () => {
    const refuse = () => Promise.reject(new Error("the server is away"));
    const credit: Card = { ...CARD, _id: "c2" as Card["_id"], kind: "credit" };
    const { user } = renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [CARD, credit] },
      mutations: { "cards:lock": refuse },
    });
    for (const name of ["Credit card", "Debit card"]) {
      const tile = within(screen.getByRole("region", { name }));
      await user.click(tile.getByRole("button", { name: "Lock Card" }));
      expect(await tile.findByRole("alert")).toHaveTextContent(MESSAGES.CARD_SERVICE_UNAVAILABLE);
      expect(screen.getAllByRole("alert")).toHaveLength(1);
    }
  });

  test("what a card has become is announced, whoever changed it; what it was at first is not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    clearAnnouncements();
    const { answer } = renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [CARD] },
    });
    const spoken = async () => {
      await act(() => vi.advanceTimersByTimeAsync(1_000));
      return currentAnnouncement();
    };
    expect(await spoken()).toBe("");
    answer("cards:listMine", [{ ...CARD, status: "Locked" }]);
    expect(await spoken()).toBe("Debit card: Locked");
    answer("cards:listMine", [{ ...CARD, status: "Reported lost" }]);
    expect(await spoken()).toBe("Debit card: Reported lost");
    screen.getByRole("heading", { name: "Debit card" }).focus();
    // Staff have issued another one.
    answer("cards:listMine", [{ ...CARD, _id: "c3" as Card["_id"], maskedNumber: "•••• 5522" }]);
    expect(await spoken()).toBe("Debit card: Active");
    expect(screen.getByRole("heading", { name: "Debit card" })).toHaveFocus();
    expect(screen.getByText("•••• 5522")).toBeVisible();
  });

  test("a lost card leads to support, for a new one", () => {
    renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [{ ...CARD, status: "Reported lost" }] },
    });
    expect(screen.getByRole("button", { name: "Lock Card" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Report Lost" })).toBeDisabled();
    const link = screen.getByRole("link", { name: "Contact support" });
    expect(link).toHaveAttribute("href", "/contact");
    expect(link.parentElement).toHaveTextContent(
      "This card is blocked for good. Contact support for a new one.",
    );
  });

  test("the second press of a double click does not unlock what the first one has locked", () => {
    const unlock = vi.fn(async () => null);
    renderWithBackend(<CardsPanel statements={null} />, {
      queries: { "cards:listMine": [{ ...CARD, status: "Locked" }] },
      mutations: { "cards:unlock": unlock },
    });
    const button = screen.getByRole("button", { name: "Unlock Card" });
    fireEvent.click(button, { detail: 2 });
    expect(unlock).not.toHaveBeenCalled();
    fireEvent.click(button, { detail: 1 });
    expect(unlock).toHaveBeenCalledExactlyOnceWith({ cardId: CARD._id });
  });

  test("the tabs stay while the statements load", async () => {
    const Statements = lazy(() => new Promise<never>(() => undefined));
    const panel = (
      <Suspense fallback="All of it is gone">
        <CardsPanel statements={<Statements />} />
      </Suspense>
    );
    const { user } = renderWithBackend(panel, { queries: { "cards:listMine": [CARD] } });
    await user.click(screen.getByRole("tab", { name: "Overview" }));
    await user.keyboard("{ArrowRight}");
    expect(screen.getByRole("tab", { name: "Statements" })).toHaveFocus();
    expect(screen.getByRole("tab", { name: "Statements" })).toBeVisible();
  });
});
