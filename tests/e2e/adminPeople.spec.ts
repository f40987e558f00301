/** Administrators' work with people: list, verification, creation, codes, counts. */
import type { Page } from "@playwright/test";
import { chooseMore } from "./support/backOffice";
import { DEMO, NEW_USER } from "./support/people";
import { codeStep, expect, passwordStep, test } from "./support/test";

const rows = (page: Page) => page.getByRole("region", { name: "Users", exact: true });
const userRow = (page: Page, email: string) =>
  rows(page).getByRole("button", { name: new RegExp(email) });

test("the list can be filtered and searched, and a person selected, by URL", async ({
  signInAs,
  server,
}) => {
  const page = await signInAs(DEMO.admin);
  await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  await expect(userRow(page, DEMO.maya)).toContainText("2 accounts");
  await expect(userRow(page, DEMO.maya)).toContainText("approved");
  await expect(page.getByText("Select a user to see details")).toBeVisible();

  await page.getByRole("tab", { name: /^Pending Review/ }).click();
  await expect(userRow(page, DEMO.lena)).toBeVisible();
  await expect(userRow(page, DEMO.maya)).toHaveCount(0);
  await page.getByRole("tab", { name: /^Rejected/ }).click();
  await expect(userRow(page, DEMO.rui)).toBeVisible();
  await page.getByRole("tab", { name: /^All Users/ }).click();
  await page.getByLabel("Search by name or email").fill("fisch");
  await expect(userRow(page, DEMO.lena)).toBeVisible();
  await expect(userRow(page, DEMO.maya)).toHaveCount(0);
  await userRow(page, DEMO.lena).click();
  await expect(page).toHaveURL(/q=fisch.*user=|user=.*q=fisch/);

  await page.goto(`${server.url}/admin?user=nonsense`);
  await expect(page.getByText("User not found")).toBeVisible();
});

test("information is requested, answered and shown live; a rejection shows its reason", async ({
  signInAs,
  visit,
}) => {
  const admin = await signInAs(DEMO.admin);
  await userRow(admin, DEMO.lena).click();
  await admin.getByRole("button", { name: "Verify User" }).click();
  const dialog = admin.getByRole("dialog", { name: "User Verification" });
  await dialog.getByRole("checkbox").first().check();
  await expect(dialog.getByText("1 of 10 checked")).toBeVisible();
  await expect(dialog.getByText(DEMO.admin)).toBeVisible();
  await dialog.getByRole("button", { name: "Request more information" }).click();
  await dialog.getByRole("button", { name: "Send request" }).click();
  await expect(dialog.getByText("Please fill in all required fields")).toBeVisible();
  await dialog.getByLabel("Information needed").fill("A second address proof, please.");
  await dialog.getByRole("button", { name: "Send request" }).click();
  await expect(dialog.getByText("The applicant has not answered yet.")).toBeVisible();

  const applicant = await visit("/login");
  await passwordStep(applicant, DEMO.lena);
  await expect(applicant.getByText("A second address proof, please.")).toBeVisible();
  await applicant.getByRole("textbox").fill("It is on its way.");
  await applicant.getByRole("button", { name: /send/i }).click();
  await expect(dialog.getByText("It is on its way.")).toBeVisible();
  // Behind the dialog.
  await expect(admin.locator("#user-list")).toContainText(/Lena Fischer, 0 accounts\s*answered/i);

  await dialog.getByRole("button", { name: "Reject" }).click();
  await dialog.getByLabel("Reason for rejection").fill("The documents do not match.");
  await dialog.getByRole("button", { name: "Reject application" }).click();
  await expect(dialog).toBeHidden();
  await expect(userRow(admin, DEMO.lena)).toContainText("rejected");
  await expect(applicant.getByText("The documents do not match.")).toBeVisible();
});

