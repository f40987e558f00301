/** What an administrator typed is back after a time-out, and gone once it is submitted or discarded. */
import { screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { ReasonDialog } from "../../../src/components/ui/ReasonDialog";
import { AccountCard, type AccountCardProps } from "../../../src/features/adminUsers/AccountCard";
import { CreateUserModal } from "../../../src/features/adminUsers/CreateUserModal";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { VerificationDialog } from "../../../src/features/adminUsers/VerificationDialog";
import { renderFeature } from "../../support/renderFeature";
import { PATIENCE } from "../../support/patience";

const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith("draft:"));
const press = (name: string) => screen.findByRole("button", { name });

describe("a reason", () => {
  const question = (
    draftKey = "sign-in-maya",
    onConfirm: (reason: string) => Promise<boolean> = async () => true,
  ) => (
    <ReasonDialog
      isOpen
      draftKey={draftKey}
      isBusy={false}
      onClose={() => undefined}
      onConfirm={onConfirm}
      title="Disable sign-in"
      confirmLabel="Disable sign-in"
      hint="Kept in the audit log."
    />
  );
  const typed = async (onConfirm?: () => Promise<boolean>) => {
    const first = renderFeature(question());
    await first.user.type(await screen.findByLabelText("Reason"), "Asked by phone");
    first.unmount();
    return renderFeature(question("sign-in-maya", onConfirm));
  };

  test("is kept for its act on its person, and for no other", async () => {
    const { rerender } = await typed();
    expect(await screen.findByLabelText("Reason")).toHaveValue("Asked by phone");
    rerender(question("sign-in-omar"));
    expect(screen.getByLabelText("Reason")).toHaveValue("");
    rerender(question());
    expect(screen.getByLabelText("Reason")).toHaveValue("Asked by phone");
  });

  test("is sent without the blanks around it; blanks alone are none", async () => {
    const onConfirm = vi.fn(async () => false);
    const { user } = renderFeature(question("sign-in-maya", onConfirm));
    await user.type(await screen.findByLabelText("Reason"), " ");
    await user.click(await press("Disable sign-in"));
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText("Reason"), "Asked ");
    await user.click(await press("Disable sign-in"));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith("Asked");
  });

  test("leaves when it was given, also with a page that leaves at once", async () => {
    const { user, unmount } = await typed(async () => {
      unmount();
      return true;
    });
    await user.click(await press("Disable sign-in"));
    await vi.waitFor(() => expect(drafts()).toEqual([]), PATIENCE);
  });

  test("outlives Escape", async () => {
    const { user } = await typed();
    await user.click(await screen.findByLabelText("Reason"));
    await user.keyboard("{Escape}");
    expect(drafts()).toEqual(["draft:sign-in-maya"]);
  });

  test("stays when the act was refused, and leaves with Cancel", async () => {
    const { user } = await typed(async () => false);
    await user.click(await press("Disable sign-in"));
    expect(drafts()).toEqual(["draft:sign-in-maya"]);
    await user.click(await press("Cancel"));
    expect(drafts()).toEqual([]);
  });
});

describe("a decision on an application", () => {
  const LENA = {
    _id: "lena",
    email: "lena@demo.example",
    name: "Lena Fischer",
    status: "pending",
    infoRequests: [],
    verificationChecks: [],
  } as unknown as UserDetailData;
  const dialog = (
    <VerificationDialog
      isOpen
      onClose={() => undefined}
      user={LENA}
      seenStatus="pending"
      onSetCheck={async () => true}
      onApprove={async () => true}
      onReject={async () => true}
      onReopen={async () => true}
      onRequestInformation={async () => true}
      isBusy={false}
      failure={null}
      clearFailure={() => undefined}
    />
  );

  test.each([
    ["rejection", "Reject", "Reason for rejection", "Reject application"],
    ["request", "Request more information", "Information needed", "Send request"],
  ])("%s is kept as it was, until it is sent", async (_, open, label, confirm) => {
    const first = renderFeature(dialog);
    await first.user.click(await press(open));
    await first.user.type(screen.getByLabelText(label), "The document has expired.");
    first.unmount();
    const { user } = renderFeature(dialog);
    expect(await screen.findByLabelText(label)).toHaveValue("The document has expired.");
    await user.click(await press(confirm));
    await vi.waitFor(() => expect(drafts()).toEqual([]), PATIENCE);
  });

  test("outlives Escape when anything was written", async () => {
    const first = renderFeature(dialog);
    await first.user.click(await press("Reject"));
    await first.user.keyboard("{Escape}");
    expect(drafts()).toEqual([]);
    await first.user.click(await press("Reject"));
    await first.user.type(screen.getByLabelText("Reason for rejection"), "Expired");
    await first.user.keyboard("{Escape}");
    expect(drafts()).toEqual(["draft:decision-lena"]);
  });

  test("leaves with Back", async () => {
    const { user } = renderFeature(dialog);
    await user.click(await press("Reject"));
    await user.type(screen.getByLabelText("Reason for rejection"), "Expired");
    expect(drafts()).toEqual(["draft:decision-lena"]);
    await user.click(await press("Back"));
    expect(drafts()).toEqual([]);
  });
});

