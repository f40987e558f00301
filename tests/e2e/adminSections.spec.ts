/** The other sections of the back office, their accessibility, and the two views on a phone. */
import type { Page } from "@playwright/test";
import { expectNoSidewaysScroll, expectNoViolations } from "./support/accessible";
import { DEMO } from "./support/people";
import { expect, expectLoaded, test } from "./support/test";

const SECTIONS = [
  "Users",
  "Deposits",
  "Approvals",
  "Messages",
  "Outbox",
  "Audit log",
  "Policies",
  "Health",
];

async function openSection(page: Page, name: string): Promise<void> {
  const link = page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name });
  await link.click();
  const title = name === "Users" ? "Admin Dashboard" : name;
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expectLoaded(page);
}

async function expectGoodPage(page: Page, name: string): Promise<void> {
  await expectNoViolations(page, name);
  await expectNoSidewaysScroll(page, name);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `every section is accessible on desktop and at 320 px (${colorScheme})`,
    { tag: colorScheme === "dark" ? "@long" : [] },
    async ({ signInAs }) => {
      test.setTimeout(120_000);
      const page = await signInAs(DEMO.admin, { colorScheme });
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of SECTIONS) {
          await openSection(page, name);
          await expectGoodPage(page, `${name} at ${width}`);
        }
      }
      await openSection(page, "Users");
      await page.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
      await expect(page.getByRole("heading", { name: "User Transactions" })).toBeVisible();
      await expectLoaded(page);
      await expectGoodPage(page, "user at 320");
      await page.getByRole("button", { name: "Verify User" }).click();
      await expect(page.getByRole("dialog", { name: "User Verification" })).toBeVisible();
      await expectGoodPage(page, "verification at 320");
    },
  );
}

test("on a phone list and detail are two views", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin, { viewport: { width: 390, height: 844 } });
  const row = page.getByRole("button", { name: new RegExp(DEMO.omar) });
  await row.click();
  await expect(page.getByRole("button", { name: "Verify User" })).toBeVisible();
  await expect(page.getByRole("group", { name: "User details" })).toBeFocused();
  await expect(page.getByLabel("Search by name or email")).toBeHidden();
  await page.getByRole("button", { name: "All users" }).click();
  await expect(page.getByLabel("Search by name or email")).toBeVisible();
  await expect(row).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("button", { name: "Verify User" })).toBeVisible();
});

test("policies are applied at once, each can be reverted, and the audit log shows it", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  await openSection(page, "Policies");
  await page.getByRole("button", { name: "Apply recommended policies" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Apply policies" }).click();
  await expect(page.getByText("Every policy is set as recommended.")).toBeVisible();
  const shortest = page.getByRole("region", { name: "Shortest password" });
  await expect(shortest.getByRole("radio", { name: /^Recommended/ })).toBeChecked();
  await shortest.getByRole("radio", { name: /^As specified/ }).check();
  await expect(shortest.getByText("as specified", { exact: true })).toBeVisible();

  await openSection(page, "Audit log");
  const entries = page.getByRole("region", { name: "Audit entries" }).getByRole("listitem");
  await expect(entries.filter({ hasText: "Recommended policies applied" })).toHaveCount(1);
  await page.getByLabel("Action").selectOption({ label: "Policy switched" });
  await expect(entries).toHaveCount(1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Person's email").fill("nobody@demo.example");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("User not found")).toBeVisible();
  await page.getByLabel("Person's email").fill(DEMO.admin);
  await page.getByLabel("Entries", { exact: true }).selectOption({ label: "By this person" });
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText(`Showing entries by ${DEMO.admin}`)).toBeVisible();
  await page.getByLabel("Person's email").fill(DEMO.maya);
  await page.getByLabel("Entries", { exact: true }).selectOption({ label: "About this person" });
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByLabel("Account", { exact: true }).selectOption({ label: "Checking" });
  await expect(page).toHaveURL(/person=.*account=/);
  await expect(page.getByText("No entries")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
});

test("a visitor's message appears live and can be marked as handled", async ({
  signInAs,
  visit,
}) => {
  const page = await signInAs(DEMO.admin);
  await openSection(page, "Messages");
  await expect(page.getByText("No messages yet")).toBeVisible();
  const visitor = await visit("/contact");
  await visitor.getByLabel("Name").fill("Ruth Abendroth");
  await visitor.getByLabel("Email", { exact: true }).first().fill("ruth@mail.example");
  await visitor.getByLabel("Subject").selectOption("loan");
  await visitor.getByLabel("Message").fill("What does a loan cost?");
  await visitor.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("What does a loan cost?")).toBeVisible();
  await page.getByRole("button", { name: /^Mark as handled/ }).click();
  await expect(page.getByText(`Handled by ${DEMO.admin}`)).toBeVisible();
  await page.getByRole("tab", { name: "Open" }).click();
  await expect(page.getByText("No messages are open")).toBeVisible();
  // The visitor calls and reads the number out.
  const [reference = ""] = /C-\w{8}/.exec(await visitor.getByRole("main").innerText()) ?? [];
  await page.getByRole("searchbox").fill(reference.toLowerCase().replace("-", " "));
  await expect(page.getByText("What does a loan cost?")).toBeVisible();
  await page.getByRole("button", { name: /^Reopen/ }).click();
  await openSection(page, "Health");
  await expect(page.getByRole("row", { name: /Messages to answer/ })).toContainText("1");
});

test("the ledger check runs on demand and its result appears", async ({ signInAs }) => {
  const page = await signInAs(DEMO.admin);
  await openSection(page, "Health");
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("The ledger is in order")).toBeVisible();
  await expect(page.getByRole("table", { name: "Queues" })).toBeVisible();
});

test("a member cannot open the back office", async ({ signInAs, server }) => {
  const page = await signInAs(DEMO.maya);
  await page.goto(`${server.url}/admin`);
  await expect(page).toHaveURL(/\/login/);
});
