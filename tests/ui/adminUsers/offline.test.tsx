/** The back office's dialogs without a connection: they say so, keep their input, and act once when pressed again. */
import { act, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { StandingCard } from "../../../src/features/adminUsers/StandingCard";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { useStanding } from "../../../src/features/adminUsers/useStanding";
import { useVerification } from "../../../src/features/adminUsers/useVerification";
import { VerificationDialog } from "../../../src/features/adminUsers/VerificationDialog";
import { fakeServer } from "../../support/convexReact";
import { connection } from "../../support/fakeConnection";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const LENA = {
  _id: "lena",
  email: "lena@demo.example",
  name: "Lena Fischer",
  role: "user",
  status: "pending",
  transferCount: 0,
  infoRequests: [],
  verificationChecks: [],
} as unknown as UserDetailData;

const Standing = () => <StandingCard {...useStanding(LENA)} />;
const Verification = () => (
  <VerificationDialog
    {...useVerification(LENA, "pending")}
    isOpen
    onClose={() => {}}
    user={LENA}
    seenStatus="pending"
  />
);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  return () => {
    vi.useRealTimers();
    connection.mend();
  };
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a question says that there is no connection, and its act is done once, later", async () => {
  const setDisabled = vi.fn(async () => null);
  fakeServer.calls = { "admin/users:setDisabled": setDisabled };
  const { user } = renderFeature(<Standing />);
  await user.click(screen.getByRole("button", { name: "Disable sign-in" }));
  const dialog = await screen.findByRole("dialog", { name: "Disable sign-in" });
  const press = () => user.click(within(dialog).getByRole("button", { name: "Disable sign-in" }));
  connection.cut();
  await pass(3_000);
  expect(within(dialog).getByRole("status")).toHaveTextContent(TEXTS.offline);
  await user.type(within(dialog).getByLabelText("Reason"), "attack under way");
  await press();
  await pass(3_000);
  expect(within(dialog).getByRole("alert")).toHaveTextContent(MESSAGES.OFFLINE);
  expect(within(dialog).getAllByText(/You're offline/)).toHaveLength(1);
  expect(within(dialog).getByLabelText("Reason")).toHaveValue("attack under way");
  await expectNoAxeViolations();
  connection.mend();
  expect(within(dialog).getByRole("status")).toBeEmptyDOMElement();
  expect(within(dialog).queryByText(/You're offline/)).toBeNull();
  await pass(60_000);
  expect(setDisabled).not.toHaveBeenCalled();
  await press();
  expect(setDisabled.mock.calls).toEqual([
    [{ userId: "lena", isDisabled: true, reason: "attack under way" }],
  ]);
});

test("an act under way when the connection goes is said to wait, in the dialog itself", async () => {
  fakeServer.calls = { "admin/users:setDisabled": () => new Promise(() => {}) };
  const { user } = renderFeature(<Standing />);
  await user.click(screen.getByRole("button", { name: "Disable sign-in" }));
  const dialog = await screen.findByRole("dialog", { name: "Disable sign-in" });
  await user.type(within(dialog).getByLabelText("Reason"), "attack under way");
  await user.click(within(dialog).getByRole("button", { name: "Disable sign-in" }));
  connection.cut();
  await pass(3_000);
  expect(within(dialog).getByRole("status")).toHaveTextContent(
    `${TEXTS.answerAwaited} ${TEXTS.dialogStaysOpen}`,
  );
});

test("a tick that cannot be sent is taken back with the reason", async () => {
  const setCheck = vi.fn(async () => null);
  fakeServer.calls = { "admin/registrations:setCheck": setCheck };
  const { user } = renderFeature(<Verification />);
  const dialog = await screen.findByRole("dialog", { name: "User Verification" });
  const box = within(dialog).getByRole("checkbox", { name: /Email address is valid/ });
  connection.cut();
  await user.click(box);
  await pass(3_000);
  expect(within(dialog).getByRole("alert")).toHaveTextContent(MESSAGES.OFFLINE);
  expect(box).not.toBeChecked();
  expect(setCheck).not.toHaveBeenCalled();
});
