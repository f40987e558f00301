import { act, screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { LoginRoute } from "../../../src/app/routes/LoginRoute";
import { PendingApprovalRoute } from "../../../src/app/routes/PendingApprovalRoute";
import { forgetSession } from "../../../src/lib/convexSession";
import { renderWithBackend } from "../../support/renderWithBackend";

const REASON = "The document is not legible.";

/** The page of a rejected applicant. */
async function openAsRejected() {
  const { user } = renderWithBackend(
    <Routes>
      <Route path="/" element={<PendingApprovalRoute />} />
      <Route path="/login" element={<LoginRoute />} />
    </Routes>,
    {
      isSignedIn: true,
      queries: {
        "viewer:get": {
          userId: "rui",
          email: "rui@demo.example",
          name: "Rui Costa",
          place: "rejected",
          home: "/pending-approval",
          rejectionReason: REASON,
        },
      },
    },
  );
  expect(await screen.findByText(REASON)).toBeVisible();
  return user;
}

test("whoever was a member reads that the membership has ended, not that an application failed", async () => {
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", place: "rejected" };
  renderWithBackend(<PendingApprovalRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": { ...viewer, rejectionReason: REASON, isFormerMember: true } },
  });
  expect(await screen.findByRole("heading", { name: "Membership ended" })).toBeVisible();
  expect(screen.getByText("Your membership has ended.")).toBeVisible();
  expect(screen.getByText(REASON)).toBeVisible();
  expect(screen.queryByText(/application/)).not.toBeInTheDocument();
});

test("an applicant who signs out comes to sign-in, not to what visitors see here", async () => {
  const user = await openAsRejected();
  await user.click(screen.getByRole("button", { name: "Sign out" }));
  expect(await screen.findByRole("heading", { name: "Welcome Back" })).toBeVisible();
  expect(screen.queryByText(/Your session has ended/)).not.toBeInTheDocument();
});

test("an applicant whose session ended is told so at sign-in", async () => {
  await openAsRejected();
  act(() => forgetSession());
  expect(await screen.findByText(/Your session has ended/)).toBeVisible();
});

test("a refused answer is not called refused any more once it is edited", async () => {
  const infoRequest = { requestId: "street", text: "Which street?", requestedAt: 0 };
  const { user } = renderWithBackend(<PendingApprovalRoute />, {
    isSignedIn: true,
    queries: {
      "viewer:get": { userId: "lena", email: "lena@demo.example", name: "Lena", place: "pending" },
      "registrations:mine": { status: "pending", submittedAt: 0, infoRequest },
    },
    mutations: {
      "registrations:answerInformation": () => Promise.reject(appError("INVALID_TEXT")),
    },
  });
  const field = await screen.findByLabelText("Your answer");
  await user.type(field, "Orchard");
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.INVALID_TEXT);
  expect(field).toHaveAccessibleDescription(MESSAGES.INVALID_TEXT);
  await user.type(field, " Avenue");
  expect(field).toBeValid();
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  expect(field).toBeInvalid();
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.FILL_REQUIRED_FIELDS);
  await user.type(field, "O");
  expect(field).toBeValid();
});

test("an answer begun to a question that was answered elsewhere is not the next question's", async () => {
  const registration = (requestId: string, text: string) => ({
    status: "pending",
    submittedAt: 0,
    infoRequest: { requestId, text, requestedAt: 0 },
  });
  const { user, answer } = renderWithBackend(<PendingApprovalRoute />, {
    isSignedIn: true,
    queries: {
      "viewer:get": { userId: "lena", email: "lena@demo.example", name: "Lena", place: "pending" },
      "registrations:mine": registration("street", "Which street?"),
    },
  });
  await user.type(await screen.findByLabelText("Your answer"), "Orchard Avenue");
  answer("registrations:mine", registration("city", "Which city?"));
  expect(await screen.findByText("Which city?")).toBeVisible();
  expect(screen.getByLabelText("Your answer")).toHaveValue("");
});

test("a rejection that comes while an answer is being typed takes the focus to its heading", async () => {
  const viewer = { userId: "lena", email: "lena@demo.example", name: "Lena", place: "pending" };
  const infoRequest = { requestId: "street", text: "Which street?", requestedAt: 0 };
  const { user, answer } = renderWithBackend(<PendingApprovalRoute />, {
    isSignedIn: true,
    queries: {
      "viewer:get": viewer,
      "registrations:mine": { status: "pending", submittedAt: 0, infoRequest },
    },
  });
  const field = await screen.findByLabelText("Your answer");
  await user.type(field, "Orch");
  answer("viewer:get", { ...viewer, place: "rejected", rejectionReason: REASON });
  expect(await screen.findByText(REASON)).toBeVisible();
  expect(screen.getByRole("heading", { name: "Application not approved" })).toHaveFocus();
});
