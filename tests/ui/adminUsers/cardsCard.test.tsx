/** A member's cards in the back office: what is shown, what is sent, and a change made elsewhere meanwhile. */
import { screen, waitFor, within } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { CardsCard } from "../../../src/features/adminUsers/CardsCard";
import type { StaffCard, StaffCards } from "../../../src/features/adminUsers/cardActs";
import { useCards } from "../../../src/features/adminUsers/useCards";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const MAYA = { _id: "maya", status: "approved", role: "user" } as unknown as UserDetailData;
const DEBIT: StaffCard = {
  _id: "c1" as StaffCard["_id"],
  kind: "debit",
  lastFour: "4411",
  expiry: "11/29",
  status: "Active",
  holderName: "Maya Torres",
};
const CREDIT: StaffCard = {
  ...DEBIT,
  _id: "c2" as StaffCard["_id"],
  kind: "credit",
  lastFour: "7",
};

function Harness({ person = MAYA }: { person?: UserDetailData }) {
  return <CardsCard {...useCards(person)} />;
}

const setStatus = vi.fn(async () => null);
const replace = vi.fn(async () => ({ lastFour: "5522" }));

const answer = (debit: StaffCard, replaced: StaffCards["replaced"] = []) => {
  fakeServer.queries = { "admin/cards:list": { cards: [debit, CREDIT], replaced } };
};

beforeEach(() => {
  setStatus.mockReset();
  replace.mockClear();
  fakeServer.calls = { "admin/cards:setStatus": setStatus, "admin/cards:replace": replace };
  answer(DEBIT);
});

const debit = () => within(screen.getByRole("region", { name: "Debit card", hidden: true }));

/** Presses a button of the debit card, gives a reason and confirms, unless the dialog is to be looked at. */
async function ask(label: string, title: string) {
  const rendered = renderFeature(<Harness />);
  const { user } = rendered;
  await user.click(debit().getByRole("button", { name: label }));
  const dialog = await screen.findByRole("dialog", { name: title });
  const confirm = () =>
    user.click(within(screen.getByRole("dialog")).getByRole("button", { name: label }));
  const reason = (text: string) => user.type(within(dialog).getByLabelText("Reason"), text);
  return { ...rendered, dialog, confirm, reason };
}

test.each([
  ["Lock card", "Lock debit card ending 4411", "Active", "Locked", "was locked"],
  ["Unlock card", "Unlock debit card ending 4411", "Locked", "Active", "was unlocked"],
  [
    "Report lost",
    "Report debit card ending 4411 lost",
    "Locked",
    "Reported lost",
    "was reported lost",
  ],
] as const)(
  "%s asks for a reason and says what was done",
  async (label, title, before, after, said) => {
    answer({ ...DEBIT, status: before });
    const { confirm, reason } = await ask(label, title);
    await confirm();
    expect(screen.getByLabelText("Reason")).toHaveAccessibleDescription(
      new RegExp(MESSAGES.REASON_REQUIRED),
    );
    expect(setStatus).not.toHaveBeenCalled();
    await reason(" Knew her payments ");
    await confirm();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(setStatus.mock.calls).toEqual([
      [{ cardId: "c1", status: after, reason: "Knew her payments" }],
    ]);
    expect(screen.getByText(`The debit card ending 4411 ${said}.`)).toBeVisible();
  },
);

test("a lost card can only be replaced; its heading then has the focus, and the new number is said", async () => {
  answer({
    ...DEBIT,
    status: "Reported lost",
    statusChangedAt: Date.parse("2026-03-02T17:00:00Z"),
  });
  const { confirm, reason } = await ask("Issue new card", "Replace debit card ending 4411");
  expect(debit().getByText("Reported lost on")).toBeInTheDocument();
  expect(debit().getAllByRole("button", { hidden: true })).toHaveLength(1);
  await reason("Asked");
  await confirm();
  await waitFor(() => expect(screen.getByRole("heading", { name: "Debit card" })).toHaveFocus());
  expect(replace.mock.calls).toEqual([[{ cardId: "c1", reason: "Asked" }]]);
  expect(screen.getByText("The new debit card ends in 5522.")).toBeVisible();
  expect(setStatus).not.toHaveBeenCalled();
});

