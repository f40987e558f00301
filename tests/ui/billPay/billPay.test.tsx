import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { appError } from "../../../convex/shared/errors";
import {
  PaymentHistory,
  UpcomingBills,
  type ListedBill,
} from "../../../src/features/billPay/BillLists";
import { BillPayForm } from "../../../src/features/billPay/BillPayForm";
import { BillPayPanel } from "../../../src/features/billPay/BillPayPanel";
import { earliestPaymentDate } from "../../../src/features/billPay/earliestDate";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { renderWithBackend } from "../../support/renderWithBackend";

const EARLIEST = "2026-11-22";

function props() {
  return {
    accounts: [{ type: "Checking", availableCents: 50_000n, balanceCents: 50_000n }] as const,
    earliestDate: EARLIEST,
    isBusy: false,
    refusal: null,
    disabledReason: undefined,
    onEdit: vi.fn(),
    onSubmit: vi.fn(async () => true),
  };
}

const schedule = () => screen.getByRole("button", { name: "Schedule Payment" });
/** A form's rules load on first use, so a refusal may come a moment later. */
const expectAlert = (text: string) =>
  waitFor(() => expect(screen.getByRole("alert").textContent).toBe(text));

describe("Bill Pay", () => {
  test("refuses in the specification's order", async () => {
    const given = props();
    const { user } = renderFeature(<BillPayForm {...given} />);
    await user.click(schedule());
    await expectAlert("Please fill in all required fields");
    expect(screen.getByRole("radio", { name: "Electric" })).toHaveFocus();
    expect(screen.getByRole("group", { name: "Provider" })).toHaveAccessibleDescription(
      "Please fill in all required fields",
    );
    await user.click(screen.getByRole("radio", { name: "Water" }));
    await user.type(screen.getByLabelText("Account Number"), "W-77");
    await user.type(screen.getByLabelText("Amount"), "0");
    await user.type(screen.getByLabelText("Payment Date"), "2026-11-21");
    await user.click(schedule());
    await expectAlert("Please enter a valid amount");
    await user.clear(screen.getByLabelText("Amount"));
    await user.type(screen.getByLabelText("Amount"), "500.01");
    await user.click(schedule());
    await expectAlert("Insufficient funds");
    await user.clear(screen.getByLabelText("Amount"));
    await user.type(screen.getByLabelText("Amount"), "50");
    await user.click(schedule());
    await expectAlert("The payment date must be tomorrow or later");
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  test("refuses what the balance does not cover where staff set a higher available amount", async () => {
    const accounts = [{ type: "Checking", availableCents: 50_000n, balanceCents: 100n }] as const;
    const given = { ...props(), accounts };
    const { user } = renderFeature(<BillPayForm {...given} />);
    await user.click(screen.getByRole("radio", { name: "Water" }));
    await user.type(screen.getByLabelText("Account Number"), "W-77");
    await user.type(screen.getByLabelText("Amount"), "1.01");
    await user.type(screen.getByLabelText("Payment Date"), "2026-12-01");
    await user.click(schedule());
    await expectAlert("Insufficient funds");
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  test("sends the payment without an empty memo and empties itself", async () => {
    const given = props();
    const { user } = renderFeature(<BillPayForm {...given} />);
    expect(screen.getAllByRole("radio")).toHaveLength(6);
    expect(screen.getByLabelText("Payment Date")).toHaveAttribute("min", EARLIEST);
    await user.click(screen.getByRole("radio", { name: "Electric" }));
    await user.type(screen.getByLabelText("Account Number"), "E-1");
    await user.type(screen.getByLabelText("Amount"), "50");
    await user.type(screen.getByLabelText("Payment Date"), EARLIEST);
    await user.click(schedule());
    expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
      fromAccount: "Checking",
      provider: "electric",
      accountNumber: "E-1",
      amountCents: 5_000n,
      scheduleDate: EARLIEST,
      memo: undefined,
    });
    expect(screen.getByLabelText("Account Number")).toHaveValue("");
    await expectNoAxeViolations();
  });
});

describe("earliest payment date", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    // [at, in New York, in Auckland, on Hawaii]
    ["2026-11-21T17:00:00Z", "2026-11-22", "2026-11-23", "2026-11-22"],
    ["2026-11-22T04:00:00Z", "2026-11-22", "2026-11-23", "2026-11-22"],
    ["2026-11-22T06:00:00Z", "2026-11-23", "2026-11-23", "2026-11-23"],
  ])(
    "at %s: tomorrow on the device, never before tomorrow at the credit union",
    (at, ...expected) => {
      const zones = ["America/New_York", "Pacific/Auckland", "Pacific/Honolulu"];
      const dates = zones.map((zone) => {
        vi.stubEnv("TZ", zone);
        return earliestPaymentDate(Date.parse(at));
      });
      expect(dates).toEqual(expected);
    },
  );
});

