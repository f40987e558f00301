import { screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { ErrorBoundary } from "../../../src/components/ui/ErrorBoundary";
import { renderFeature } from "../../support/renderFeature";

test("an error boundary contains a failure and tries again on request", async () => {
  let isBroken = true;
  function Panel() {
    if (isBroken) throw new Error("broken on purpose");
    return <p>Twelve transactions</p>;
  }
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user } = renderFeature(
    <ErrorBoundary name="Recent transactions">
      <Panel />
    </ErrorBoundary>,
  );
  expect(silent).toHaveBeenCalled();
  expect(screen.getByRole("alert")).toHaveTextContent("Recent transactions could not be shown.");
  isBroken = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByText("Twelve transactions")).toBeVisible();
});

test("what fails again when it is tried again reloads the page: a new release may call functions by other names", async () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => silent.mockRestore());
  const reload = vi.fn();
  vi.stubGlobal("location", { ...window.location, reload });
  vi.stubGlobal("fetch", async () => new Response());
  const Panel = (): never => {
    throw new Error("Could not find public function");
  };
  const { user } = renderFeature(
    <ErrorBoundary name="Recent transactions">
      <Panel />
    </ErrorBoundary>,
  );
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(reload).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("what fails in another way, long after it was tried again, reloads the page only when that repeats", async () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => [silent, clock].forEach((spy) => spy.mockRestore()));
  const reload = vi.fn();
  vi.stubGlobal("location", { ...window.location, reload });
  vi.stubGlobal("fetch", async () => new Response());
  let failure: Error | null = new Error("first");
  const Panel = () => {
    if (failure !== null) throw failure;
    return <p>Twelve transactions</p>;
  };
  const panel = () => (
    <ErrorBoundary name="Recent transactions">
      <Panel />
    </ErrorBoundary>
  );
  const { user, rerender } = renderFeature(panel());
  const retry = () => user.click(screen.getByRole("button", { name: "Try again" }));
  failure = null;
  await retry();
  clock.mockImplementation(() => now() + 60_000);
  failure = new Error("second");
  rerender(panel());
  await retry();
  await new Promise((resolve) => setImmediate(resolve));
  expect(reload).not.toHaveBeenCalled();
  await retry();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
