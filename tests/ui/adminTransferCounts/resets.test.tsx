import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ResetTransferCounts } from "../../../src/features/adminTransferCounts/ResetTransferCounts";
import { useResetTransferCounts } from "../../../src/features/adminTransferCounts/useResetTransferCounts";
import { fakeServer } from "../../support/convexReact";
import { renderFeature } from "../../support/renderFeature";

vi.mock("convex/react", () => import("../../support/convexReact"));

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