test("a refused replacement is said until it closes, and leaves the focus at its button, as a later question does", async () => {
  answer({ ...DEBIT, status: "Reported lost" });
  replace.mockRejectedValueOnce(
    new ConvexError({ code: "OWN_ACCOUNT_FORBIDDEN", message: MESSAGES.OWN_ACCOUNT_FORBIDDEN }),
  );
  const title = "Replace debit card ending 4411";
  const { user, confirm, reason } = await ask("Issue new card", title);
  const opener = () => debit().getByRole("button", { name: "Issue new card", hidden: true });
  const leaveAndReturn = async () => {
    await user.keyboard("{Escape}");
    await waitFor(() => expect(opener()).toHaveFocus());
    await user.click(opener());
    await screen.findByRole("dialog", { name: title });
  };
  await reason("Asked");
  await confirm();
  expect(await screen.findByText(MESSAGES.OWN_ACCOUNT_FORBIDDEN)).toBeVisible();
  await leaveAndReturn();
  expect(screen.queryByRole("alert")).toBeNull();
  await confirm();
  await waitFor(() => expect(screen.getByRole("heading", { name: "Debit card" })).toHaveFocus());
  await user.click(opener());
  await screen.findByRole("dialog", { name: title });
  await leaveAndReturn();
});

test("a reason belongs to its card, and one's own change is not taken for somebody else's", async () => {
  let done: (value: null) => void = () => undefined;
  setStatus.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
  const { user, confirm, reason, rerender } = await ask("Lock card", "Lock debit card ending 4411");
  await reason("Asked");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const credit = within(screen.getByRole("region", { name: "Credit card" }));
  await user.click(credit.getByRole("button", { name: "Lock card" }));
  await screen.findByRole("dialog", { name: "Lock credit card ending 7" });
  expect(screen.getByLabelText("Reason")).toHaveValue("");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(debit().getByRole("button", { name: "Lock card" }));
  await screen.findByRole("dialog", { name: "Lock debit card ending 4411" });
  await confirm();
  answer({ ...DEBIT, status: "Locked" });
  rerender(<Harness />);
  expect(screen.queryByRole("alert")).toBeNull();
  done(null);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what was replaced is listed, and everything has its name", async () => {
  const replacedAt = Date.parse("2026-03-02T17:00:00Z");
  answer(DEBIT, [{ _id: "c0" as StaffCard["_id"], kind: "debit", lastFour: "1300", replacedAt }]);
  renderFeature(<Harness />);
  expect(screen.getByRole("listitem")).toHaveTextContent(
    /^Debit card ending 1300 was reported lost and replaced on March\s2,\s2026\.$/,
  );
  expect(screen.queryByText(/no longer work/)).toBeNull();
  await expectNoAxeViolations();
});

test("a refusal keeps the dialog and the reason; the next question starts without it", async () => {
  setStatus.mockRejectedValueOnce(
    new ConvexError({ code: "OWN_ACCOUNT_FORBIDDEN", message: MESSAGES.OWN_ACCOUNT_FORBIDDEN }),
  );
  const { user, dialog, confirm, reason } = await ask("Lock card", "Lock debit card ending 4411");
  await reason("Asked");
  await confirm();
  expect(await within(dialog).findByText(MESSAGES.OWN_ACCOUNT_FORBIDDEN)).toBeVisible();
  expect(within(dialog).getByLabelText("Reason")).toHaveValue("Asked");
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(debit().getByRole("button", { name: "Report lost" }));
  await screen.findByRole("dialog", { name: "Report debit card ending 4411 lost" });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByLabelText("Reason")).toHaveValue("");
});

test.each([
  ["locked", { ...DEBIT, status: "Locked" as const }],
  ["replaced", { ...DEBIT, _id: "c3" as StaffCard["_id"] }],
])("a card %s by somebody else is said in the open dialog", async (_how, changed) => {
  const { dialog, rerender } = await ask("Lock card", "Lock debit card ending 4411");
  expect(within(dialog).queryByRole("alert")).toBeNull();
  answer(changed);
  rerender(<Harness />);
  expect(within(dialog).getByRole("alert")).toHaveTextContent(/in the meantime/);
});

test("somebody who is not accepted gets no card that works; without cards there is nothing", () => {
  const rejected = { ...MAYA, status: "rejected" as const };
  answer({ ...DEBIT, status: "Locked" });
  const { rerender } = renderFeature(<Harness person={rejected} />);
  const labels = () =>
    debit()
      .queryAllByRole("button")
      .map(({ textContent }) => textContent);
  expect(labels()).toEqual(["Report lost"]);
  expect(screen.getByText(/these cards no longer work/)).toBeVisible();
  answer({ ...DEBIT, status: "Reported lost" });
  rerender(<Harness person={{ ...rejected }} />);
  expect(labels()).toEqual([]);
  fakeServer.queries = { "admin/cards:list": { cards: [], replaced: [] } };
  rerender(<Harness person={{ ...rejected }} />);
  expect(screen.queryByRole("region")).toBeNull();
});