describe("a new user", () => {
  const modal = (onCreate: () => Promise<string | null> = async () => null) => (
    <CreateUserModal isOpen onClose={() => undefined} onCreate={onCreate} isBusy={false} />
  );
  const typed = async (onCreate?: () => Promise<string | null>) => {
    const first = renderFeature(modal());
    const texts = {
      "Full Name": "Ines Marchetti",
      Email: "ines@mail.example",
      "Phone Number": "(555) 010-0142",
      Password: "harbor-lantern-58",
      "Street Address": "14 Quay Street",
      City: "Portland",
      State: "Maine",
      "ZIP Code": "04101",
    };
    await screen.findByRole("dialog");
    for (const [label, text] of Object.entries(texts)) {
      await first.user.click(screen.getByLabelText(label));
      await first.user.paste(text);
    }
    await first.user.selectOptions(screen.getByLabelText("Role"), "admin");
    first.unmount();
    return renderFeature(modal(onCreate));
  };

  test("is kept but for the password, which is kept nowhere", async () => {
    await typed();
    expect(await screen.findByLabelText("Full Name")).toHaveValue("Ines Marchetti");
    expect(screen.getByLabelText("Role")).toHaveValue("admin");
    expect(screen.getByLabelText("Password")).toHaveValue("");
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/harbor|password/);
  });

  test("outlives Escape, with the password, which is still kept nowhere", async () => {
    const { user } = await typed();
    await user.click(await press("Create User"));
    const problem = { name: "Password is required" };
    expect(await screen.findByRole("link", problem)).toBeVisible();
    await user.type(await screen.findByLabelText("Password"), "harbor-lantern-58");
    await user.keyboard("{Escape}");
    expect(screen.getByLabelText("Full Name")).toHaveValue("Ines Marchetti");
    expect(screen.getByLabelText("Password")).toHaveValue("harbor-lantern-58");
    expect(screen.queryByRole("link", problem)).not.toBeInTheDocument();
    expect(drafts()).toEqual(["draft:new-user"]);
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/harbor|password/);
  });

  test("leaves when it was created, and the form is empty again", async () => {
    const { user } = await typed();
    await user.type(await screen.findByLabelText("Password"), "harbor-lantern-58");
    await user.click(await press("Create User"));
    await vi.waitFor(() => expect(drafts()).toEqual([]), PATIENCE);
    expect(screen.getByLabelText("Full Name")).toHaveValue("");
    expect(screen.getByLabelText("Role")).toHaveValue("user");
  });

  test("stays when creating fails, and leaves with Cancel", async () => {
    const { user } = await typed(async () => "Not created");
    await user.type(await screen.findByLabelText("Password"), "harbor-lantern-58");
    await user.click(await press("Create User"));
    expect(await screen.findByText("Not created")).toBeVisible();
    expect(drafts()).toEqual(["draft:new-user"]);
    await user.click(await press("Cancel"));
    expect(drafts()).toEqual([]);
  });
});

describe("an edit of an account", () => {
  const ACCOUNT: AccountCardProps["account"] = {
    _id: "a1",
    type: "Checking",
    accountNumber: "1030798312",
    routingNumber: "021000021",
    balanceCents: 98_010n,
    availableCents: 90_000n,
  };
  const card = (
    changes: Partial<AccountCardProps["account"]> = {},
    onSave: AccountCardProps["onSave"] = async () => null,
  ) => <AccountCard account={{ ...ACCOUNT, ...changes }} onSave={onSave} done={null} />;
  const typed = async (next = card()) => {
    const first = renderFeature(card());
    await first.user.click(await press("Edit Checking"));
    await first.user.clear(screen.getByLabelText("Balance"));
    await first.user.type(screen.getByLabelText("Balance"), "1000");
    await first.user.type(screen.getByLabelText(/^Reason/), "Found a check");
    first.unmount();
    return renderFeature(next);
  };

  test("goes on where it was, without taking the focus", async () => {
    await typed();
    expect(screen.getByLabelText("Balance")).toHaveValue("1000.00");
    expect(screen.getByLabelText("Available")).toHaveValue("900.00");
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("Found a check");
    expect(document.body).toHaveFocus();
  });

  test("knows what it had seen, so that a change meanwhile is not overwritten", async () => {
    const onSave = vi.fn<AccountCardProps["onSave"]>(async () => null);
    const { user } = await typed(card({ balanceCents: 97_000n }, onSave));
    expect(screen.getByText("Balance is now 970.00")).toBeVisible();
    expect(await press("Save changes")).toBeDisabled();
    await user.click(await press("Keep my values"));
    await user.click(await press("Save changes"));
    expect(onSave).toHaveBeenCalledWith("a1", {
      accountNumber: "1030798312",
      routingNumber: "021000021",
      balanceCents: 100_000n,
      availableCents: 90_000n,
      expected: {
        accountNumber: "1030798312",
        routingNumber: "021000021",
        balanceCents: 97_000n,
        availableCents: 90_000n,
      },
      reason: "Found a check",
    });
  });

  test("leaves with Save and with Cancel, and stays after a refusal", async () => {
    const { user, unmount } = await typed(card({}, async () => "Not now"));
    await user.click(await press("Save changes"));
    expect(await screen.findByText("Not now")).toBeVisible();
    expect(drafts()).toEqual(["draft:account-a1"]);
    await user.click(await press("Cancel"));
    expect(drafts()).toEqual([]);
    expect(await press("Edit Checking")).toBeVisible();
    unmount();
    const again = await typed();
    await again.user.click(await press("Save changes"));
    await vi.waitFor(() => expect(drafts()).toEqual([]), PATIENCE);
    expect(await press("Edit Checking")).toBeVisible();
  });
});
