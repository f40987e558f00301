/** A member's input survives events that they did not cause: an ended session, a reload. */
import type { Page } from "@playwright/test";
import { untilConnected, untilDisconnected } from "./support/connection";
import { DEMO, DEMO_PASSWORD } from "./support/people";
import { codeStep, expect, passwordStep, signIn, test, type LetTimePass } from "./support/test";

/** Opens a page whose scripts start only when the returned function is called. */
async function openUnstarted(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/start-[\w-]+\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(new URL(path, page.url()).href);
  return release;
}

test(
  "a session ended elsewhere leads to sign-in, and then back to the form with its input",
  { tag: "@long" },
  async ({ signInAs }) => {
    const [here, there] = [await signInAs(DEMO.omar), await signInAs(DEMO.omar)];
    await here.getByRole("tab", { name: "International" }).click();
    await here.getByLabel("Recipient Name").fill("Ana Lima");
    await here.getByLabel("SWIFT/BIC Code").fill("DEUTDEFF");
    await here.goto(new URL("/dashboard#quick-actions-billpay", here.url()).href);
    const panel = here.getByRole("region", { name: "Quick Actions" });
    await panel.getByLabel("Account Number").fill("W-77-1020");
    await panel.getByLabel("Memo").fill("Half typed");

    await there.goto(new URL("/settings/account", there.url()).href);
    const sessions = there.getByRole("region", { name: "Active sessions" });
    await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(here.getByText("Your session has ended.", { exact: false })).toBeVisible();

    await passwordStep(here, DEMO.omar);
    await codeStep(here);
    await expect(here).toHaveURL(/\/dashboard#quick-actions-billpay$/);
    await expect(panel.getByLabel("Account Number")).toHaveValue("W-77-1020");
    await expect(panel.getByLabel("Memo")).toHaveValue("Half typed");
    await here.getByRole("tab", { name: "International" }).click();
    await expect(here.getByLabel("Recipient Name")).toHaveValue("Ana Lima");
  },
);

test(
  "on a phone, the row of tabs is scrolled to the form that a reload keeps",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.omar, { viewport: { width: 390, height: 844 } });
    const tab = page.getByRole("tab", { name: "International" });
    await tab.click();
    await page.getByLabel("Recipient Name").fill("Ana Lima");
    await page.reload();
    await expect(page.getByLabel("Recipient Name")).toHaveValue("Ana Lima");
    const box = (await tab.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  },
);

test(
  "signing out oneself, and another person's sign-in, leave no draft behind",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.omar);
    const section = page.getByRole("region", { name: "Transfer Money" });
    await section.getByLabel("Reference").fill("Nobody else reads this");
    await page.reload();
    await expect(section.getByLabel("Reference")).toHaveValue("Nobody else reads this");
    await page.getByRole("button", { name: /Account menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/(login)?$/);
    await page.goto(new URL("/login", page.url()).href);
    await passwordStep(page, DEMO.maya);
    await codeStep(page);
    await expect(section.getByLabel("Reference")).toHaveValue("");
  },
);

test("signing out without a connection clears the screen, and the tab can be used again", async ({
  visit,
  server,
  expectConnectionTrouble,
}) => {
  expectConnectionTrouble();
  // By its page, whose parts are then there when the server is not.
  const page = await visit("/login");
  await signIn(page, DEMO.omar);
  const section = page.getByRole("region", { name: "Transfer Money" });
  await section.getByLabel("Reference").fill("Nobody else reads this");
  await server.kill();
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(section).toBeHidden();
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContainEqual(
    expect.stringMatching(/convexAuth|draft:/),
  );
  await untilDisconnected(page.locator("main"));
  await server.restart();
  await untilConnected(page.locator("main"));
  await passwordStep(page, DEMO.maya);
  await codeStep(page);
  await expect(section.getByLabel("Reference")).toHaveValue("");
});

test("input typed into sign-in before the application has started is kept", async ({ visit }) => {
  const page = await visit("/about");
  const release = await openUnstarted(page, "/login");
  const button = page.getByRole("button", { name: "Sign In" });
  await expect(button).toBeDisabled();
  await page.getByLabel("Email").fill(DEMO.omar);
  await page.getByLabel("Password", { exact: true }).focus();
  await page.keyboard.type("Wrenmoor-");
  release();
  await expect(button).toBeEnabled();
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type("Demo-2026");
  await expect(page.getByLabel("Email")).toHaveValue(DEMO.omar);
  await button.click();
  await expect(page.getByLabel("Verification code")).toBeFocused();
});

