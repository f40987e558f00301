/** The four kinds of transfer, their refusals and their result dialogs (spec sections 2, 5, 8). */
import type { Page } from "@playwright/test";
import { DEMO, DEMO_CODES } from "./support/people";
import { expect, test } from "./support/test";

const UNUSED_CODE = DEMO_CODES[1];

const section = (page: Page) => page.getByRole("region", { name: "Transfer Money" });

async function openTab(page: Page, name: string): Promise<void> {
  await section(page).getByRole("tab", { name }).click();
}

/** Fills labelled fields of the transfer section; selects are chosen by their value. */
async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await section(page).getByLabel(label, { exact: true }).fill(value);
  }
}

async function between(page: Page, amount: string, reference: string): Promise<void> {
  await openTab(page, "Between Accounts");
  await fill(page, { Amount: amount, Reference: reference });
  await section(page)
    .getByRole("button", { name: /^Transfer/ })
    .click();
}

async function chooseBank(page: Page): Promise<void> {
  await section(page).getByLabel("Bank", { exact: true }).selectOption("Cedar Point Trust");
}

const balance = (page: Page, text: string) =>
  expect(page.locator("main")).toContainText(`Available Balance${text}`);

test("money moves between own accounts, another tab is updated, and the transfer count is shown", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const other = await signInAs(DEMO.maya);
  await expect(section(page)).toContainText("0 of 2 transfers used");
  await section(page)
    .getByRole("button", { name: /^Transfer/ })
    .click();
  await expect(section(page).getByRole("alert")).toHaveText("Please fill in all fields");
  await fill(page, { Amount: "25", Reference: "November savings" });
  await expect(section(page)).toContainText("Leaves $4,225.75 available in Checking");
  await section(page).getByRole("button", { name: "Transfer $25.00" }).dblclick();
  await expect(section(page)).toContainText("$25.00 sent to");
  await expect(section(page)).toContainText("November savings");
  await balance(page, "$4,225.75");
  await balance(other, "$4,225.75");
  await expect(
    other.getByRole("status").filter({ hasText: "Available balance is now" }),
  ).toHaveText("Available balance is now $4,225.75");
  await expect(section(other)).toContainText("1 of 2 transfers used");
  await section(page).getByRole("button", { name: "Make another transfer" }).click();
  await expect(section(page).getByLabel("Amount")).toHaveValue("");
});

