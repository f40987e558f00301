import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { DepositDesk } from "../../../src/features/adminDeposits/DepositDesk";
import type { DepositImageState } from "../../../src/features/adminDeposits/useDepositImage";
import { fakeServer } from "../../support/convexReact";
import { depositOf } from "../../support/deposit";
import { renderFeature } from "../../support/renderFeature";

vi.mock("convex/react", () => import("../../support/convexReact"));
const READY: DepositImageState = { kind: "ready", url: "blob:check", file: new Blob() };
const imageOf = vi.hoisted(() => vi.fn<(imageId: string) => DepositImageState>());
vi.mock("../../../src/features/adminDeposits/useDepositImage", () => ({
  useDepositImage: imageOf,
}));

const QUEUE = "admin/deposits:queue";

beforeEach(() => {
  imageOf.mockReset().mockReturnValue(READY);
  fakeServer.calls = {};
  fakeServer.queries = { [QUEUE]: [depositOf("maya"), depositOf("omar")] };
});

const ALREADY_REVIEWED = "This deposit has already been reviewed";

test("a colleague's decision leaves the open question and its reason, and says so", async () => {
  const { user, rerender } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  await user.click(screen.getByRole("button", { name: "Reject deposit" }));
  const dialog = await screen.findByRole("dialog", { name: "Reject deposit" });
  await user.type(within(dialog).getByLabelText("Reason"), "Not signed.");
  fakeServer.queries = { [QUEUE]: [depositOf("omar")] };
  rerender(<DepositDesk />);
  expect(within(dialog).getByRole("alert")).toHaveTextContent(ALREADY_REVIEWED);
  expect(within(dialog).getByLabelText("Reason")).toHaveValue("Not signed.");
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.queryByRole("group", { name: "Deposit details" })).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: /omar@demo/ })).toHaveFocus();
});

test("without a question the review says that it was decided, and offers no decision", async () => {
  const { user, rerender } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  fakeServer.queries = { [QUEUE]: [depositOf("omar")] };
  rerender(<DepositDesk />);
  expect(screen.getByRole("alert")).toHaveTextContent(ALREADY_REVIEWED);
  expect(screen.queryByRole("button", { name: "Approve deposit" })).not.toBeInTheDocument();
});

test("a check is approved only once both photos are there, and rejected at any time", async () => {
  const { frontImageId, backImageId } = depositOf("maya");
  const images: Record<string, DepositImageState> = {
    [frontImageId]: READY,
    [backImageId]: { kind: "loading" },
  };
  imageOf.mockImplementation((imageId) => images[imageId] ?? READY);
  const { user, rerender } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  const approve = screen.getByRole("button", { name: "Approve deposit" });
  expect(approve).toBeDisabled();
  expect(screen.getByRole("button", { name: "Reject deposit" })).toBeEnabled();
  images[backImageId] = { kind: "failed", tryAgain: () => undefined };
  rerender(<DepositDesk />);
  expect(approve).toBeDisabled();
  expect(screen.getByText(/once both photos are loaded/)).toBeVisible();
  images[backImageId] = READY;
  rerender(<DepositDesk />);
  expect(approve).toBeEnabled();
  expect(screen.queryByText(/once both photos are loaded/)).not.toBeInTheDocument();
});

test("a question about one deposit is not asked about another", async () => {
  const { user } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  await user.click(screen.getByRole("button", { name: "Approve deposit" }));
  await screen.findByRole("alertdialog");
  // As the browser's way back would, which no dialog bars.
  fireEvent.click(screen.getByRole("button", { name: /omar@demo/, hidden: true }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
});

test("an own decision goes on to the next deposit without that sentence", async () => {
  let answer: () => void = () => undefined;
  fakeServer.calls = {
    "admin/deposits:approve": () => new Promise<void>((resolve) => (answer = resolve)),
  };
  const { user, rerender } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  await user.click(screen.getByRole("button", { name: "Approve deposit" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).toHaveAccessibleDescription(/^The credit is posted to .* of maya@demo\.example/);
  await user.click(within(dialog).getByRole("button", { name: "Approve deposit" }));
  fakeServer.queries = { [QUEUE]: [depositOf("omar")] };
  rerender(<DepositDesk />);
  expect(screen.queryByText(ALREADY_REVIEWED)).not.toBeInTheDocument();
  answer();
  expect(await screen.findByText("The deposit of maya@demo.example was approved.")).toBeVisible();
  expect(screen.queryByText(ALREADY_REVIEWED)).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: /omar@demo/ })).toHaveFocus();
});

test("an own decision can be looked at again where it went", async () => {
  const completed = { ...depositOf("maya"), status: "Completed" };
  fakeServer.calls = {
    "admin/deposits:approve": async () => {
      fakeServer.queries = { [QUEUE]: [completed] };
    },
  };
  const { user } = renderFeature(<DepositDesk />);
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  await user.click(screen.getByRole("button", { name: "Approve deposit" }));
  const dialog = await screen.findByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Approve deposit" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await user.click(screen.getByRole("tab", { name: "Completed" }));
  await user.click(screen.getByRole("button", { name: /maya@demo/ }));
  expect(screen.getByRole("group", { name: "Deposit details" })).toBeVisible();
});

test("the address names the tab and the open deposit", () => {
  renderFeature(<DepositDesk />, "/admin/deposits?status=Failed&deposit=omar");
  expect(screen.getByRole("tab", { name: "Failed" })).toHaveAttribute("aria-selected", "true");
  const details = screen.getByRole("group", { name: "Deposit details" });
  expect(within(details).getByText(/omar@demo/)).toBeVisible();
});

test("an unknown address shows the deposits that wait", () => {
  renderFeature(<DepositDesk />, "/admin/deposits?status=x&deposit=y");
  const tab = screen.getByRole("tab", { name: "Pending Review" });
  expect(tab).toHaveAttribute("aria-selected", "true");
  expect(screen.getByText("Select a deposit to review it")).toBeInTheDocument();
});

test("where there are no deposits, nobody is asked to select one", () => {
  fakeServer.queries = { [QUEUE]: [] };
  renderFeature(<DepositDesk />);
  expect(screen.getByText("No deposits are waiting")).toBeVisible();
  expect(screen.queryByText(/^Select a deposit/)).not.toBeInTheDocument();
});
