/** Live updates do not disturb what a person is doing (spec section 6; live lists). */
import { APPLICANT, fillApplication } from "./support/application";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("an application that appears while an account is edited changes neither input nor focus", async ({
  signInAs,
  visit,
}) => {
  const [admin, stranger] = [await signInAs(DEMO.admin), await visit("/signup")];
  await fillApplication(stranger);
  await admin.getByRole("button", { name: new RegExp(DEMO.omar) }).click();
  await admin.getByRole("button", { name: "Edit Checking" }).click();
  const checking = admin.getByRole("region", { name: "Checking", exact: true });
  await checking.getByLabel("Account Number").fill("4810299317");
  await admin.getByLabel("Row 1 Description").fill("Correction of a fee");
  await checking.getByLabel("Balance").fill("1234.5");
  await expect(admin.getByRole("button", { name: new RegExp(APPLICANT.email) })).toBeHidden();

  await stranger.getByRole("button", { name: "Submit Application" }).click();
  await expect(admin.getByRole("button", { name: new RegExp(APPLICANT.email) })).toBeVisible();

  await expect(checking.getByLabel("Balance")).toBeFocused();
  await expect(checking.getByLabel("Balance")).toHaveValue("1234.5");
  await expect(checking.getByLabel("Account Number")).toHaveValue("4810299317");
  await expect(admin.getByLabel("Row 1 Description")).toHaveValue("Correction of a fee");
  await expect(checking.getByText(/These values changed/)).toBeHidden();
});

test("money from another member changes the balance, the lists and the notifications of every open page", async ({
  signInAs,
}) => {
  const [maya, mayaToo] = [await signInAs(DEMO.maya), await signInAs(DEMO.maya)];
  const omar = await signInAs(DEMO.omar);
  await mayaToo.goto(new URL("/transactions", mayaToo.url()).href);
  const history = mayaToo.getByRole("region", { name: "All transactions" });
  await expect(history.getByRole("listitem").first()).toBeVisible();
  const bell = (page: typeof maya) => page.getByRole("button", { name: /^Notifications/ });
  await expect(bell(maya)).toHaveAccessibleName(/, \d+ unread$/);
  await bell(maya).click();
  await maya.getByRole("button", { name: "Mark all as read" }).click();
  await expect(bell(mayaToo)).toHaveAccessibleName("Notifications");
  await maya.keyboard.press("Escape");

  const section = omar.getByRole("region", { name: "Transfer Money" });
  await section.getByRole("tab", { name: "To a Wrenmoor user" }).click();
  await section.getByLabel("Recipient Email").fill(DEMO.maya);
  await section.getByRole("button", { name: "Verify" }).click();
  await expect(section.getByText("Recipient found: Maya Torres")).toBeVisible();
  await section.getByLabel("Amount").fill("31.7");
  await section.getByLabel("Reference").fill("Concert");
  await section.getByRole("button", { name: "Send Money" }).click();

  await expect(maya.locator("main")).toContainText("Available Balance$4,282.45");
  await expect(maya.getByRole("status").filter({ hasText: "Available balance is now" })).toHaveText(
    "Available balance is now $4,282.45",
  );
  await expect(maya.getByRole("region", { name: "Recent Transactions" })).toContainText("+$31.70");
  await expect(history).toContainText("+$31.70");
  for (const page of [maya, mayaToo]) {
    await expect(bell(page)).toHaveAccessibleName("Notifications, 1 unread");
  }
});

test(
  "on a phone only the newest of several live events is shown, and more of them elsewhere",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, { viewport: { width: 390, height: 844 } });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const toasts = page.getByRole("status", { name: "Live events" }).getByText("New sign-in");
    await signInAs(DEMO.maya);
    // Under the pointer it stays until the next one comes.
    await toasts.hover();
    await signInAs(DEMO.maya);
    await expect(toasts).toHaveCount(2);
    await expect(toasts.first()).toBeHidden();
    await expect(toasts.last()).toBeVisible();
    await page.setViewportSize({ width: 1024, height: 844 });
    await expect(toasts.first()).toBeVisible();
  },
);
