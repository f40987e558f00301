/** Why a button waits for the connection is shown on the screen, calmly and in words that fit what it does. */
import { act, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { useTransactionGrid } from "../../../src/features/adminTransactions/useTransactionGrid";
import { BillPayPanel } from "../../../src/features/billPay/BillPayPanel";
import { CardsPanel } from "../../../src/features/cards/CardsPanel";
import { MobileDepositPanel } from "../../../src/features/mobileDeposit/MobileDepositPanel";
import { PasswordCard } from "../../../src/features/settings/PasswordCard";
import { ProfileSettings } from "../../../src/features/settings/ProfileSettings";
import { SessionsCard } from "../../../src/features/settings/SessionsCard";
import { ExternalTransfer } from "../../../src/features/transfers/external/ExternalTransfer";
import { InternalTransfer } from "../../../src/features/transfers/internal/InternalTransfer";
import { InternationalTransfer } from "../../../src/features/transfers/international/InternationalTransfer";
import { UserTransfer } from "../../../src/features/transfers/user/UserTransfer";
import { fakeServer } from "../../support/convexReact";
import { connection } from "../../support/fakeConnection";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

vi.mock("convex/react", () => import("../../support/convexReact"));
vi.mock("../../../src/lib/convexViewer", () => ({ useViewer: () => null }));

const MONEY = "You're offline. Reconnect to move money.";
const CHANGES = "You're offline. Reconnect to make changes.";

const ACCOUNTS = [{ type: "Checking", availableCents: 50_000n, balanceCents: 50_000n }] as const;
const QUERIES = {
  "profile:get": {
    name: "Dana Whitfield",
    email: "dana@mail.example",
    memberSince: 0,
    phone: "(555) 010-0177",
    address: { street: "4 Mill Lane", city: "Albany", state: "NY", postalCode: "12207" },
  },
  "profile:sessions": [{ handle: "here", isCurrent: true, createdAt: 0, lastActiveAt: 0 }],
  "cards:listMine": [
    { _id: "c1", kind: "debit", design: "petrol", status: "Active", lastTransactions: [] },
  ],
  "billPayments:upcoming": [],
};

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fakeServer.queries = QUERIES;
  return () => {
    vi.useRealTimers();
    connection.mend();
    fakeServer.queries = {};
  };
});

async function cutForLong(): Promise<void> {
  connection.cut();
  await act(() => vi.advanceTimersByTimeAsync(3_000));
}

const SCREENS: readonly [name: string, content: ReactNode, button: string, sentence: string][] = [
  ["Contact details", <ProfileSettings key="" />, "Save changes", CHANGES],
  ["Password", <PasswordCard key="" />, "Change Password", CHANGES],
  [
    "Active sessions",
    <SessionsCard key="" onSignOut={async () => {}} />,
    "Sign out everywhere else",
    CHANGES,
  ],
  ["Cards", <CardsPanel key="" statements={null} />, "Lock Card", CHANGES],
  ["Bill Pay", <BillPayPanel key="" accounts={ACCOUNTS} />, "Schedule Payment", MONEY],
  ["Mobile Deposit", <MobileDepositPanel key="" accounts={ACCOUNTS} />, "Deposit Check", MONEY],
  [
    "Transfer",
    <InternalTransfer key="" accounts={ACCOUNTS} isGateClosed={false} />,
    "Transfer",
    MONEY,
  ],
  [
    "Transfer to another user",
    <UserTransfer key="" accounts={ACCOUNTS} isGateClosed={false} />,
    "Send Money",
    MONEY,
  ],
  [
    "Transfer to a US bank",
    <ExternalTransfer key="" accounts={ACCOUNTS} isGateClosed={false} />,
    "Continue",
    MONEY,
  ],
  [
    "International transfer",
    <InternationalTransfer key="" accounts={ACCOUNTS} isGateClosed={false} />,
    "Continue",
    MONEY,
  ],
];

test.each(SCREENS)("%s", async (_name, content, button, sentence) => {
  renderFeature(content);
  expect(screen.queryByText(/^You're offline\./)).toBeNull();
  await cutForLong();
  expect(screen.getByRole("button", { name: button })).toBeDisabled();
  expect(screen.getByText(/^You're offline\./)).toHaveTextContent(sentence);
  expect(screen.queryByRole("alert")).toBeNull();
  await expectNoAxeViolations();
  connection.mend();
  expect(screen.queryByText(/^You're offline\./)).toBeNull();
});

test("Add Transactions of the back office", async () => {
  const { result } = renderHook(() => useTransactionGrid("maya"));
  await cutForLong();
  expect(result.current.disabledReason).toBe(CHANGES);
});
