import { act, fireEvent, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadDialogs } from "../../../src/components/ui/Dialog";
import { IdleWatch } from "../../../src/features/session/IdleWatch";
import { renderWithBackend } from "../../support/renderWithBackend";

const MINUTE = 60_000;

test("Escape in the warning means to stay, and so does a key of someone still typing", async () => {
  await loadDialogs();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const onSignOut = vi.fn();
  renderWithBackend(
    <IdleWatch
      userId="maya"
      idleTimeoutMs={15 * MINUTE}
      onOver={onSignOut}
      onSignOut={onSignOut}
    />,
    { isSignedIn: true, mutations: { "sessions:touch": async () => null } },
  );
  await pass(14 * MINUTE);
  expect(screen.getByRole("timer")).toHaveTextContent("1:00");
  // Dialogs take the focus on the next frame.
  await pass(20);
  expect(screen.getByRole("button", { name: "Stay signed in" })).toHaveFocus();
  fireEvent.keyDown(screen.getByRole("alertdialog"), { key: "Escape" });
  await pass(1_000);
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(onSignOut).not.toHaveBeenCalled();
  await pass(14 * MINUTE);
  expect(screen.getByRole("timer")).toHaveTextContent("1:00");
});
