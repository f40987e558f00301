/** Actions without a connection get an error message, and are done once when repeated. */
import { expireTokens, holdCalls } from "./support/brokenCalls";
import { untilConnected, untilDisconnected } from "./support/connection";
import { DEMO, DEMO_CODES } from "./support/people";
import { expect, expectLoaded, passwordStep, test } from "./support/test";

const NOTHING_SENT = "There was no connection, so nothing was sent.";

test("signing in without a connection reports it at both steps, and works afterwards", async ({
  visit,
  server,
  expectConnectionTrouble,
}) => {
  expectConnectionTrouble();
  const page = await visit("/login");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeEnabled();
  await server.kill();
  await untilDisconnected(page.locator("main"));
  await passwordStep(page, DEMO.omar);
  await expect(page.getByRole("alert")).toContainText(NOTHING_SENT);
  await expect(page.getByLabel("Email")).toHaveValue(DEMO.omar);
  await server.restart();
  await untilConnected(page.locator("main"));
  await page.getByRole("button", { name: "Sign In" }).click();
  const code = page.getByLabel("Verification code");
  await code.fill(DEMO_CODES[0]);
  await page.context().setOffline(true);
  await untilDisconnected(page.locator("main"));
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await expect(page.getByRole("alert")).toContainText(NOTHING_SENT);
  await expect(code).toHaveValue(DEMO_CODES[0]);
  await page.context().setOffline(false);
  await untilConnected(page.locator("main"));
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test(
  "an application without a connection keeps its input, and is sent afterwards",
  { tag: "@long" },
  async ({ visit, server, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await visit("/signup");
    const submit = page.getByRole("button", { name: "Submit Application" });
    await expect(submit).toBeEnabled();
    await page.getByLabel("First Name").fill("Ines");
    await server.kill();
    await untilDisconnected(page.locator("main"));
    await submit.click();
    await expect(page.getByRole("alert")).toContainText(NOTHING_SENT);
    await expect(page.getByLabel("First Name")).toHaveValue("Ines");
    await server.restart();
    await untilConnected(page.locator("main"));
    await submit.click();
    await expect(page.getByRole("alert")).toContainText("Please fill in all required fields");
  },
);

test(
  "a confirmation in the back office reports the lost connection, and acts once",
  { tag: "@long" },
  async ({ signInAs, server, expectConnectionTrouble }) => {
    expectConnectionTrouble();
    const page = await signInAs(DEMO.admin);
    await page.getByRole("button", { name: /Omar Haddad/ }).click();
    await page.getByRole("button", { name: "Restrict transfers" }).click();
    const dialog = page.getByRole("dialog", { name: "Restrict transfers" });
    await dialog.getByLabel("Reason").fill("Asked by phone");
    await server.kill();
    await expect(dialog.getByRole("status")).toContainText(
      "You're offline. Nothing can be sent right now",
    );
    const act = dialog.getByRole("button", { name: "Restrict transfers" });
    await act.click();
    await expect(dialog.getByRole("alert")).toContainText(NOTHING_SENT);
    await server.restart();
    await untilConnected(dialog);
    await expect(page.getByText("No restriction is in force.")).toBeAttached();
    await act.click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("Asked by phone")).toBeVisible();
    const navigation = page.getByRole("navigation", { name: "Back office" });
    await navigation.getByRole("link", { name: "Audit log" }).click();
    const entries = page.getByRole("region", { name: "Audit entries" }).getByRole("listitem");
    await expect(entries.filter({ hasText: "Restriction set" })).toHaveCount(1);
  },
);

test("a dialog whose call lost its connection says why it does not close, and how the call ended", async ({
  signInAs,
  server,
  expectConnectionTrouble,
}) => {
  expectConnectionTrouble();
  const page = await signInAs(DEMO.maya);
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Cards" }).click();
  const calls = await holdCalls(page);
  calls.hold("cards:reportLost");
  const card = page.getByRole("region", { name: "Credit card" });
  await card.getByRole("button", { name: "Report Lost" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Report Lost" }).click();
  await expect(dialog.getByRole("button", { name: "Reporting..." })).toBeVisible();
  await server.kill();
  await expect(dialog.getByRole("status")).toContainText("what you sent may have arrived");
  await expect(dialog.getByRole("status")).toContainText(
    "This window cannot be closed until then.",
  );
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  calls.release();
  await server.restart();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(card.getByText("Reported lost", { exact: true })).toBeVisible();
});

test("a session that could not be renewed goes on once the server answers", async ({
  signInAs,
  expectConnectionTrouble,
}) => {
  expectConnectionTrouble();
  const page = await signInAs(DEMO.maya);
  const { expire } = await expireTokens(page);
  await expectLoaded(page);
  await page.route("**/api/action", (call) => call.fulfill({ status: 502, body: "Bad Gateway" }));
  expire();
  const banner = page.getByText("You're offline. Balances may be out of date.");
  await expect(banner).toBeVisible();
  await page.unroute("**/api/action");
  await expect(banner).toBeHidden({ timeout: 30_000 });
  const section = page.getByRole("region", { name: "Transfer Money" });
  await section.getByLabel("Amount").fill("5");
  await section.getByLabel("Reference").fill("Patience");
  await section.getByRole("button", { name: "Transfer $5.00" }).click();
  await expect(section).toContainText("$5.00 sent to Savings");
});

test(
  "a renewal that the line swallows is given up, and the session goes on",
  { tag: "@long" },
  async ({ signInAs, expectConnectionTrouble }) => {
    test.setTimeout(120_000);
    expectConnectionTrouble();
    const page = await signInAs(DEMO.maya);
    const { expire } = await expireTokens(page);
    await expectLoaded(page);
    let isLineDead = true;
    await page.route("**/api/action", (call) => (isLineDead ? undefined : call.continue()));
    expire();
    const banner = page.getByText("You're offline. Balances may be out of date.");
    await expect(banner).toBeVisible();
    // What was sent before stays without an answer.
    isLineDead = false;
    await expect(banner).toBeHidden({ timeout: 60_000 });
    await expect(page.getByRole("region", { name: "Transfer Money" })).toBeVisible();
  },
);
