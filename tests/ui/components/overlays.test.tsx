import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Button } from "../../../src/components/ui/Button";
import { AlertDialog, Dialog } from "../../../src/components/ui/Dialog";
import { Menu } from "../../../src/components/ui/Menu";
import { ReasonDialog } from "../../../src/components/ui/ReasonDialog";
import { Popover } from "../../../src/components/ui/Popover";
import { Tabs } from "../../../src/components/ui/Tabs";
import { Tooltip } from "../../../src/components/ui/Tooltip";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

function DialogDemo({ isBusy = false }: { isBusy?: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <main>
      <Button onClick={() => setIsOpen(true)}>Create New User</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Create New User"
        description="They can sign in at once."
        isBusy={isBusy}
        footer={<Button onClick={() => setIsOpen(false)}>Cancel</Button>}
      >
        <p>Body</p>
      </Dialog>
    </main>
  );
}

describe("Dialog", () => {
  test("opens with its name, passes axe, closes on Escape and returns the focus", async () => {
    const { user } = renderFeature(<DialogDemo />);
    const opener = screen.getByRole("button", { name: "Create New User" });
    await user.click(opener);
    const dialog = await screen.findByRole("dialog", { name: "Create New User" });
    expect(dialog).toHaveAccessibleDescription("They can sign in at once.");
    await expectNoAxeViolations();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(opener).toHaveFocus());
    await user.click(opener);
    const again = await screen.findByRole("dialog");
    // Nothing typed is lost by a press beside this one.
    await user.click(again.parentElement ?? document.body);
    await waitFor(() => expect(again).not.toBeInTheDocument());
  });

  test("that asks for text starts in its first field and keeps it when pressed beside", async () => {
    const { user } = renderFeature(
      <Dialog isOpen onClose={() => expect.fail("closed")} title="Make administrator">
        <input type="checkbox" aria-label="Sure" />
        <textarea aria-label="Reason" />
      </Dialog>,
    );
    await waitFor(() => expect(screen.getByLabelText("Reason")).toHaveFocus());
    const dialog = screen.getByRole("dialog");
    await user.click(dialog.parentElement ?? document.body);
    expect(dialog).toBeVisible();
  });

  test("keeps its words while it fades out, though its subject is gone", async () => {
    const report = (kind: string | null) => (
      <AlertDialog
        isOpen={kind !== null}
        onClose={() => undefined}
        title={`Report this ${kind ?? ""} card lost?`}
        description={kind === null ? undefined : `The ${kind} card is blocked at once.`}
      />
    );
    // As a browser with motion: it is still fading when it is looked at.
    vi.stubGlobal("requestAnimationFrame", () => 0);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { rerender } = renderFeature(report("debit"));
    const dialog = await screen.findByRole("alertdialog");
    rerender(report(null));
    expect(dialog).toBeInTheDocument();
    expect(dialog).toHaveTextContent("Report this debit card lost?The debit card is blocked");
  });

  test("stays open while something is in flight", async () => {
    const { user } = renderFeature(<DialogDemo isBusy />);
    await user.click(screen.getByRole("button", { name: "Create New User" }));
    const dialog = await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    expect(dialog).toBeVisible();
  });

  test("that misses its reason says so and moves the focus there", async () => {
    const onConfirm = vi.fn(async () => true);
    const { user } = renderFeature(
      <ReasonDialog
        draftKey="sign-in-maya"
        isOpen
        isBusy={false}
        onClose={() => undefined}
        onConfirm={onConfirm}
        title="Disable sign-in"
        confirmLabel="Disable sign-in"
        hint="Kept in the audit log."
      />,
    );
    await user.click(await screen.findByRole("button", { name: "Disable sign-in" }));
    expect(screen.getByLabelText("Reason")).toHaveFocus();
    expect(screen.getByLabelText("Reason")).toBeInvalid();
    expect(onConfirm).not.toHaveBeenCalled();
    // Refusing overlong text is up to the server: nothing that was written is cut silently.
    const long = "because ".repeat(100).trim();
    await user.paste(long);
    await user.click(screen.getByRole("button", { name: "Disable sign-in" }));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith(long);
  });

  test("an alert dialog has the role alertdialog and its sentence once", async () => {
    renderFeature(
      <AlertDialog
        isOpen
        onClose={() => undefined}
        icon="warning"
        title="Transaction Blocked"
        description="Blocked for security reasons."
        footer={<Button>Close</Button>}
      />,
    );
    const dialog = await screen.findByRole("alertdialog", { name: "Transaction Blocked" });
    expect(within(dialog).getAllByText("Blocked for security reasons.")).toHaveLength(1);
    await expectNoAxeViolations();
  });
});

