/** Applications that are put right: reopened, corrected, and a one-time password of somebody who waits. */
import type { Page } from "@playwright/test";
import { chooseMore } from "./support/backOffice";
import { DEMO } from "./support/people";
import { expect, passwordStep, test } from "./support/test";

const userRow = (page: Page, email: string) =>
  page.getByRole("region", { name: "Users", exact: true }).getByRole("button", {
    name: new RegExp(email),
  });

test("a rejected applicant's application is reopened while they look, corrected and asked about", async ({
  signInAs,
  visit,
}) => {
  const applicant = await visit("/login");
  await passwordStep(applicant, DEMO.rui);
  await expect(applicant.getByRole("heading", { name: "Application not approved" })).toBeVisible();

  const admin = await signInAs(DEMO.admin);
  await userRow(admin, DEMO.rui).click();
  await admin.getByRole("button", { name: "Verify User" }).click();
  const review = admin.getByRole("dialog", { name: "User Verification" });
  await review.getByRole("button", { name: "Reopen application" }).click();
  await review.getByRole("button", { name: "Reopen application" }).click();
  await expect(review.getByText("Please give a reason")).toBeVisible();
  await review.getByLabel("Reason for looking again").fill("A newer document arrived.");
  await review.getByRole("button", { name: "Reopen application" }).click();
  await expect(review).toBeHidden();
  await expect(userRow(admin, DEMO.rui)).toContainText("pending");
  await expect(applicant.getByRole("heading", { name: "Account Pending Approval" })).toBeVisible();

  await chooseMore(admin, "Correct application");
  const form = admin.getByRole("dialog", { name: "Correct application" });
  // On a phone the refused field is scrolled to, with its sentence above the footer.
  await admin.setViewportSize({ width: 390, height: 640 });
  await form.getByLabel("Postal code").fill("");
  await form.getByLabel("Reason").focus();
  await form.getByRole("button", { name: "Save corrections" }).click();
  await expect(form.getByText("Postal code is required")).toBeInViewport({ ratio: 1 });
  await expect(form.getByLabel("Postal code")).toBeFocused();
  await form.getByLabel("Postal code").fill("1000-001");
  await admin.setViewportSize({ width: 1280, height: 800 });
  await form.getByLabel("Date of birth").fill("1985-05-04");
  await form.getByLabel("ID number").fill("N-998877");
  await form.getByLabel("Reason").fill("Seen on the newer document.");
  await form.getByRole("button", { name: "Save corrections" }).click();
  await expect(form).toBeHidden();
  await admin.getByRole("button", { name: "Verify User" }).click();
  await expect(review.getByText("May 4, 1985")).toBeVisible();
  await expect(review.getByText("N-998877")).toBeVisible();
  await review.getByRole("button", { name: "Request more information" }).click();
  await review.getByLabel("Information needed").fill("Which city were you born in?");
  await review.getByRole("button", { name: "Send request" }).click();
  await expect(applicant.getByText("Which city were you born in?")).toBeVisible();
  // A dialog at work stays open.
  await expect(review.getByText("The applicant has not answered yet.")).toBeVisible();
  await expect(review.getByRole("button", { name: "Request more information" })).toBeEnabled();
  await admin.keyboard.press("Escape");
  await expect(review).toBeHidden();

  await chooseMore(admin, "Audit log");
  await expect(admin.getByText("Application corrected").last()).toBeVisible();
  await expect(admin.getByText("1985-05-04")).toBeVisible();
  await expect(admin.getByText("••••8877")).toBeVisible();
});

test(
  "an applicant replaces a one-time password before the page of the application",
  { tag: "@long" },
  async ({ signInAs, server, visit }) => {
    const admin = await signInAs(DEMO.admin);
    await userRow(admin, DEMO.lena).click();
    await admin.getByRole("button", { name: "Reset password" }).click();
    await admin.getByLabel("Reason").fill("Forgotten, seen at the branch.");
    await admin.getByRole("dialog").getByRole("button", { name: "Reset password" }).click();
    const shown = admin.getByRole("alertdialog", { name: "One-time password" });
    const password = (await shown.locator(".num").textContent()) ?? "";

    const applicant = await visit("/login");
    await passwordStep(applicant, DEMO.lena, password);
    await expect(applicant.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
    await applicant.goto(`${server.url}/pending-approval`);
    await expect(applicant.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
    await applicant.getByLabel("Current Password").fill(password);
    await applicant.getByLabel("New Password").fill("one of my very own");
    await applicant.getByLabel("Confirm Password").fill("one of my very own");
    await applicant.getByRole("button", { name: "Change Password" }).click();
    await expect(
      applicant.getByRole("heading", { name: "Account Pending Approval" }),
    ).toBeVisible();
  },
);

test(
  "a member whose membership is ended reads that, not that an application failed",
  { tag: "@long" },
  async ({ signInAs }) => {
    const omar = await signInAs(DEMO.omar);
    const admin = await signInAs(DEMO.admin);
    await userRow(admin, DEMO.omar).click();
    await admin.getByRole("button", { name: "Verify User" }).click();
    const review = admin.getByRole("dialog", { name: "User Verification" });
    await review.getByRole("button", { name: "Reject" }).click();
    await review.getByLabel("Reason for rejection").fill("Moved abroad.");
    await review.getByRole("button", { name: "End membership" }).click();
    await expect(omar.getByRole("heading", { name: "Membership ended" })).toBeVisible();
    await expect(omar.getByText("Moved abroad.")).toBeVisible();
    await admin.getByRole("button", { name: "Verify User" }).click();
    await expect(review.getByText("This membership was ended.", { exact: false })).toBeVisible();
    await expect(review.getByRole("button", { name: "Reopen application" })).toBeHidden();
  },
);
