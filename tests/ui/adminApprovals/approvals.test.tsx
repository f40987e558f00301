import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { Approvals, PersonApprovals } from "../../../src/features/adminApprovals/Approvals";
import { fakeServer } from "../../support/convexReact";
import { renderFeature } from "../../support/renderFeature";

const LIST = "admin/approvals:list";
const waitingOf = (targetLabel: string) => ({
  _id: targetLabel,
  kind: "policy.set",
  targetLabel,
  lines: ["From off to on"],
  requestedBy: "omar@demo.example",
  requestedAt: 0,
  isOwn: false,
  isAboutReader: false,
  hasDecider: true,
});

beforeEach(() => {
  fakeServer.calls = {};
  fakeServer.queries = { [LIST]: [waitingOf("First"), waitingOf("Second")] };
});

const cardButton = (name: string, index: number) => {
  const button = screen.getAllByRole("button", { name })[index];
  if (button === undefined) throw new Error(`no ${name}`);
  return button;
};

test("a colleague's decision leaves the open question and its reason, and says so", async () => {
  const { user, rerender } = renderFeature(<Approvals />);
  await user.click(cardButton("Refuse change", 0));
  const dialog = await screen.findByRole("dialog", { name: "Refuse this change" });
  await user.type(within(dialog).getByLabelText("Reason"), "Not agreed.");
  fakeServer.queries = { [LIST]: [] };
  rerender(<Approvals />);
  expect(within(dialog).getByRole("alert")).toHaveTextContent(
    "This request has already been decided",
  );
  expect(within(dialog).getByLabelText("Reason")).toHaveValue("Not agreed.");
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.getByText("No changes are waiting")).toBeVisible();
});

test.each(["Approve change", "Refuse change"])(
  "%s: the question repeats what is decided, and about whom",
  async (name) => {
    const { user } = renderFeature(<Approvals />);
    await user.click(cardButton(name, 1));
    const dialog = await screen.findByRole(/^Approve/.test(name) ? "alertdialog" : "dialog");
    expect(dialog).toHaveAccessibleDescription(/Policy, Second.*From off to on/);
    // A long list scrolls, by keyboard too.
    const lines = within(dialog).getByText("From off to on").closest<HTMLElement>("[role=group]");
    lines?.focus();
    expect(lines).toHaveFocus();
  },
);

test("a refused decision stays open and says why; after it is made the next change's button has the focus", async () => {
  const approve = vi.fn(async () => {
    fakeServer.queries = { [LIST]: [waitingOf("Second")] };
  });
  approve.mockRejectedValueOnce(appError("SAVE_FAILED"));
  fakeServer.calls = { "admin/approvals:approve": approve };
  const { user } = renderFeature(<Approvals />);
  const kept = cardButton("Approve change", 1);
  await user.click(cardButton("Approve change", 0));
  const dialog = await screen.findByRole("alertdialog", { name: "Approve this change?" });
  const press = () => user.click(within(dialog).getByRole("button", { name: "Approve change" }));
  await press();
  expect(await within(dialog).findByRole("alert")).toHaveTextContent(MESSAGES.SAVE_FAILED);
  await press();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(approve).toHaveBeenCalledWith({ approvalId: "First" });
  await waitFor(() => expect(kept).toHaveFocus());
  expect(screen.getByText("The change was approved.").closest("[role=status]")).toBeVisible();
});

test("decided is what was asked about, wherever it stands by then, and it is no colleague's decision", async () => {
  let answer: () => void = () => undefined;
  const approve = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  fakeServer.calls = { "admin/approvals:approve": approve };
  const { user, rerender } = renderFeature(<Approvals />);
  await user.click(cardButton("Approve change", 1));
  const dialog = await screen.findByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Approve change" }));
  expect(approve).toHaveBeenCalledExactlyOnceWith({ approvalId: "Second" });
  fakeServer.queries = { [LIST]: [waitingOf("First")] };
  rerender(<Approvals />);
  expect(within(dialog).queryByRole("alert")).toBeNull();
  answer();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
});

test("after the decision on the last change the focus stays where it was", async () => {
  fakeServer.calls = {
    "admin/approvals:approve": async () => {
      fakeServer.queries = { [LIST]: [] };
    },
  };
  fakeServer.queries = { [LIST]: [waitingOf("Last")] };
  const { user } = renderFeature(<Approvals />);
  await user.click(cardButton("Approve change", 0));
  const dialog = await screen.findByRole("alertdialog", { name: "Approve this change?" });
  await user.click(within(dialog).getByRole("button", { name: "Approve change" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  const place = screen.getByRole("group", { name: "Waiting changes" });
  await waitFor(() => expect(place).toHaveFocus());
  expect(place).toHaveTextContent("No changes are waiting");
});

test("of a request about the reader nothing is asked of them", () => {
  const aboutReader = { ...waitingOf("Me"), isAboutReader: true };
  fakeServer.queries = { [LIST]: [aboutReader, { ...aboutReader, _id: "Mine", isOwn: true }] };
  renderFeature(<Approvals />);
  expect(screen.getByText(/This is about you, so another administrator decides\./)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Approve change" })).toBeNull();
  expect(screen.getAllByRole("button", { name: "Withdraw change" })).toHaveLength(1);
});

test("where nobody could approve a request, it says what to do", () => {
  const own = { ...waitingOf("Mine"), isOwn: true };
  fakeServer.queries = { [LIST]: [own, { ...own, _id: "Alone", hasDecider: false }] };
  renderFeature(<Approvals />);
  expect(screen.getAllByText(/Another administrator has to approve it\./)).toHaveLength(2);
  expect(screen.getAllByText(/add another administrator first/)).toHaveLength(1);
});

test("a person's page shows three of many requests until all are wanted", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Change ${index + 1}`);
  fakeServer.queries = { [LIST]: names.map(waitingOf) };
  const { user } = renderFeature(<PersonApprovals userId="maya" />);
  expect(screen.getAllByRole("button", { name: "Approve change" })).toHaveLength(3);
  await user.click(screen.getByRole("button", { name: "Show all (20)" }));
  expect(screen.getAllByRole("button", { name: "Approve change" })).toHaveLength(20);
  const fourth = screen.getByRole("heading", { name: "Policy, Change 4" }).closest("li");
  expect(fourth).toHaveFocus();
  expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
});
