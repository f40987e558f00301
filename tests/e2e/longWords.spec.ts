/** Long text without spaces, such as a URL, is readable as a whole on a phone. */
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { adminClient, NEW_PERSON, userIdOf } from "../support/backOffice";
import { expectWhole } from "./support/accessible";
import { fillApplication } from "./support/application";
import { DEMO } from "./support/people";
import { expect, expectLoaded, passwordStep, test } from "./support/test";

const PHONE = { viewport: { width: 320, height: 640 } };
const WORD = `https://files.example/${"evidence".repeat(12)}`;
const ADDRESS = `${"m".repeat(60)}@${["c", "d", "e"].map((letter) => letter.repeat(60)).join(".")}.example`;

const ROW = {
  accountType: "Checking",
  type: "credit",
  amountCents: 150_000n,
  description: WORD,
  category: "Other",
  status: "Completed",
} as const;

test(
  "long words are readable in the back office",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    test.slow();
    const admin = await adminClient(server.url);
    await new ConvexHttpClient(server.url, { logger: false }).mutation(api.contact.send, {
      name: "N".repeat(80),
      email: ADDRESS,
      subject: "general",
      message: `See ${WORD}`,
      preferredContact: "email",
    });
    const [lena, omar] = await Promise.all(
      [DEMO.lena, DEMO.omar].map((email) => userIdOf(admin, email)),
    );
    if (lena === undefined || omar === undefined) throw new Error("no people");
    await admin.mutation(api.admin.registrations.requestInformation, { userId: lena, text: WORD });
    await admin.mutation(api.admin.restrictions.set, { userId: omar, reason: WORD });
    await admin.action(api.admin.users.create, {
      ...NEW_PERSON,
      name: "Long Address",
      email: ADDRESS,
    });
    await admin.mutation(api.admin.approvals.request, {
      change: {
        kind: "transactions.add",
        args: {
          userId: await userIdOf(admin, ADDRESS),
          rows: [{ ...ROW, date: Date.now() - 1_000 }],
          updateBalance: true,
          requestKey: crypto.randomUUID(),
        },
      },
    });
    const page = await signInAs(DEMO.admin, PHONE);
    for (const email of [DEMO.omar, DEMO.lena, ADDRESS]) {
      await page.goto(new URL("/admin", page.url()).href);
      await page.getByRole("button", { name: new RegExp(`^${email}`) }).click();
      await expect(page.getByRole("button", { name: "Verify User" })).toBeVisible();
      await expectWhole(page, `details of ${email}`);
      await page.getByRole("button", { name: "Verify User" }).click();
      const dialog = page.getByRole("dialog", { name: "User Verification" });
      await expect(dialog.getByText(email).first()).toBeVisible();
      await expectWhole(page, `verification of ${email}`);
    }
    await admin.mutation(api.admin.registrations.reject, { userId: lena, reason: WORD });
    const maya = await userIdOf(admin, DEMO.maya);
    await admin.mutation(api.admin.identity.set, {
      userId: maya,
      name: "N".repeat(80),
      email: `d${ADDRESS}`,
      expected: { name: "Maya Torres", email: DEMO.maya },
      reason: WORD,
    });
    await page.goto(new URL("/admin/deposits", page.url()).href);
    await page.getByRole("button", { name: new RegExp(`^d${ADDRESS}`) }).click();
    await expect(page.getByRole("button", { name: "Approve deposit" })).toBeVisible();
    await expectWhole(page, "the review of a deposit");
    for (const section of ["approvals", "messages", "outbox", "audit", "reset-transfers"]) {
      await page.goto(new URL(`/admin/${section}`, page.url()).href);
      await expectLoaded(page);
      for (const mail of await page.locator("summary").all()) await mail.click();
      await expectWhole(page, section);
    }
    await page.goto(new URL("/admin/approvals", page.url()).href);
    await page.getByRole("button", { name: /^(Refuse|Withdraw)/ }).click();
    const question = page.getByRole("dialog", { name: /^(Refuse|Withdraw) this change$/ });
    await expect(question.getByText(ADDRESS)).toBeVisible();
    await expect(question.getByLabel("Reason")).toBeInViewport({ ratio: 1 });
  },
);

