/** Profile Settings and Account Settings: contact details, password, sessions, theme. */
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "./support/people";
import { codeStep, expect, passwordStep, test } from "./support/test";

const NEW_PASSWORD = "Quiet-Harbor-2027";

test("contact details are changed permanently", async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar);
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Profile Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Profile Settings" })).toBeVisible();
  await page.getByLabel("City").fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert")).toContainText("Please fill in all required fields");
  await page.getByLabel("City").fill("Lewes");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Contact details saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("City")).toHaveValue("Lewes");
});

test("a session signed out elsewhere ends at once", async ({ signInAs }) => {
  const [here, there] = [await signInAs(DEMO.omar), await signInAs(DEMO.omar)];
  await here.goto(new URL("/settings/account", here.url()).href);
  const sessions = here.getByRole("region", { name: "Active sessions" });
  const mark = here.getByText("This session", { exact: true });
  const own = sessions.getByRole("listitem").filter({ has: mark });
  const other = sessions.getByRole("listitem").filter({ hasNot: mark });
  await expect(own).toHaveCount(1);
  await other.getByRole("button", { name: "Sign out this session" }).click();
  await expect(there).toHaveURL(/\/login/);
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  // By key: a press would be ignored, as the row has just moved.
  await own.getByRole("button", { name: "Sign out this session" }).press("Enter");
  await expect(here).toHaveURL(/\/(login)?$/);
});

test("a new password replaces the old one and ends the other sessions", async ({
  signInAs,
  visit,
}) => {
  const [here, there] = [await signInAs(DEMO.omar), await signInAs(DEMO.omar)];
  await here.goto(new URL("/settings/account", here.url()).href);
  const change = here.getByRole("button", { name: "Change Password" });
  await here.getByLabel("Current Password", { exact: true }).fill("not-the-password");
  await here.getByLabel("New Password", { exact: true }).fill(NEW_PASSWORD);
  await here.getByLabel("Confirm Password", { exact: true }).fill(NEW_PASSWORD);
  await change.click();
  await expect(here.getByRole("alert")).toHaveText("The current password is incorrect.");
  await here.getByLabel("Current Password", { exact: true }).fill(DEMO_PASSWORD);
  await change.click();
  await expect(here.getByText("Password changed.")).toBeVisible();
  await expect(there).toHaveURL(/\/login/);

  const fresh = await visit("/login");
  await passwordStep(fresh, DEMO.omar, NEW_PASSWORD);
  await codeStep(fresh, DEMO_CODES[1]);
  await expect(fresh).toHaveURL(/\/dashboard/);
});

test("the theme is stored on the device, and other tabs follow", async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar);
  const other = await page.context().newPage();
  await other.goto(new URL("/", page.url()).href);
  await page.goto(new URL("/settings/account", page.url()).href);
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
});
