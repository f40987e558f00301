import { act, renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { describe, expect, test, vi } from "vitest";
import {
  externalFlow,
  EXTERNAL_START,
} from "../../../src/features/transfers/external/externalFlow";
import { internationalFlow } from "../../../src/features/transfers/international/internationalFlow";
import { useTransfer, wordRefusal } from "../../../src/features/transfers/useTransfer";

const DETAILS = {
  fromAccount: "Checking",
  toBank: "Cedar Point Trust",
  routingNumber: "990030397",
  accountNumber: "12345678",
  accountName: "Dana Whitfield",
  amountCents: 2_500n,
  reference: "Loan",
} as const;

describe("the steps of a transfer to a US bank", () => {
  const started = { type: "started", pendingId: "p", expiresAt: 5, details: DETAILS } as const;

  test("details lead to the code, and the code leads back or to an empty form", () => {
    const verify = externalFlow(EXTERNAL_START, started);
    expect(verify).toEqual({ name: "verify", pendingId: "p", expiresAt: 5, details: DETAILS });
    expect(externalFlow(verify, { type: "back" })).toEqual(EXTERNAL_START);
    expect(externalFlow(verify, { type: "done", pendingId: "p" })).toEqual(EXTERNAL_START);
  });

  test("a late answer of step 1 does not replace the transfer that waits for its code", () => {
    const verify = externalFlow(EXTERNAL_START, started);
    expect(externalFlow(verify, { ...started, pendingId: "late" })).toBe(verify);
  });

  test("the end of one transfer does not end another, and what does not fit changes nothing", () => {
    const verify = externalFlow(EXTERNAL_START, started);
    expect(externalFlow(verify, { type: "done", pendingId: "before" })).toBe(verify);
    expect(externalFlow(EXTERNAL_START, { type: "done", pendingId: "p" })).toBe(EXTERNAL_START);
    expect(externalFlow(EXTERNAL_START, { type: "back" })).toBe(EXTERNAL_START);
  });
});

describe("the steps of an international transfer", () => {
  test("details, notice, confirmation, and back the same way", () => {
    const notice = internationalFlow({ name: "details" }, { type: "reviewed", command: 1 });
    expect(notice).toEqual({ name: "notice", command: 1 });
    const confirm = internationalFlow(notice, { type: "continued" });
    expect(confirm).toEqual({ name: "confirm", command: 1 });
    expect(internationalFlow(confirm, { type: "back" })).toEqual(notice);
    expect(internationalFlow(notice, { type: "back" })).toEqual({ name: "details" });
    expect(internationalFlow(confirm, { type: "done", command: 1 })).toEqual({ name: "details" });
  });

  test("the confirmation cannot be reached without the notice", () => {
    expect(internationalFlow({ name: "details" }, { type: "continued" })).toEqual({
      name: "details",
    });
  });

  test("the end of one transfer does not end another", () => {
    for (const step of [
      { name: "notice", command: 1 },
      { name: "confirm", command: 2 },
    ] as const) {
      expect(internationalFlow<number>(step, { type: "done", command: 1 })).toBe(step);
    }
  });
});

describe("useTransfer", () => {
  const KEYS = { reference: "Rent", amountCents: 5n };

  test("keeps the request key while there is no answer and takes a new one after it", async () => {
    const send = vi
      .fn<(args: { requestKey: string }) => Promise<string>>()
      .mockRejectedValueOnce(new Error("connection lost"))
      .mockResolvedValue("receipt");
    const { result } = renderHook(() => useTransfer("transfer", send));
    const keyOf = (call: number) => send.mock.calls[call]?.[0].requestKey;
    await act(async () => void (await result.current.submit({ ...KEYS })));
    expect(result.current.refusal?.message).toBe("Transfer failed. Please try again.");
    await act(async () => void (await result.current.submit({ ...KEYS })));
    await act(async () => void (await result.current.submit({ ...KEYS })));
    expect(keyOf(1)).toBe(keyOf(0));
    expect(keyOf(2)).not.toBe(keyOf(1));
  });

  test("another amount is another transfer, also without an answer", async () => {
    const send = vi.fn<(args: { requestKey: string }) => Promise<string>>();
    send.mockRejectedValue(new Error("connection lost"));
    const { result } = renderHook(() => useTransfer("transfer", send));
    await act(async () => void (await result.current.submit({ ...KEYS })));
    await act(async () => void (await result.current.submit({ ...KEYS, amountCents: 6n })));
    expect(send.mock.calls[0]?.[0].requestKey).not.toBe(send.mock.calls[1]?.[0].requestKey);
  });

  test("a blocked transfer opens a dialog and leaves the form without a sentence", async () => {
    const send = async () => {
      throw new ConvexError({ code: "TRANSFER_BLOCKED", message: "Blocked." });
    };
    const { result } = renderHook(() => useTransfer<object, never>("transfer", send));
    await act(async () => void (await result.current.submit({})));
    expect(result.current.outcome).toEqual({ code: "TRANSFER_BLOCKED", message: "Blocked." });
    expect(result.current.refusal).toBeNull();
    act(() => result.current.clear());
    expect(result.current.outcome).toBeNull();
  });

  test("only failures in a row refer to support", async () => {
    const send = vi.fn<(args: object) => Promise<string>>();
    const failure = new Error("connection lost");
    send.mockRejectedValueOnce(failure).mockResolvedValueOnce("receipt").mockRejectedValue(failure);
    const { result } = renderHook(() => useTransfer<object, string>("transfer", send));
    for (const code of [
      "TRANSFER_FAILED",
      undefined,
      "TRANSFER_FAILED",
      "TRANSFER_FAILED_DASHBOARD",
    ]) {
      await act(async () => void (await result.current.submit({})));
      expect(result.current.refusal?.code).toBe(code);
    }
  });

  test("two presses at once send one transfer", async () => {
    const send = vi.fn(async () => "receipt");
    const { result } = renderHook(() => useTransfer<object, string>("transfer", send));
    await act(async () => {
      await Promise.all([result.current.submit({}), result.current.submit({})]);
    });
    expect(send).toHaveBeenCalledOnce();
  });
});

test("support is named for failures that persist and for those a member cannot mend", () => {
  const failed = {
    code: "TRANSFER_FAILED",
    message: "Transfer failed. Please try again.",
  } as const;
  const inner = { code: "SOURCE_ACCOUNT_NOT_FOUND", message: "Source account not found" } as const;
  const funds = { code: "INSUFFICIENT_FUNDS", message: "Insufficient funds" } as const;
  expect(wordRefusal(failed, 1)).toBe(failed);
  expect(wordRefusal(funds, 0)).toBe(funds);
  for (const worded of [wordRefusal(failed, 2), wordRefusal(inner, 0)]) {
    expect(worded?.message).toBe(
      "An error occurred while processing your transfer. Please try again or contact support if the issue persists.",
    );
  }
});