describe("Menu", () => {
  function MenuDemo({ onSignOut }: { onSignOut: () => void }) {
    return (
      <main>
        <Menu
          label="Account menu, Maya"
          trigger="Maya"
          entries={[
            { label: "Profile Settings", to: "/settings/profile" },
            { label: "Sign out", onSelect: onSignOut },
          ]}
        />
      </main>
    );
  }

  test("opens by keyboard on its first entry, moves with arrows, returns the focus on Escape", async () => {
    const { user } = renderFeature(<MenuDemo onSignOut={() => undefined} />);
    const button = screen.getByRole("button", { name: "Account menu, Maya" });
    button.focus();
    await user.keyboard("{ArrowDown}");
    await waitFor(() =>
      expect(screen.getByRole("menuitem", { name: "Profile Settings" })).toHaveFocus(),
    );
    await user.keyboard("{ArrowUp}");
    expect(screen.getByRole("menuitem", { name: "Sign out" })).toHaveFocus();
    await expectNoAxeViolations();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute("aria-expanded", "false");
  });

  test("an entry acts once and closes the menu", async () => {
    const onSignOut = vi.fn();
    const { user } = renderFeature(<MenuDemo onSignOut={onSignOut} />);
    await user.click(screen.getByRole("button", { name: /Account menu/ }));
    await user.click(screen.getByRole("menuitem", { name: "Sign out" }));
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
  });
});

test("a popover takes the focus, closes on Escape and on a press outside", async () => {
  const { user } = renderFeature(
    <main>
      <Popover label="Notifications, 2 unread" trigger="bell" title="Notifications">
        <p>Nothing yet</p>
      </Popover>
      <p>Outside</p>
    </main>,
  );
  const button = screen.getByRole("button", { name: "Notifications, 2 unread" });
  await user.click(button);
  const panel = screen.getByRole("dialog", { name: "Notifications" });
  expect(panel).toHaveFocus();
  await expectNoAxeViolations();
  await user.keyboard("{Escape}");
  expect(panel).not.toBeInTheDocument();
  expect(button).toHaveFocus();
  await user.click(button);
  await user.click(screen.getByText("Outside"));
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("news in an open popover leave the focus where it is; an action that leaves hands it over", async () => {
  const bell = (items: number, hasAction: boolean) => (
    <Popover
      label={`Notifications, ${items} unread`}
      trigger="bell"
      title="Notifications"
      actions={hasAction && <Button>Mark all as read</Button>}
    >
      <p>{items} items</p>
    </Popover>
  );
  const { user, rerender } = renderFeature(bell(1, true));
  await user.click(screen.getByRole("button", { name: "Notifications, 1 unread" }));
  const action = screen.getByRole("button", { name: "Mark all as read" });
  act(() => action.focus());
  rerender(bell(2, true));
  expect(screen.getByText("2 items")).toBeVisible();
  expect(action).toHaveFocus();
  rerender(bell(2, false));
  expect(screen.getByRole("dialog", { name: "Notifications" })).toHaveFocus();
});

test("a tooltip shows on focus and on hover and describes its button when closed", async () => {
  const { user } = renderFeature(
    <main>
      <Tooltip label="Help" trigger="?">
        support@wrenmoor.example
      </Tooltip>
    </main>,
  );
  const button = screen.getByRole("button", { name: "Help" });
  expect(button).toHaveAccessibleDescription("support@wrenmoor.example");
  expect(screen.queryByRole("tooltip")).not.toBeInTheDocument();
  act(() => button.focus());
  expect(screen.getByRole("tooltip")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).not.toBeInTheDocument();
  await user.click(button);
  expect(screen.getByRole("tooltip")).toBeVisible();
  await expectNoAxeViolations();
});

describe("Tabs", () => {
  function TabsDemo() {
    const [tab, setTab] = useState<"one" | "two">("one");
    return (
      <main>
        <Tabs
          label="Transfer type"
          value={tab}
          onValueChange={setTab}
          items={[
            { value: "one", label: "Between Accounts", content: <input aria-label="Amount" /> },
            { value: "two", label: "International", count: 1_003, content: <p>Second</p> },
          ]}
        />
      </main>
    );
  }

  test("arrow keys select, a visited panel keeps what was typed, an unvisited one is not mounted", async () => {
    const { user } = renderFeature(<TabsDemo />);
    expect(screen.queryByText("Second")).not.toBeInTheDocument();
    await user.type(screen.getByLabelText("Amount"), "25");
    await user.click(screen.getByRole("tab", { name: "Between Accounts" }));
    await user.keyboard("{ArrowRight}");
    expect(screen.getByRole("tab", { name: "International 1,003" })).toHaveFocus();
    expect(screen.getByRole("tabpanel", { name: "International 1,003" })).toHaveTextContent(
      "Second",
    );
    await expectNoAxeViolations();
    await user.keyboard("{ArrowLeft}");
    expect(screen.getByLabelText("Amount")).toHaveValue("25");
  });

  test("arrow keys go round; with Alt they are the browser's own", async () => {
    const { user } = renderFeature(<TabsDemo />);
    const [first, last] = screen.getAllByRole("tab");
    await user.click(first!);
    await user.keyboard("{ArrowLeft}");
    expect(last).toHaveFocus();
    expect(fireEvent.keyDown(last!, { key: "ArrowLeft", altKey: true })).toBe(true);
    expect(last).toHaveAttribute("aria-selected", "true");
    await user.keyboard("{ArrowRight}");
    expect(first).toHaveFocus();
  });

  test("a panel is named after its tab, also where the value is several words", () => {
    renderFeature(
      <Tabs
        label="State"
        value="Pending Review"
        onValueChange={() => undefined}
        items={[{ value: "Pending Review", label: "Waiting" }]}
      >
        Two checks
      </Tabs>,
    );
    expect(screen.getByRole("tabpanel", { name: "Waiting" })).toHaveTextContent("Two checks");
  });
});
