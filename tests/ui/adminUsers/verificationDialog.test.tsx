import { screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { VERIFICATION_CHECKS } from "../../../convex/shared/validators";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetail";
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
  disabledAt: undefined,
  infoRequest: undefined,
  verificationChecks: [],
  restriction: null,
  accounts: [],
};

const ticked = (count: number) =>
  VERIFICATION_CHECKS.slice(0, count).map((check) => ({
    check,
    checkedBy: "admin@demo.example",
    checkedAt: 0,
  }));

function renderDialog(user: UserDetailData, overrides: Partial<VerificationActions> = {}) {
  const actions: VerificationActions = {
    onSetCheck: async () => true,
    onApprove: async () => true,
    onReject: async () => true,
    onRequestInformation: async () => true,
    isBusy: false,
    failure: null,
    clearFailure: () => undefined,
    ...overrides,
  };
  const onClose = vi.fn();
  return {
    onClose,
    ...renderFeature(<VerificationDialog isOpen onClose={onClose} user={user} {...actions} />),
  };
}

describe("User Verification", () => {
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

  test("the applicant's answer is shown beside the request", async () => {
    renderDialog({
      ...USER,
      infoRequest: {
        requestId: "r1" as NonNullable<UserDetailData["infoRequest"]>["requestId"],
        text: "A second address proof",
        requestedAt: 0,
        answer: "It is on its way.",
        answeredAt: 60_000,
      },
    });
    expect(await screen.findByText("A second address proof")).toBeVisible();
    expect(screen.getByText("It is on its way.")).toBeVisible();
  });
});