test(
  "a long word in a file of rows is readable below its row",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.admin, PHONE);
    await page.getByRole("button", { name: new RegExp(`^${DEMO.omar}`) }).click();
    const columns = "Account,Type,Amount,Description,Category,Date,Time,Status";
    const row = `Checking,debit,1.00,${"W".repeat(300)},Other,2026-01-02,10:00,Completed`;
    await page.locator("input[type=file]").setInputFiles({
      name: "rows.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`${columns}\n${row}\n`),
    });
    await expect(page.getByText(/^Row 1, Description: use at most 200/).last()).toBeVisible();
    await expectWhole(page, "a row with a problem");
  },
);

test(
  "long words are readable on the status page of an applicant",
  { tag: "@long" },
  async ({ server, visit }) => {
    const admin = await adminClient(server.url);
    const lena = await userIdOf(admin, DEMO.lena);
    await admin.mutation(api.admin.registrations.requestInformation, { userId: lena, text: WORD });
    const page = await visit("/login", PHONE);
    await passwordStep(page, DEMO.lena);
    await expect(page.getByText(WORD)).toBeVisible();
    await expectWhole(page, "the request for information");
    await admin.mutation(api.admin.registrations.reject, { userId: lena, reason: WORD });
    await expect(page.getByRole("heading", { name: "Application not approved" })).toBeVisible();
    await expectWhole(page, "the rejection");
  },
);

test("a long address is readable where its application waits", async ({ visit }) => {
  const page = await visit("/signup", PHONE);
  await fillApplication(page, ADDRESS);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await expect(page).toHaveURL(/\/registration-success$/);
  await page.getByRole("link", { name: "See application status" }).click();
  await expect(page.getByText(/^Submitted on .* for /)).toBeVisible();
  await expectWhole(page, "the submitted application");
});

test(
  "long words are readable on a member's pages",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    test.slow();
    const admin = await adminClient(server.url);
    const maya = await userIdOf(admin, DEMO.maya);
    await admin.action(api.admin.users.create, {
      ...NEW_PERSON,
      name: "N".repeat(80),
      email: "long@demo.example",
    });
    const { page: deposits } = await admin.query(api.admin.deposits.queue, {
      status: "Pending Review",
      paginationOpts: { numItems: 5, cursor: null },
    });
    const deposit = deposits.find(({ userId }) => userId === maya);
    if (deposit === undefined) throw new Error("no deposit");
    await admin.mutation(api.admin.deposits.reject, { depositId: deposit._id, reason: WORD });

    const page = await signInAs(DEMO.maya, PHONE);
    const panel = page.getByRole("region", { name: "Quick Actions" });
    const section = page.getByRole("region", { name: "Transfer Money" });
    await panel.getByRole("button", { name: "Mobile Deposit" }).click();
    await expect(panel.getByText(WORD)).toBeVisible();
    await expectWhole(page, "a rejected deposit");

    await page.goto(new URL("/dashboard#quick-actions-billpay", page.url()).href);
    await panel.getByRole("radio", { name: "Electric" }).check({ force: true });
    await panel.getByLabel("Account Number").fill("12345678");
    await panel.getByLabel("Amount").fill("1");
    const date = panel.getByLabel("Payment Date");
    await date.fill((await date.getAttribute("min")) ?? "");
    await panel.getByLabel("Memo").fill("m".repeat(90));
    await panel.getByRole("button", { name: "Schedule Payment" }).click();
    await expect(panel.getByText("m".repeat(90))).toBeVisible();
    await expectWhole(page, "a payment's memo");

    await section.getByRole("tab", { name: "To a Wrenmoor user" }).click();
    await section.getByLabel("Recipient Email").fill("long@demo.example");
    await section.getByLabel("Amount").fill("1");
    await section.getByLabel("Reference").fill("r".repeat(90));
    await section.getByRole("button", { name: "Verify" }).click();
    await expect(section.getByText(/^Sends \$1.00 to N{80}/)).toBeVisible();
    await expectWhole(page, "a recipient's name");
    await section.getByRole("button", { name: "Send Money" }).click();
    await expect(section.getByRole("heading", { name: /sent to N{80}/ })).toBeVisible();
    await expectWhole(page, "a receipt");

    const other = await signInAs("long@demo.example", PHONE);
    await expect(other.getByRole("heading", { level: 1, name: /N{80}$/ })).toBeVisible();
    await expectWhole(other, "a member's own name");
    await other.goto(new URL("/dashboard#quick-actions-statements", other.url()).href);
    await expect(other.getByText(/^N{80}, account /)).toBeVisible();
    await expectWhole(other, "the account holder's name on a statement");
  },
);