test("Enter pressed in sign-in before the application has started signs in once it has", async ({
  visit,
}) => {
  const page = await visit("/about");
  const release = await openUnstarted(page, "/login");
  await page.getByLabel("Email").fill(DEMO.omar);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByLabel("Verification code")).toBeFocused();
});

test(
  "the application form hydrates while any of its fields has the focus",
  { tag: "@long" },
  async ({ visit }) => {
    const page = await visit("/about");
    const release = await openUnstarted(page, "/signup");
    await page.getByLabel("First Name").fill("Ines");
    const birthday = page.getByLabel("Date of Birth");
    await birthday.fill("1990-04-12");
    await birthday.focus();
    release();
    await expect(page.getByRole("button", { name: "Submit Application" })).toBeEnabled();
    await expect(birthday).toBeFocused();
    await expect(birthday).toHaveValue("1990-04-12");
    await expect(page.getByLabel("First Name")).toHaveValue("Ines");
  },
);

test(
  "public forms keep input typed before the application has started",
  { tag: "@long" },
  async ({ visit }) => {
    const page = await visit("/about");
    const startCalculator = await openUnstarted(page, "/calculators");
    await page.getByLabel("Loan amount").fill("200000");
    await page.getByLabel("Term (years)").fill("30");
    startCalculator();
    const result = page.getByRole("region", { name: "Your payment" });
    await expect(result).toContainText("$200,000.00");
    await expect(page.getByRole("img", { name: /Payments over 30 years/ })).toBeVisible();

    await page.unrouteAll();
    const startContact = await openUnstarted(page, "/contact");
    await page.getByLabel("Message").fill("Half typed");
    const phone = page.getByRole("radio", { name: "Phone" });
    await phone.check();
    startContact();
    // A refusal renders the form again.
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByLabel("Name")).toBeFocused();
    await expect(page.getByLabel("Message")).toHaveValue("Half typed");
    await expect(phone).toBeChecked();
  },
);

/** Types into three forms of the back office; then the session ends for inactivity. */
async function typeAndBeTimedOut(page: Page, letTimePass: LetTimePass): Promise<void> {
  await page.clock.install();
  await page.getByRole("button", { name: "Create New User" }).click();
  await page.getByLabel("Full Name").fill("Ines Marchetti");
  await page.getByLabel("Password", { exact: true }).fill("harbor-lantern-58");
  await page.goto(new URL("/admin", page.url()).href);
  await page.getByRole("button", { name: /Omar Haddad/ }).click();
  await page.getByRole("button", { name: "Edit Checking" }).click();
  await page.getByLabel("Balance", { exact: true }).fill("123.45");
  await page.getByRole("button", { name: "Reset password" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Asked by phone");
  await letTimePass(page, "13:01");
  await expect(page.getByRole("alertdialog", { name: "Are you still there?" })).toBeVisible();
  await letTimePass(page, "02:00");
  await expect(page).toHaveURL(/\/login$/);
}

test("an administrator's input is restored after a time-out, except the password", async ({
  letTimePass,
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await typeAndBeTimedOut(page, letTimePass);
  await passwordStep(page, DEMO.admin);
  await codeStep(page);
  await expect(page).toHaveURL(/\/admin\?user=/);
  await expect(page.getByLabel("Balance", { exact: true })).toHaveValue("123.45");
  await page.getByRole("button", { name: "Reset password" }).click();
  await expect(page.getByRole("dialog").getByLabel("Reason")).toHaveValue("Asked by phone");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create New User" }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ines Marchetti");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
});

test("another administrator in the same tab does not see the drafts", async ({
  letTimePass,
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await page.getByRole("button", { name: /Maya Torres/ }).click();
  await page.getByRole("button", { name: "Make administrator" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make administrator" }).click();
  await expect(page.getByText("The role was changed.")).toBeVisible();
  await typeAndBeTimedOut(page, letTimePass);
  await passwordStep(page, DEMO.maya);
  await codeStep(page);
  await expect(page).toHaveURL(/\/admin$/);
  await page.getByRole("button", { name: "Create New User" }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /Omar Haddad/ }).click();
  await expect(page.getByRole("button", { name: "Edit Checking" })).toBeVisible();
  await page.getByRole("button", { name: "Reset password" }).click();
  await expect(page.getByRole("dialog").getByLabel("Reason")).toHaveValue("");
});
