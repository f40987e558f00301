/** Leaving or reloading a page while it sends neither repeats an action nor loses it. */
import type { Page } from "@playwright/test";
import { withholdAnswers } from "./support/brokenCalls";
import { DEMO } from "./support/people";
import { pngFile } from "./support/pictures";
import { expect, test } from "./support/test";

const section = (page: Page) => page.getByRole("region", { name: "Transfer Money" });
const panel = (page: Page) => page.getByRole("region", { name: "Quick Actions" });
const balance = (page: Page, text: string) =>
  expect(page.locator("main")).toContainText(`Available Balance${text}`);

/** Goes to another page of the application and back. */
async function visitOtherPage(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Profile Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Profile Settings" })).toBeVisible();
  await page.goBack();
  await expect(section(page)).toBeVisible();
}

for (const [how, leave] of [
  ["loaded anew", (page: Page) => page.reload()],
  ["left", visitOtherPage],
] as const) {
  test(`a transfer whose page is ${how} while it is sent moves the money once`, async ({
    signInAs,
  }) => {
    const page = await signInAs(DEMO.omar);
    const witness = await signInAs(DEMO.omar);
    const answers = await withholdAnswers(page);
    await section(page).getByLabel("Amount").fill("3.33");
    await section(page).getByLabel("Reference").fill("Once");
    answers.withhold();
    await section(page).getByRole("button", { name: "Transfer $3.33" }).click();
    await expect(section(page).getByRole("button", { name: "Transferring..." })).toBeVisible();
    await balance(witness, "$976.77");
    await leave(page);
    if (how === "left") answers.release();
    await section(page).getByRole("button", { name: "Transfer $3.33" }).click();
    await expect(section(page)).toContainText("$3.33 sent to Savings");
    await balance(page, "$976.77");
    await section(page).getByRole("button", { name: "Make another transfer" }).click();
    await expect(section(page).getByLabel("Amount")).toHaveValue("");
    // The same input sent once more is a new transfer.
    await section(page).getByLabel("Amount").fill("3.33");
    await section(page).getByLabel("Reference").fill("Once");
    await section(page).getByRole("button", { name: "Transfer $3.33" }).click();
    await balance(page, "$973.44");
  });
}

test("a check upload continues when its page is left, and is shown as in progress on return", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.omar);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/deposit-images*", async (route) => {
    await isReleased;
    await route.continue();
  });
  await panel(page).getByRole("button", { name: "Mobile Deposit" }).click();
  await panel(page).getByLabel("Amount").fill("12");
  for (const side of ["Front of check", "Back of check"]) {
    await panel(page)
      .getByLabel(side, { exact: true })
      .setInputFiles(pngFile(`${side}.png`));
  }
  await panel(page).getByRole("button", { name: "Deposit Check" }).click();
  await expect(panel(page).getByRole("button", { name: "Uploading..." })).toBeVisible();
  await visitOtherPage(page);
  await expect(panel(page).getByRole("button", { name: "Uploading..." })).toBeVisible();
  await expect(panel(page).getByLabel("Amount")).toHaveValue("12.00");
  await expect(panel(page).getByText("Front of check.png")).toBeVisible();
  release();
  await expect(panel(page).getByText(/^Check deposit submitted successfully!/)).toBeVisible();
  await expect(panel(page).getByLabel("Amount")).toHaveValue("");
  await expect(panel(page).getByText("Pending Review")).toHaveCount(1);
});

test(
  "the result of one's own action is shown in place and not in a toast as well",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.omar);
    const other = await signInAs(DEMO.omar);
    await section(page).getByLabel("Amount").fill("2");
    await section(page).getByLabel("Reference").fill("Quiet");
    await section(page).getByRole("button", { name: "Transfer $2.00" }).click();
    await expect(section(page)).toContainText("$2.00 sent to Savings");
    // The notification arrived: the other page shows it.
    await expect(other.getByRole("button", { name: "Dismiss" })).toHaveCount(1);
    await expect(page.getByRole("button", { name: /Notifications, 3 unread/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  },
);