test("a person is found by e-mail, gets the money at once, and the third transfer is blocked", async ({
  signInAs,
}) => {
  const [omar, maya] = [await signInAs(DEMO.omar), await signInAs(DEMO.maya)];
  await balance(omar, "$980.10");
  await openTab(maya, "To a Wrenmoor user");
  const email = section(maya).getByLabel("Recipient Email");
  const alert = section(maya).getByRole("alert");

  await email.fill(DEMO.maya);
  await section(maya).getByRole("button", { name: "Verify" }).click();
  await expect(alert).toHaveText("Cannot transfer to your own account");
  await email.fill("nobody@mail.example");
  await section(maya).getByRole("button", { name: "Verify" }).click();
  await expect(alert).toHaveText("Recipient not found");
  await email.fill("omar");
  await email.blur();
  await expect(alert).toHaveText("Please enter a valid email address");

  await email.fill(DEMO.omar);
  await email.blur();
  await expect(section(maya).getByText("Recipient found: Omar Haddad")).toBeVisible();
  await fill(maya, { Amount: "10", Reference: "Lunch" });
  await section(maya).getByRole("button", { name: "Send Money" }).click();
  await expect(section(maya)).toContainText("$10.00 sent to Omar Haddad");
  await balance(omar, "$990.10");
  await expect(omar.getByRole("region", { name: "Recent Transactions" })).toContainText("+$10.00");

  await between(maya, "1", "Second");
  await expect(section(maya)).toContainText("2 of 2 transfers used");
  await section(maya).getByRole("button", { name: "Make another transfer" }).click();
  await between(maya, "1", "Third");
  const dialog = maya.getByRole("alertdialog", { name: "Transaction Blocked" });
  await expect(dialog).toContainText(
    "For security reasons, this transaction has been blocked. Please contact our support team for assistance.",
  );
  await expect(dialog).toContainText(/8AM to 8PM EST/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await expect(section(maya).getByLabel("Reference")).toHaveValue("Third");
  await balance(maya, "$4,239.75");
});

test("a transfer to a US bank asks for a code and shows its success for three seconds", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  await openTab(page, "To US Bank");
  await chooseBank(page);
  await expect(section(page).getByLabel("Routing Number")).toHaveValue("990030397");
  await fill(page, {
    "Account Number": "1234567",
    "Account Holder Name": "Dana Whitfield",
    Amount: "40",
    Reference: "Loan",
  });
  await section(page).getByRole("button", { name: "Continue" }).click();
  await expect(section(page).getByRole("alert")).toHaveText("Please enter a valid account number");
  await fill(page, { "Account Number": "12345678" });
  await section(page).getByRole("button", { name: "Continue" }).click();

  const confirm = section(page).getByRole("button", { name: "Confirm Transfer" });
  await confirm.click();
  await expect(section(page).getByRole("alert")).toHaveText("Please enter OTP");
  await section(page).getByLabel("Verification code").fill(DEMO_CODES[0]);
  await confirm.click();
  await expect(section(page).getByRole("alert")).toHaveText("Invalid OTP. Please try again.");
  await section(page).getByLabel("Verification code").fill(UNUSED_CODE);
  await confirm.click();
  const success = page.getByRole("dialog", { name: /success/i });
  await expect(success).toBeVisible();
  await expect(success).toBeHidden();
  await expect(section(page)).toContainText("Sent $40.00 to");
  await expect(section(page).getByLabel("Account Holder Name")).toHaveValue("");
  await balance(page, "$4,210.75");
  await expect(page.getByRole("region", { name: "Recent Transactions" })).toContainText(
    "Transfer to Cedar Point Trust - Dana Whitfield",
  );
});

/** Fills the international form up to its last field. */
async function fillInternational(page: Page, swift: string): Promise<void> {
  await openTab(page, "International");
  await fill(page, {
    "Recipient Name": "Ana Lima",
    "Bank Name": "Banco Azul",
    "SWIFT/BIC Code": swift,
    "Account Number": "DE89 3704 0044",
    Amount: "75",
    Reference: "Gift",
  });
  await section(page).getByRole("combobox", { name: "Country" }).fill("Portug");
  await page.getByRole("option", { name: "Portugal" }).click();
}

test("an international transfer is reviewed and confirmed, and then the form is empty", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  await fillInternational(page, "deutdef");
  await section(page).getByRole("button", { name: "Continue" }).click();
  await expect(section(page).getByRole("alert")).toHaveText("Invalid SWIFT/BIC code");
  await section(page).getByLabel("SWIFT/BIC Code").pressSequentially("f12345");
  await expect(section(page).getByLabel("SWIFT/BIC Code")).toHaveValue("DEUTDEFF123");
  await section(page).getByLabel("SWIFT/BIC Code").fill("deutdeff1234");
  await section(page).getByRole("button", { name: "Continue" }).click();
  await expect(section(page).getByRole("alert")).toHaveText("Invalid SWIFT/BIC code");
  await section(page).getByLabel("SWIFT/BIC Code").fill("deutdeff");
  await expect(section(page).getByLabel("SWIFT/BIC Code")).toHaveValue("DEUTDEFF");
  await section(page).getByRole("button", { name: "Continue" }).click();
  await expect(section(page)).toContainText("DE8937040044");
  await expect(section(page)).toContainText("Portugal");
  await section(page).getByRole("button", { name: "Continue" }).click();
  await section(page).getByRole("button", { name: "Confirm Transfer" }).click();
  await expect(section(page)).toContainText("Sent $75.00 to");
  await expect(section(page).getByLabel("Recipient Name")).toHaveValue("");
  await balance(page, "$4,175.75");
});

