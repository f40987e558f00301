import { screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import {
  StandingCard,
  type StandingCardProps,
} from "../../../src/features/adminUsers/StandingCard";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const onSetDisabled = vi.fn<StandingCardProps["onSetDisabled"]>(async () => true);
const onSetRole = vi.fn<StandingCardProps["onSetRole"]>(async () => true);

const card = (changes: Partial<StandingCardProps> = {}) => (
  <StandingCard
    userId="maya"
    role="user"
    disabledAt={undefined}
    lock={null}
    transferCount={0}
    canResetCount
    canChangeRole
    onSetRole={onSetRole}
    onSetDisabled={onSetDisabled}
    onUnlock={async () => true}
    onResetPassword={async () => true}
    onResetCount={() => undefined}
    issued={null}
    onPasswordTold={() => undefined}
    isBusy={false}
    failure={null}
    clearFailure={() => undefined}
    done={null}
    {...changes}
  />
);

describe("a question keeps what it was opened for", () => {
  test("sign-in that is disabled meanwhile is not enabled again", async () => {
    const { user, rerender } = renderFeature(card());
    await user.click(screen.getByRole("button", { name: "Disable sign-in" }));
    const dialog = await screen.findByRole("dialog", { name: "Disable sign-in" });
    expect(dialog).toHaveAccessibleDescription(
      "All of this person's sessions end at once, and they are told by email. Money sent to them still arrives.",
    );
    await user.type(within(dialog).getByLabelText("Reason"), "attack under way");
    rerender(card({ disabledAt: 0 }));
    expect(within(dialog).getByRole("alert")).toHaveTextContent(
      "Sign-in has been disabled in the meantime.",
    );
    await expectNoAxeViolations();
    await user.click(within(dialog).getByRole("button", { name: "Disable sign-in" }));
    expect(onSetDisabled.mock.calls).toEqual([[true, "attack under way"]]);
  });

  test("an administrator made meanwhile does not become a member", async () => {
    const { user, rerender } = renderFeature(card());
    await user.click(screen.getByRole("button", { name: "Make administrator" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Make administrator?" });
    rerender(card({ role: "admin" }));
    expect(within(dialog).getByRole("alert")).toHaveTextContent(
      "Someone has changed the role in the meantime.",
    );
    await user.click(within(dialog).getByRole("button", { name: "Make administrator" }));
    expect(onSetRole.mock.calls).toEqual([["admin"]]);
  });

  test("the next question asks the opposite of what is true then", async () => {
    const { user, rerender } = renderFeature(card());
    rerender(card({ disabledAt: 0, role: "admin" }));
    await user.click(screen.getByRole("button", { name: "Make member" }));
    await user.click(
      within(await screen.findByRole("alertdialog", { name: "Make member?" })).getByRole("button", {
        name: "Make member",
      }),
    );
    expect(onSetRole).toHaveBeenLastCalledWith("user");
  });
});

test.each([
  [undefined, /, signs in with it and chooses their own\. Their sessions end/],
  [0, /, to sign in with once their sign-in is enabled again: it stays disabled\. Their sessions/],
])(
  "what a new password is good for (disabled at %s) is said before it is given",
  async (disabledAt, text) => {
    const { user } = renderFeature(card({ disabledAt }));
    await user.click(screen.getByRole("button", { name: "Reset password" }));
    expect(await screen.findByRole("dialog")).toHaveAccessibleDescription(text);
  },
);

describe("the transfer count", () => {
  const button = { name: "Reset transfer count" };

  test.each(["user", "admin"])("of one person (%s) is reset here", async (role) => {
    const onResetCount = vi.fn();
    const { user, rerender } = renderFeature(card({ role, transferCount: 2, onResetCount }));
    await user.click(screen.getByRole("button", button));
    expect(onResetCount).toHaveBeenCalledOnce();
    await expectNoAxeViolations();
    rerender(card({ role, failure: "You cannot do this to your own account" }));
    expect(screen.getByRole("alert")).toHaveTextContent("You cannot do this to your own account");
  });

  test("of the protected account is not", () => {
    renderFeature(card({ canResetCount: false }));
    expect(screen.queryByRole("button", button)).not.toBeInTheDocument();
  });

  test("what a dialog says is not said below it too", async () => {
    const { user, rerender } = renderFeature(card());
    await user.click(screen.getByRole("button", { name: "Disable sign-in" }));
    const dialog = await screen.findByRole("dialog", { name: "Disable sign-in" });
    rerender(card({ failure: "This cannot be saved" }));
    expect(within(dialog).getByRole("alert")).toHaveTextContent("This cannot be saved");
    expect(screen.getAllByText("This cannot be saved")).toHaveLength(1);
  });
});

describe("a wait after too many wrong tries", () => {
  const lock = { untilMs: 0, by: "wrong passwords" };
  const button = { name: "Unlock sign-in" };

  test("is shown, and ended for a reason", async () => {
    const onUnlock = vi.fn<StandingCardProps["onUnlock"]>(async () => true);
    const { user } = renderFeature(card({ lock, onUnlock }));
    expect(screen.getByText(/^Locked until .* after too many wrong passwords$/)).toBeVisible();
    await user.click(screen.getByRole("button", button));
    const dialog = await screen.findByRole("dialog", button);
    await user.type(within(dialog).getByLabelText("Reason"), "called from home");
    await expectNoAxeViolations();
    await user.click(within(dialog).getByRole("button", button));
    expect(onUnlock.mock.calls).toEqual([["called from home"]]);
  });

  test("that ends meanwhile is said to have ended", async () => {
    const { user, rerender } = renderFeature(card({ lock }));
    await user.click(screen.getByRole("button", button));
    const dialog = await screen.findByRole("dialog", button);
    rerender(card());
    expect(within(dialog).getByRole("alert")).toHaveTextContent(
      "The wait has ended in the meantime.",
    );
    expect(screen.queryByText(/^Locked until/)).not.toBeInTheDocument();
  });
});
