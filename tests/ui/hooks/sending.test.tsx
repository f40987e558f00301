/** A call made without a connection is refused in words, and never done later or twice. */
import { act, render as draw, renderHook, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { ConnectionBanner } from "../../../src/components/ui/ConnectionBanner";
import { useCommand } from "../../../src/hooks/useCommand";
import { useNotifications } from "../../../src/features/notifications/useNotifications";
import { clearAnnouncements, isEchoOfOwnAction } from "../../../src/lib/announce";
import { isOutcomeOpen } from "../../../src/lib/errorText";
import { currentToasts } from "../../../src/lib/toasts";
import { connection } from "../../support/fakeConnection";

vi.mock("convex/react", () => import("../../support/convexReact"));

beforeEach(() => {
  vi.useFakeTimers();
  clearAnnouncements();
  return () => {
    vi.useRealTimers();
    connection.mend();
  };
});

const render = (call: () => Promise<unknown>) =>
  renderHook(() => useCommand(call, { fallback: "SAVE_FAILED" })).result;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a call without a connection is not made, and may be tried again", async () => {
  const call = vi.fn(async () => "saved");
  const command = render(call);
  connection.cut();
  await act(async () => void command.current.run());
  await pass(2_900);
  // The device has a network again, which is not yet a connection.
  act(() => void window.dispatchEvent(new Event("online")));
  expect(command.current.isBusy).toBe(true);
  await pass(100);
  expect(command.current.isBusy).toBe(false);
  expect(command.current.refusal).toEqual({ code: "OFFLINE", message: MESSAGES.OFFLINE });
  connection.mend();
  await pass(60_000);
  expect(call).not.toHaveBeenCalled();
  await act(() => command.current.run());
  expect(call).toHaveBeenCalledTimes(1);
  expect(command.current.refusal).toBeNull();
});

test("a short gap is waited for", async () => {
  const call = vi.fn(async () => "saved");
  const command = render(call);
  connection.cut();
  await act(async () => void command.current.run());
  await pass(2_000);
  connection.mend();
  await pass(0);
  expect(call).toHaveBeenCalledTimes(1);
  expect(command.current.isBusy).toBe(false);
  expect(command.current.refusal).toBeNull();
});

test("a first connection that takes its time is waited for, and nobody is said to be offline", async () => {
  draw(<ConnectionBanner />);
  const call = vi.fn(async () => "saved");
  const command = render(call);
  connection.begin();
  await act(async () => void command.current.run());
  await pass(19_000);
  expect(command.current.isBusy).toBe(true);
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
  connection.mend();
  await pass(0);
  expect(call).toHaveBeenCalledTimes(1);
});

test.each([0, 1])(
  "a first connection that does not come is not waited for long (%i failed)",
  async (failed) => {
    draw(<ConnectionBanner />);
    const call = vi.fn(async () => "saved");
    const command = render(call);
    connection.begin();
    await act(async () => void command.current.run());
    if (failed > 0) connection.begin(failed);
    await pass(failed > 0 ? 3_000 : 20_000);
    expect(command.current.refusal?.code).toBe("OFFLINE");
    expect(screen.getByRole("status")).toHaveTextContent(/^You're offline\./);
    expect(call).not.toHaveBeenCalled();
  },
);

test("a device without a network is not connected, whatever the socket says", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const call = vi.fn(async () => "saved");
  const command = render(call);
  await act(async () => void command.current.run());
  await pass(3_000);
  expect(call).not.toHaveBeenCalled();
  expect(command.current.refusal?.code).toBe("OFFLINE");
});

test("an action that was under way when the connection went is not said to be wrong", async () => {
  const lost =
    "[CONVEX A(auth:signIn)] Connection lost while action was in flight\n  Called by client";
  const command = render(() => Promise.reject(new Error(lost)));
  await act(() => command.current.run());
  expect(command.current.refusal?.message).toBe(MESSAGES.CONNECTION_LOST);
});

test("what waits for its answer anywhere on the page is spoken of above it, until the answer comes", async () => {
  draw(<ConnectionBanner />);
  let save = (_answer: string): void => undefined;
  const command = render(() => new Promise((resolve) => (save = resolve)));
  act(() => void command.current.run());
  await pass(4_999);
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
  await pass(1);
  expect(screen.getByRole("status")).toHaveTextContent(TEXTS.answerAwaited);
  await act(async () => save("saved"));
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});

test("an applicant, who has no balances, is told that the page may be out of date", async () => {
  draw(<ConnectionBanner outdated="This page" />);
  connection.cut();
  await pass(3_000);
  expect(screen.getByRole("status")).toHaveTextContent(
    /^You're offline\. This page may be out of date\.$/,
  );
});

test("marking notifications has no place for a refusal but a toast", async () => {
  const { result } = renderHook(() => useNotifications());
  connection.cut();
  await act(async () => void result.current.markAllRead());
  await pass(3_000);
  expect(currentToasts()).toMatchObject([{ body: MESSAGES.OFFLINE }]);
});

test("what comes after a command is its echo", async () => {
  const command = render(async () => "saved");
  await act(() => command.current.run());
  expect(isEchoOfOwnAction()).toBe(true);
});

test("marking notifications keeps no event of the next second back as its own", async () => {
  const { result } = renderHook(() => useNotifications());
  await act(() => result.current.markAllRead());
  expect(isEchoOfOwnAction()).toBe(false);
});

test("only a judgment of the server settles what was asked for", () => {
  const isOpen = (code: keyof typeof MESSAGES) =>
    isOutcomeOpen({ code, message: MESSAGES[code] }, "TRANSFER_FAILED");
  expect(isOpen("OFFLINE")).toBe(true);
  expect(isOpen("CONNECTION_LOST")).toBe(true);
  expect(isOpen("TRANSFER_FAILED")).toBe(true);
  // It may have been done by an earlier call.
  expect(isOpen("RATE_LIMITED")).toBe(true);
  expect(isOpen("INSUFFICIENT_FUNDS")).toBe(false);
});