test("a member's name and email are changed while they look, and they sign in with the new one", async ({
  signInAs,
  server,
  visit,
}) => {
  const admin = await signInAs(DEMO.admin);
  const omar = await signInAs(DEMO.omar);
  await omar.goto(`${server.url}/settings/profile`);
  await expect(omar.getByRole("link", { name: "contact support" })).toBeVisible();
  await userRow(admin, DEMO.omar).click();
  await chooseMore(admin, "Change name or email");
  const dialog = admin.getByRole("dialog", { name: "Change name or email" });
  await dialog.getByLabel("Full Name").fill("Omar Abel");
  await dialog.getByLabel("Email", { exact: true }).fill("omar.abel@demo.example");
  await dialog.getByLabel("Reason").fill("Seen his passport");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
  await expect(admin.getByText("The changes were saved.")).toBeVisible();
  await expect(userRow(admin, "omar.abel@demo.example")).toContainText("Omar Abel");
  await expect(omar.getByRole("region", { name: "Personal details" })).toContainText(
    "omar.abel@demo.example",
  );
  const again = await visit("/login");
  await passwordStep(again, "omar.abel@demo.example");
  await codeStep(again);
  await expect(again.getByRole("heading", { level: 1 })).toContainText("Omar");
});

test("a user is created, can sign in, and the admin stays signed in", async ({
  signInAs,
  visit,
}) => {
  const admin = await signInAs(DEMO.admin);
  await admin.getByRole("button", { name: "Create New User" }).click();
  const modal = admin.getByRole("dialog", { name: "Create New User" });
  await modal.getByRole("button", { name: "Create User" }).click();
  await expect(modal.getByRole("alert")).toContainText("Full Name is required");
  await expect(modal.getByLabel("City")).toHaveAccessibleDescription("City is required");
  await expect(modal.getByLabel("Role")).toHaveValue("user");
  for (const [label, value] of Object.entries({ ...NEW_USER, Email: DEMO.maya })) {
    await modal.getByLabel(label, { exact: true }).fill(value);
  }
  const checking = modal.getByRole("group", { name: "Checking", exact: true });
  await checking.getByLabel("Current Balance").fill("250.5");
  await checking.getByLabel("Available Balance").fill("250.5");
  await modal.getByRole("button", { name: "Create User" }).click();
  await expect(modal.getByRole("alert")).toHaveText(
    "Failed to create user: An account with this email already exists.",
  );
  await modal.getByLabel("Email", { exact: true }).fill(NEW_USER.Email);
  await modal.getByLabel("Password", { exact: true }).fill("abc");
  await modal.getByRole("button", { name: "Create User" }).click();
  await expect(modal.getByRole("alert")).toHaveText(
    "Failed to create user: Password should be at least 6 characters long.",
  );
  await modal.getByLabel("Password", { exact: true }).fill(NEW_USER.Password);
  await modal.getByRole("button", { name: "Create User" }).click();
  await expect(modal).toBeHidden();
  await expect(userRow(admin, NEW_USER.Email)).toContainText("active");
  await expect(admin.getByText("$250.50").first()).toBeVisible();

  const dana = await visit("/login");
  await passwordStep(dana, NEW_USER.Email);
  await expect(dana.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
});

test("a member who forgot the password signs in with a one-time password and chooses a new one", async ({
  signInAs,
  visit,
}) => {
  const admin = await signInAs(DEMO.admin);
  await userRow(admin, DEMO.omar).click();
  const opener = admin.getByRole("button", { name: "Reset password" });
  await opener.click();
  const dialog = admin.getByRole("dialog", { name: "Reset password" });
  await dialog.getByRole("button", { name: "Reset password" }).click();
  await expect(dialog.getByText("Please give a reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Seen at the branch with a passport.");
  await dialog.getByRole("button", { name: "Reset password" }).click();
  const shown = admin.getByRole("alertdialog", { name: "One-time password" });
  const password = await shown.getByText(/^[0-9a-f]{16}$/).innerText();
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(opener).toBeFocused();
  await expect(admin.getByText(password)).toHaveCount(0);

  const omar = await visit("/login");
  await passwordStep(omar, DEMO.omar);
  await expect(omar.getByRole("alert")).toContainText("Failed to sign in");
  await passwordStep(omar, DEMO.omar, password);
  await codeStep(omar);
  await omar.getByLabel("Current Password").fill(password);
  await omar.getByLabel("New Password").fill("quite another one");
  await omar.getByLabel("Confirm Password").fill("quite another one");
  await omar.getByRole("button", { name: "Change Password" }).click();
  await expect(omar).toHaveURL(/\/dashboard/);
});

test(
  "somebody who waits after wrong passwords is seen waiting, and unlocked",
  { tag: "@long" },
  async ({ signInAs, visit }) => {
    const admin = await signInAs(DEMO.admin);
    await userRow(admin, DEMO.omar).click();
    const omar = await visit("/login");
    for (let tried = 0; tried < 10; tried++) {
      await passwordStep(omar, DEMO.omar, `wrong ${tried}`);
      await expect(omar.getByRole("alert")).toContainText("Failed to sign in");
      await expect(omar.getByRole("button", { name: "Sign In" })).toBeEnabled();
    }
    await passwordStep(omar, DEMO.omar);
    await expect(omar.getByRole("alert")).toContainText("Too many attempts");
    await expect(admin.getByText(/Locked until .* after too many wrong passwords/)).toBeVisible();
    await admin.getByRole("button", { name: "Unlock sign-in" }).click();
    const dialog = admin.getByRole("dialog", { name: "Unlock sign-in" });
    await dialog.getByLabel("Reason").fill("Called, knew the last deposit");
    await dialog.getByRole("button", { name: "Unlock sign-in" }).click();
    await expect(dialog).toBeHidden();
    await expect(admin.getByText(/Locked until/)).toHaveCount(0);
    await passwordStep(omar, DEMO.omar);
    await expect(omar.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
  },
);

test("one-time codes are added, removed and made usable again", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  const button = page.getByRole("button", { name: "Manage OTPs" });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  for (const wrong of ["12345", "1234567", "12a456", ""]) {
    await page.getByLabel("New code").fill(wrong);
    await page.getByRole("button", { name: "Add code" }).click();
    await expect(
      page.getByText("Invalid OTP format. Please enter a 6-digit number."),
    ).toBeVisible();
  }
  await page.getByLabel("New code").fill("600713");
  await page.getByRole("button", { name: "Add code" }).click();
  await page.getByRole("button", { name: "Remove 600713" }).click();
  await expect(page.getByRole("button", { name: "Remove 600713" })).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Codes" }).locator(":focus")).toHaveCount(1);
  await expect(page.getByText("Used", { exact: true })).toHaveCount(1);
  await page.getByRole("button", { name: "Clear used codes" }).click();
  await expect(page.getByText("Used", { exact: true })).toHaveCount(0);
});

test("transfer counts are reset for one member, and for everyone except the protected account", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await page.getByRole("button", { name: "Reset Transfer Counts" }).click();
  await expect(page).toHaveURL(/\/admin\/reset-transfers$/);
  await expect(
    page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: "Users" }),
  ).toHaveAttribute("aria-current", "page");
  const nora = page.getByRole("listitem").filter({ hasText: DEMO.nora });
  await expect(nora).toContainText("Current count: 2");
  await expect(page.getByRole("button", { name: `Reset ${DEMO.vip}` })).toBeDisabled();
  await nora.getByRole("button", { name: /^Reset/ }).click();
  await expect(nora).toContainText("Current count: 0");

  const initiate = page.getByRole("button", { name: "Initiate Reset All Transfer Counts" });
  await initiate.click();
  await expect(page.getByRole("group", { name: "Confirm reset" })).toBeFocused();
  await expect(
    page.getByText(
      "Are you sure you want to reset all transfer counts? This action cannot be undone.",
    ),
  ).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(initiate).toBeFocused();
  await initiate.click();
  await page.getByRole("button", { name: "Confirm Reset All" }).click();
  await expect(page.getByText("Successfully reset 6 users. 1 users skipped.")).toBeVisible();
  await page.getByRole("link", { name: "Back to Admin Dashboard" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test("a restriction is set with a reason and lifted again", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  await userRow(page, DEMO.omar).click();
  await page.getByRole("button", { name: "Restrict transfers" }).click();
  const dialog = page.getByRole("dialog", { name: "Restrict transfers" });
  await dialog.getByLabel("Reason").fill("Unusual sign-ins");
  await dialog.getByRole("button", { name: "Restrict transfers" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Unusual sign-ins")).toBeVisible();
  await page.getByRole("button", { name: "Lift restriction" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Lift restriction" }).click();
  await expect(page.getByText("No restriction is in force.")).toBeVisible();
});
