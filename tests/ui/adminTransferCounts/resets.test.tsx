import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ResetTransferCounts } from "../../../src/features/adminTransferCounts/ResetTransferCounts";
import { useResetTransferCounts } from "../../../src/features/adminTransferCounts/useResetTransferCounts";
import { fakeServer } from "../../support/convexReact";
import { renderFeature } from "../../support/renderFeature";

const row = (userId: string) => ({
  userId,
  email: `${userId}@demo.example`,
  name: userId,
  count: 2,
  isProtected: false,
});

function Counts() {
  return <ResetTransferCounts {...useResetTransferCounts()} />;
}

test("what came of a reset stands with its member, also when another one was reset meanwhile", async () => {
  fakeServer.queries["admin/transferCounts:list"] = [row("ada"), row("ben")];
  let refuse = (_error: unknown): void => undefined;
  fakeServer.calls["admin/transferCounts:resetOne"] = vi
    .fn(() => Promise.resolve({ message: "Reset." }))
    .mockImplementationOnce(() => new Promise((_resolve, reject) => (refuse = reject)));
  const { user } = renderFeature(<Counts />);
  for (const name of ["ada", "ben"]) {
    await user.click(screen.getByRole("button", { name: `Reset ${name}@demo.example` }));
  }
  refuse(new Error("the server is away"));
  const [ada, ben] = screen.getAllByRole("listitem").map((item) => within(item));
  expect(await ada!.findByRole("alert")).toHaveTextContent(/^Error: /);
  expect(await ben!.findByText("Reset.")).toBeVisible();
  expect([ada!.queryByText("Reset."), ben!.queryByRole("alert")]).toEqual([null, null]);
});

test("while everyone's count is reset its button says so and no other starts; then it says what came of it", async () => {
  fakeServer.queries["admin/transferCounts:list"] = [row("ada")];
  let start = (): void => undefined;
  const resetAll = vi.fn(() => new Promise((resolve) => (start = () => resolve({ jobId: "job" }))));
  fakeServer.calls["admin/transferCounts:resetAll"] = resetAll;
  const { user, rerender } = renderFeature(<Counts />);
  const opener = "Initiate Reset All Transfer Counts";
  await user.click(screen.getByRole("button", { name: opener }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("button", { name: opener })).toHaveFocus();
  await user.click(screen.getByRole("button", { name: opener }));
  await user.click(screen.getByRole("button", { name: "Confirm Reset All" }));
  const expectBusy = () => {
    expect(screen.getByRole("button", { name: "Resetting..." })).toHaveAttribute("aria-busy");
    expect(screen.getByRole("button", { name: "Cancel" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Reset ada@demo.example" })).toBeDisabled();
  };
  expectBusy();
  await act(async () => start());
  // Members are reset in batches: the answer is only the beginning.
  expectBusy();
  const counts = { updated: 3, skipped: 1, errored: 2 };
  fakeServer.queries["admin/transferCounts:resetAllStatus"] = { ...counts, isDone: false };
  rerender(<Counts />);
  expectBusy();
  fakeServer.queries["admin/transferCounts:resetAllStatus"] = { ...counts, isDone: true };
  rerender(<Counts />);
  expect(
    screen.getByText("Successfully reset 3 users. 1 users skipped. 2 users failed."),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: opener })).toHaveFocus();
  expect(screen.getByRole("button", { name: "Reset ada@demo.example" })).toBeEnabled();
  expect(resetAll).toHaveBeenCalledOnce();
});

test("a refused reset of everyone says why", async () => {
  fakeServer.calls["admin/transferCounts:resetAll"] = async () => {
    throw new Error("the server is away");
  };
  const { user } = renderFeature(<Counts />);
  await user.click(screen.getByRole("button", { name: "Initiate Reset All Transfer Counts" }));
  await user.click(screen.getByRole("button", { name: "Confirm Reset All" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/^Error: /);
  expect(screen.getByRole("button", { name: /^Initiate/ })).toHaveFocus();
});
