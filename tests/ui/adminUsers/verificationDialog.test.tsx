import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { VERIFICATION_CHECKS } from "../../../convex/shared/validators";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import {
  VerificationDialog,
  type VerificationActions,
} from "../../../src/features/adminUsers/VerificationDialog";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const USER: UserDetailData = {
  _id: "u1" as UserDetailData["_id"],
  email: "lena@demo.example",
  name: "Lena Fischer",
  role: "pending",
  status: "pending",
  accountCount: 0,
  createdAt: 0,
  isProtected: false,
  phone: undefined,
  registrationDate: 0,
  createdBy: undefined,
  transferCount: 0,
  personalInfo: undefined,
  contactDetails: undefined,
  flatAddress: undefined,
  documents: undefined,
  rejectionReason: undefined,
  rejectedAt: undefined,
  isFormerMember: false,
  disabledAt: undefined,
  infoRequests: [],
  verificationChecks: [],
  restriction: null,
  accounts: [],
};

const account = (type: "Checking" | "Savings", balanceCents: bigint) =>
  ({ type, balanceCents }) as UserDetailData["accounts"][number];

const ticked = (count: number) =>
  VERIFICATION_CHECKS.slice(0, count).map((check) => ({
    check,
    checkedBy: "admin@demo.example",
    checkedAt: 0,
  }));

function renderDialog(
  user: UserDetailData,
  overrides: Partial<VerificationActions> = {},
  seenStatus: UserDetailData["status"] = "pending",
) {
  const actions: VerificationActions = {
    onSetCheck: async () => true,
    onApprove: async () => true,
    onReject: async () => true,
    onReopen: async () => true,
    onRequestInformation: async () => true,
    isBusy: false,
    failure: null,
    clearFailure: () => undefined,
    ...overrides,
  };
  const onClose = vi.fn();
  return {
    onClose,
    ...renderFeature(
      <VerificationDialog
        isOpen
        onClose={onClose}
        user={user}
        seenStatus={seenStatus}
        {...actions}
      />,
    ),
  };
}

