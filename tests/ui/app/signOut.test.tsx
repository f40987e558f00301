/** Signing out on the pages around sign-in. */
import { screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { LoginRoute } from "../../../src/app/routes/LoginRoute";
import { PendingApprovalRoute } from "../../../src/app/routes/PendingApprovalRoute";
import { openSessionChannel } from "../../../src/features/session/channel";
import { writeDraft } from "../../../src/lib/drafts";
import { renderWithBackend } from "../../support/renderWithBackend";

const VIEWER = {
  userId: "omar",
  email: "omar@demo.example",
  name: "Omar Haddad",
  idleTimeoutMs: null,
};

/** A page that Omar has open with a half-typed transfer, and what his other tab hears. */
function open(page: ReactNode, standing: { place: string; home: string }) {
  const heard = vi.fn();
  const otherTab = openSessionChannel("omar", heard);
  onTestFinished(() => otherTab.close());
  writeDraft("transfer-external", { accountNumber: "12345678" });
  const { user } = renderWithBackend(page, {
    isSignedIn: true,
    queries: { "viewer:get": { ...VIEWER, ...standing } },
  });
  const hasDraft = () => sessionStorage.getItem("draft:transfer-external") !== null;
  const hasSession = () => Object.keys(sessionStorage).some((key) => key.includes("convexAuth"));
  return { user, heard, hasDraft, hasSession };
}

test.each([
  ["Sign in as someone else", <LoginRoute />, { place: "member", home: "/dashboard" }],
  ["Sign out", <LoginRoute />, { place: "mustChangePassword", home: "/login" }],
  ["Sign out", <PendingApprovalRoute />, { place: "pending", home: "/pending-approval" }],
])("%s erases drafts and signs the person out in every tab", async (name, page, standing) => {
  const { user, heard, hasDraft, hasSession } = open(page, standing);
  await user.click(await screen.findByRole("button", { name }));
  await waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("signedOut"));
  expect(hasDraft()).toBe(false);
  await waitFor(() => expect(hasSession()).toBe(false));
});

test("a sign-in given up at the code leaves drafts and other tabs alone", async () => {
  const { user, heard, hasDraft, hasSession } = open(<LoginRoute />, {
    place: "otp",
    home: "/login",
  });
  await user.click(await screen.findByRole("button", { name: "Back" }));
  await waitFor(() => expect(hasSession()).toBe(false));
  expect(hasDraft()).toBe(true);
  const thirdTab = openSessionChannel("omar", () => undefined);
  onTestFinished(() => thirdTab.close());
  thirdTab.send("active");
  await waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("active"));
});