for (const [who, title, sentence] of [
  [
    DEMO.vip,
    "Account Activity Alert",
    "For security reasons, external transfers have been temporarily suspended on your account. Please contact our support team immediately to resolve this matter.",
  ],
  [DEMO.lock, "Transaction Denied", "Monday - Friday 8AM - 8PM EST"],
  [
    DEMO.nora,
    "Transaction Blocked",
    "For security reasons, this transaction has been blocked. Please contact our support team for assistance.",
  ],
] as const) {
  test(`${who} sees '${title}' and returns to the filled form`, async ({ signInAs }) => {
    const page = await signInAs(who);
    await fillInternational(page, "DEUTDEFF");
    await section(page).getByRole("button", { name: "Continue" }).click();
    // Form and review each have the button; the form keeps its own until its rules have loaded.
    await expect(section(page)).toContainText("DE8937040044");
    await section(page).getByRole("button", { name: "Continue" }).click();
    await section(page).getByRole("button", { name: "Confirm Transfer" }).click();
    const dialog = page.getByRole("alertdialog", { name: title });
    await expect(dialog).toContainText(sentence);
    await expect(dialog.getByRole("link")).toHaveText("support@wrenmoor.example");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(section(page).getByLabel("Recipient Name")).toHaveValue("Ana Lima");
  });
}

test(
  "after Enter in the amount of any tab, a refusal stays on the screen until it is closed",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.nora);
    const refused = async (tab: string, fields: Readonly<Record<string, string>>) => {
      await openTab(page, tab);
      if (tab === "To US Bank") await chooseBank(page);
      await fill(page, { ...fields, Reference: "Rent", Amount: "5" });
      const amount = section(page).getByLabel("Amount");
      await amount.press("Enter");
      const dialog = page.getByRole("alertdialog", { name: "Transaction Blocked" });
      // The dialog has the focus, so the amount field was left.
      await expect(dialog.locator(":focus")).toBeVisible();
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(dialog).toBeHidden();
      await expect(amount).toHaveValue("5.00");
    };
    await refused("Between Accounts", {});
    await refused("To a Wrenmoor user", { "Recipient Email": DEMO.maya });
    await refused("To US Bank", {
      "Account Number": "12345678",
      "Account Holder Name": "Dana Whitfield",
    });
  },
);

test("a lost connection is reported, no money moves, and input and focus are kept", async ({
  signInAs,
  server,
  expectConnectionTrouble,
}) => {
  expectConnectionTrouble();
  const page = await signInAs(DEMO.maya);
  await fill(page, { Amount: "5", Reference: "Patience" });
  const send = section(page).getByRole("button", { name: "Transfer $5.00" });
  await send.focus();
  await server.kill();
  await expect(page.getByText("You're offline. Balances may be out of date.")).toBeVisible();
  await expect(send).toBeDisabled();
  await expect(section(page)).toContainText("You're offline. Reconnect to move money.");
  await server.restart();
  await expect(send).toBeEnabled({ timeout: 30_000 });
  await expect(send).toBeFocused();
  await expect(section(page).getByLabel("Reference")).toHaveValue("Patience");
  await page.keyboard.press("Enter");
  await balance(page, "$4,245.75");
});

test("a transfer is made with the keyboard alone", async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  await section(page).getByRole("tab", { name: "Between Accounts" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(section(page).getByRole("tab", { name: "To a Wrenmoor user" })).toBeFocused();
  await page.keyboard.press("Home");
  for (const label of ["From Account", "Swap accounts", "To Account"]) {
    await page.keyboard.press("Tab");
    await expect(section(page).getByLabel(label)).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await page.keyboard.type("3.5");
  await page.keyboard.press("Tab");
  await page.keyboard.type("By hand");
  await page.keyboard.press("Tab");
  await expect(section(page).getByRole("button", { name: "Transfer $3.50" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(section(page).getByRole("heading", { name: /\$3\.50 sent to/ })).toBeFocused();
});

test(
  "on a phone the selected tab is shown with its neighbors",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, { viewport: { width: 390, height: 844 } });
    await page.getByRole("tab", { name: "To US Bank" }).dispatchEvent("click");
    for (const name of ["To a Wrenmoor user", "To US Bank", "International"]) {
      await expect(page.getByRole("tab", { name })).toBeInViewport({ ratio: 0.5 });
    }
  },
);