describe("User Verification", () => {
  test("the reason of a rejection stands in no live region: that it was done is announced", async () => {
    renderDialog({ ...USER, status: "rejected", rejectionReason: "Not legible" }, {}, "rejected");
    const reason = await screen.findByText("Not legible");
    expect(reason.closest("[role=status]")).toBeNull();
  });

  test("says so when somebody else decides meanwhile", async () => {
    const own = renderDialog({ ...USER, status: "approved" }, { isBusy: true });
    expect(await screen.findByRole("dialog")).not.toHaveTextContent("already been decided");
    own.unmount();
    renderDialog({ ...USER, status: "approved" });
    expect(await screen.findByRole("alert")).toHaveTextContent("already been decided");
    for (const name of ["Approve", "Reject", "Request more information"]) {
      expect(screen.getByRole("button", { name })).toBeDisabled();
    }
  });

  test.each([
    ["pending", ["Approve", "Reject", "Request more information"]],
    ["unknown", ["Approve", "Reject", "Request more information"]],
    ["approved", ["Reject"]],
    ["active", ["Reject"]],
    ["rejected", ["Approve", "Reopen application"]],
  ] as const)(
    "offers to someone who is %s what the server accepts: %j",
    async (status, offered) => {
      renderDialog({ ...USER, status, verificationChecks: ticked(10) }, {}, status);
      await screen.findByRole("dialog");
      const [reopen] = screen.queryAllByRole("button", { name: "Reopen application" });
      const enabled = ["Approve", "Reject", "Request more information"].filter(
        (name) => !screen.getByRole<HTMLButtonElement>("button", { name }).disabled,
      );
      expect([...enabled, ...(reopen === undefined ? [] : ["Reopen application"])]).toEqual(
        offered,
      );
      expect(screen.queryAllByText(/takes (that|the rejection) back/)).toHaveLength(
        offered.length < 3 ? 1 : 0,
      );
    },
  );

  test("says what a rejection is to a member", async () => {
    const accounts = [account("Checking", 1_000n), account("Savings", -250n)];
    const { user } = renderDialog({ ...USER, status: "active", accounts }, {}, "active");
    await user.click(await screen.findByRole("button", { name: "Reject" }));
    expect(screen.getByLabelText("Reason for rejection")).toHaveAccessibleDescription(
      "The member is told that the membership has ended, and why.",
    );
    expect(screen.getByRole("button", { name: "End membership" })).toBeVisible();
    expect(screen.getByText(/membership ends/)).toHaveTextContent(
      "The accounts keep their money: Checking $10.00, Savings -$2.50.",
    );
  });

  test("a membership that was ended is no application to reopen", async () => {
    renderDialog({ ...USER, status: "rejected", isFormerMember: true }, {}, "rejected");
    expect(await screen.findByText(/This membership was ended/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Reopen application" })).not.toBeInTheDocument();
  });

  test("reopening needs a reason, and closes the dialog", async () => {
    const onReopen = vi.fn(async () => true);
    const { user, onClose } = renderDialog(
      { ...USER, status: "rejected" },
      { onReopen },
      "rejected",
    );
    await user.click(await screen.findByRole("button", { name: "Reopen application" }));
    await user.click(screen.getByRole("button", { name: "Reopen application" }));
    expect(onReopen).not.toHaveBeenCalled();
    expect(screen.getByLabelText("Reason for looking again")).toBeInvalid();
    await user.type(screen.getByLabelText("Reason for looking again"), "A newer passport");
    await user.click(screen.getByRole("button", { name: "Reopen application" }));
    expect(onReopen).toHaveBeenCalledWith("A newer passport");
    expect(onClose).toHaveBeenCalled();
  });

  test("a reason that was kept is not asked for once somebody else has rejected", async () => {
    const { user, unmount } = renderDialog(USER);
    await user.click(await screen.findByRole("button", { name: "Reject" }));
    await user.type(screen.getByLabelText("Reason for rejection"), "Half written");
    unmount();
    renderDialog({ ...USER, status: "rejected" }, {}, "rejected");
    expect(await screen.findByRole("button", { name: "Reject" })).toBeDisabled();
    expect(screen.queryByLabelText("Reason for rejection")).not.toBeInTheDocument();
  });

  test("a question that was kept does not become the reason of a later rejection", async () => {
    const { user, unmount } = renderDialog(USER);
    await user.click(await screen.findByRole("button", { name: "Request more information" }));
    await user.type(screen.getByRole("textbox"), "A newer photo, please");
    unmount();
    const later = renderDialog({ ...USER, status: "approved" }, {}, "approved");
    await later.user.click(await screen.findByRole("button", { name: "Reject" }));
    expect(screen.getByLabelText("Reason for rejection")).toHaveValue("");
  });

  test("does not take its own decision for another's", async () => {
    renderDialog({ ...USER, status: "approved" }, { isBusy: true });
    await screen.findByRole("dialog");
    expect(screen.queryByText(/already decided/)).not.toBeInTheDocument();
  });

  test("a box shows what was asked last, until that is answered", async () => {
    const answers: ((isOk: boolean) => void)[] = [];
    const onSetCheck = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const { user } = renderDialog(USER, { onSetCheck });
    const [box] = await screen.findAllByRole("checkbox");
    for (let press = 0; press < 3; press += 1) await user.click(box!);
    await act(async () => answers[0]?.(true));
    expect(box).toBeChecked();
    await act(async () => answers[2]?.(true));
    expect(box).not.toBeChecked();
  });

  test("Approve waits for all ten checks", async () => {
    renderDialog({ ...USER, verificationChecks: ticked(9) });
    expect(await screen.findAllByRole("checkbox")).toHaveLength(10);
    expect(screen.getByText("9 of 10 checked")).toBeVisible();
    expect(screen.getByRole("button", { name: "Approve" })).toBeDisabled();
    await expectNoAxeViolations();
  });

  test("with ten checks it approves and closes", async () => {
    const onApprove = vi.fn(async () => true);
    const { user, onClose } = renderDialog(
      { ...USER, verificationChecks: ticked(10) },
      { onApprove },
    );
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    expect(onApprove).toHaveBeenCalledOnce();
    expect(onClose).toHaveBeenCalled();
  });

  test("a failed approval stays open with its sentence", async () => {
    const { user, onClose } = renderDialog(
      { ...USER, verificationChecks: ticked(10) },
      { onApprove: async () => false, failure: "Failed to update user status" },
    );
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    expect(screen.getByRole("alert")).toHaveTextContent("Failed to update user status");
    expect(onClose).not.toHaveBeenCalled();
  });

  test("a request needs a text, which is not called a reason", async () => {
    const { user } = renderDialog(USER);
    await user.click(await screen.findByRole("button", { name: "Request more information" }));
    await user.click(screen.getByRole("button", { name: "Send request" }));
    const field = screen.getByLabelText("Information needed");
    expect(field).toHaveAccessibleDescription(/Please fill in all required fields/);
    expect(field).toHaveFocus();
  });

  test("Back from a reopening gives the focus back to its button", async () => {
    const { user } = renderDialog({ ...USER, status: "rejected" }, {}, "rejected");
    await user.click(await screen.findByRole("button", { name: "Reopen application" }));
    await user.click(screen.getByRole("button", { name: "Back" }));
    const opener = await screen.findByRole("button", { name: "Reopen application" });
    await waitFor(() => expect(opener).toHaveFocus());
  });

  test("a rejection needs a reason", async () => {
    const onReject = vi.fn(async () => true);
    const { user } = renderDialog(USER, { onReject });
    await user.click(await screen.findByRole("button", { name: "Reject" }));
    await user.click(screen.getByRole("button", { name: "Reject application" }));
    expect(onReject).not.toHaveBeenCalled();
    expect(screen.getByLabelText("Reason for rejection")).toBeInvalid();
    await user.click(screen.getByLabelText("Reason for rejection"));
    await user.paste("The documents do not match.");
    await user.click(screen.getByRole("button", { name: "Reject application" }));
    expect(onReject).toHaveBeenCalledWith("The documents do not match.");
  });

  test.each([
    ["Reject", "Back"],
    ["Request more information", "Back"],
    ["Request more information", "Send request"],
  ])("%s: %s gives the focus back to the button that led there", async (opener, way) => {
    const { user } = renderDialog(USER);
    await user.click(await screen.findByRole("button", { name: opener }));
    await user.keyboard("A newer passport");
    await user.click(screen.getByRole("button", { name: way }));
    await waitFor(() => expect(screen.getByRole("button", { name: opener })).toHaveFocus());
  });

  describe("requests for information", () => {
    type Request = UserDetailData["infoRequests"][number];
    const OPEN: Request = {
      requestId: "r2" as Request["requestId"],
      text: "A newer passport",
      requestedAt: 90_000,
    };
    const ANSWERED: Request = {
      requestId: "r1" as Request["requestId"],
      text: "A second address proof",
      requestedAt: 0,
      answer: "It is on its way.",
      answeredAt: 60_000,
    };

    test("all are shown, each with its answer", async () => {
      renderDialog({ ...USER, infoRequests: [OPEN, ANSWERED] });
      expect(await screen.findByText("A newer passport")).toBeVisible();
      expect(screen.getByText("The applicant has not answered yet.")).toBeVisible();
      expect(screen.getByText("A second address proof")).toBeVisible();
      expect(screen.getByText("It is on its way.")).toBeVisible();
    });

    test.each(["approved", "rejected", "active"] as const)(
      "of somebody who is %s no answer is awaited",
      async (status) => {
        renderDialog({ ...USER, status, infoRequests: [OPEN] });
        expect(await screen.findByText("The decision was made without an answer.")).toBeVisible();
        expect(screen.queryByText(/not answered yet/)).not.toBeInTheDocument();
      },
    );
  });
});