const BILL: ListedBill = {
  _id: "b1",
  provider: "internet",
  fromAccount: "Checking",
  accountNumber: "••••4411",
  amountCents: 7_999n,
  scheduleDate: "2026-12-01",
  status: "Scheduled",
};

test("upcoming bills can be canceled, each button saying which payment it is about", async () => {
  const onCancel = vi.fn();
  const { user } = renderFeature(
    <UpcomingBills bills={[BILL]} busyIds={[]} isDisabled={false} onCancel={onCancel} />,
  );
  const button = screen.getByRole("button", { name: "Cancel payment" });
  expect(button).toHaveAccessibleDescription("Internet");
  expect(screen.getByText("$79.99")).toBeVisible();
  expect(screen.getByText("Dec 1, 2026, from Checking, account ending 4411")).toBeVisible();
  await user.click(button);
  expect(onCancel).toHaveBeenCalledExactlyOnceWith(BILL);
});

test("the history names what failed and why, and is honest when empty", () => {
  const { rerender } = renderFeature(
    <PaymentHistory bills={[{ ...BILL, status: "Failed", failureReason: "Insufficient funds" }]} />,
  );
  expect(screen.getByText("Failed")).toBeVisible();
  expect(screen.getByText("Insufficient funds")).toBeVisible();
  rerender(<PaymentHistory bills={[]} />);
  expect(screen.getByText(/No payments yet/)).toBeVisible();
});

describe("outcomes in the panel", () => {
  const panel = (cancel: () => Promise<null>) =>
    renderWithBackend(<BillPayPanel accounts={props().accounts} />, {
      queries: { "billPayments:upcoming": [BILL] },
      mutations: { "billPayments:cancel": cancel, "billPayments:schedule": async () => "b2" },
    });
  const fillIn = async (user: UserEvent) => {
    await user.click(screen.getByRole("radio", { name: "Electric" }));
    await user.type(screen.getByLabelText("Account Number"), "E-1");
    await user.type(screen.getByLabelText("Amount"), "50");
    await user.type(screen.getByLabelText("Payment Date"), "2099-01-01");
  };
  const scheduleOne = async (user: UserEvent) => {
    await fillIn(user);
    await user.click(schedule());
    await screen.findByText("Payment scheduled successfully!");
  };

  test("a payment that could not be canceled is no failed payment, until the next act", async () => {
    const { user } = panel(() => Promise.reject(new Error("connection lost")));
    await user.click(screen.getByRole("button", { name: "Cancel payment" }));
    await expectAlert("The change was not saved. Please try again.");
    await scheduleOne(user);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("after a payment that was canceled elsewhere meanwhile, the heading of its list has the focus", async () => {
    let refuse = () => {};
    const { user, answer } = panel(
      () => new Promise((_, reject) => (refuse = () => reject(appError("PAYMENT_NOT_CANCELABLE")))),
    );
    await user.click(screen.getByRole("button", { name: "Cancel payment" }));
    expect(screen.getByRole("button", { name: "Canceling..." })).toBeVisible();
    answer("billPayments:upcoming", []);
    refuse();
    await expectAlert("This payment can no longer be canceled");
    expect(screen.getByRole("heading", { name: "Upcoming Bills" })).toHaveFocus();
  });

  test("what was canceled is not told beside the next outcome", async () => {
    const { user } = panel(async () => null);
    await user.click(screen.getByRole("button", { name: "Cancel payment" }));
    await screen.findByText("Payment canceled.");
    await scheduleOne(user);
    expect(screen.queryByText("Payment canceled.")).toBeNull();
  });

  test("a payment without an answer is the same one when it is sent again, and another one after that", async () => {
    const send = vi.fn<(args: { requestKey?: string }) => Promise<string>>(async () => "b2");
    send.mockRejectedValueOnce(new Error("connection lost"));
    const { user } = renderWithBackend(<BillPayPanel accounts={props().accounts} />, {
      queries: { "billPayments:upcoming": [] },
      mutations: { "billPayments:schedule": send },
    });
    await fillIn(user);
    await user.click(schedule());
    await screen.findByRole("alert");
    await user.type(screen.getByLabelText(/^Memo/), "x{Backspace}");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(schedule());
    await screen.findByText("Payment scheduled successfully!");
    await scheduleOne(user);
    const [first, second, third] = send.mock.calls.map(([{ requestKey }]) => requestKey);
    expect(second).toBe(first);
    expect(third).not.toBe(second);
  });
});
