/**
 * A check deposit from end to end (spec sections 2, 4): photographed by the member, reviewed in the back
 * office, and updated live on the member's open page. For the form alone see mobileDeposit.spec.ts.
 */
import type { Buffer } from "node:buffer";
import type { Page } from "@playwright/test";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const SIDES = ["Front of check", "Back of check"] as const;

/** A JPEG like a camera's: a screenshot of the page, large enough to be a check. */
const photo = async (page: Page): Promise<Buffer> => page.screenshot({ type: "jpeg", quality: 60 });

async function depositCheck(member: Page, amount: string): Promise<void> {
  const panel = member.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Mobile Deposit" }).click();
  const buffer = await photo(member);
  await panel.getByLabel("Amount").fill(amount);
  for (const side of SIDES) {
    const file = { name: `${side}.jpg`, mimeType: "image/jpeg", buffer };
    await panel.getByLabel(side, { exact: true }).setInputFiles(file);
  }
  await panel.getByRole("button", { name: "Deposit Check" }).click();
  await expect(panel.getByText(/^Check deposit submitted successfully!/)).toBeVisible();
  await expect(panel.getByText("Pending Review")).toBeVisible();
}

/** The entry of a person's deposit in the queue; the demo data set has one of Maya's. */
const waiting = (admin: Page, email: string) =>
  admin.getByRole("button", { name: new RegExp(email) });

/** Opens the waiting deposit of `email` and checks that both photos are really rendered. */
async function openDeposit(admin: Page, email: string): Promise<void> {
  await waiting(admin, email).click();
  for (const side of SIDES) {
    const image = admin.getByRole("img", { name: side });
    await expect(image).toBeVisible();
    await expect
      .poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(50);
  }
}

async function openQueue(admin: Page): Promise<void> {
  await admin
    .getByRole("navigation", { name: "Back office" })
    .getByRole("link", { name: "Deposits" })
    .click();
  await expect(waiting(admin, DEMO.maya)).toBeVisible();
  await expect(waiting(admin, DEMO.omar)).toBeHidden();
}

/** From now on, however short it is shown: says whether the page has held this text. */
async function watchFor(page: Page, text: string): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle((wanted) => {
    const found = { is: false };
    const look = () => (found.is ||= document.body.textContent.includes(wanted));
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    return found;
  }, text);
  return () => seen.evaluate(({ is }) => is);
}

const balance = (page: Page, text: string) =>
  expect(page.locator("main")).toContainText(`Available Balance${text}`);

test("the demo member's waiting check shows its photos, and once approved the queue is empty", async ({
  signInAs,
}) => {
  const [admin, member] = [await signInAs(DEMO.admin), await signInAs(DEMO.maya)];
  await openQueue(admin);
  await openDeposit(admin, DEMO.maya);
  await expect(admin.getByRole("alert")).toHaveCount(0);
  // The address keeps what is open: Back closes it, and a reload shows it again.
  const details = admin.getByRole("group", { name: "Deposit details" });
  await admin.goBack();
  await expect(details).toBeHidden();
  await expect(waiting(admin, DEMO.maya)).toBeVisible();
  await admin.goForward();
  await expect(details).toBeVisible();
  await admin.reload();
  await expect(details).toBeVisible();
  const isTakenForAnothers = await watchFor(admin, "already been reviewed");
  await admin.getByRole("button", { name: "Approve deposit" }).click();
  const question = admin.getByRole("alertdialog", { name: "Approve $245.00?" });
  await question.getByRole("button", { name: "Approve deposit" }).click();
  await expect(admin.getByText("No deposits are waiting")).toBeVisible();
  await expect(admin.getByRole("region", { name: "Deposits" })).toBeFocused();
  expect(await isTakenForAnothers()).toBe(false);
  await balance(member, "$4,495.75");
});

test("a deposited check appears in the queue; its approval moves the money and notifies the member, all live", async ({
  signInAs,
}) => {
  const [admin, member] = [await signInAs(DEMO.admin), await signInAs(DEMO.omar)];
  await openQueue(admin);
  await depositCheck(member, "120");
  await balance(member, "$980.10");

  await openDeposit(admin, DEMO.omar);
  await expect(admin.getByRole("alert")).toHaveText("Front and back are the same picture.");
  await admin.getByRole("button", { name: "Approve deposit" }).click();
  const question = admin.getByRole("alertdialog", { name: "Approve $120.00?" });
  await question.getByRole("button", { name: "Approve deposit" }).click();
  await expect(admin.getByText(`The deposit of ${DEMO.omar} was approved.`)).toBeVisible();
  await expect(waiting(admin, DEMO.omar)).toBeHidden();

  await balance(member, "$1,100.10");
  const panel = member.getByRole("region", { name: "Quick Actions" });
  await expect(panel.getByText("Completed", { exact: true })).toBeVisible();
  await member.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click();
  await expect(
    member.getByRole("listitem").filter({ hasText: "Unread: Check deposit completed" }),
  ).toContainText("$120.00 was added to Checking.");
});

test("a rejected check moves no money, and the member reads why", async ({ signInAs }) => {
  const [admin, member] = [await signInAs(DEMO.admin), await signInAs(DEMO.omar)];
  await openQueue(admin);
  await depositCheck(member, "75.50");

  await openDeposit(admin, DEMO.omar);
  await admin.getByRole("button", { name: "Reject deposit" }).click();
  const dialog = admin.getByRole("dialog", { name: "Reject deposit" });
  await dialog.getByRole("button", { name: "Reject deposit" }).click();
  await expect(dialog.getByText("Please give a reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("The back is not endorsed.");
  await dialog.getByRole("button", { name: "Reject deposit" }).click();
  await expect(admin.getByText(`The deposit of ${DEMO.omar} was rejected.`)).toBeVisible();

  const panel = member.getByRole("region", { name: "Quick Actions" });
  await expect(panel.getByText("Failed", { exact: true })).toBeVisible();
  await expect(panel.getByText("The back is not endorsed.")).toBeVisible();
  await balance(member, "$980.10");
  await member.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click();
  await expect(
    member.getByRole("listitem").filter({ hasText: "Unread: Check deposit not accepted" }),
  ).toContainText("Your deposit of $75.50 was not accepted: The back is not endorsed.");
});
