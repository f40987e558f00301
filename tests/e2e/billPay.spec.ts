/** Bill Pay (spec sections 2, 5, 8): scheduling, the member's own records, cancelling. */
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("a bill is scheduled, shows everywhere at once, and can be canceled", async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar);
  const other = await signInAs(DEMO.omar);
  for (const tab of [page, other]) {
    await tab
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Bill Pay" })
      .click();
  }
  const panel = page.getByRole("region", { name: "Quick Actions" });
  const submit = panel.getByRole("button", { name: "Schedule Payment" });
  const alert = panel.getByRole("alert");
  await submit.click();
  await expect(alert).toHaveText("Please fill in all required fields");
  await panel.getByRole("radio", { name: "Water" }).check();
  await panel.getByLabel("Account Number").fill("W-77-1020");
  const date = panel.getByLabel("Payment Date");
  const earliest = (await date.getAttribute("min")) ?? "";
  await date.fill(earliest);
  await panel.getByLabel("Amount").fill("0");
  await submit.click();
  await expect(alert).toHaveText("Please enter a valid amount");
  await panel.getByLabel("Amount").fill("980.11");
  await submit.click();
  await expect(alert).toHaveText("Insufficient funds");
  await panel.getByLabel("Amount").fill("61.40");
  await panel.getByLabel("Memo").fill("Autumn");
  await submit.click();
  await expect(panel.getByText("Payment scheduled successfully!")).toBeInViewport();

  const upcoming = (tab: typeof page) => tab.getByRole("region", { name: "Upcoming Bills" });
  await expect(upcoming(other)).toContainText("$61.40");
  await expect(upcoming(other)).toContainText("1020");
  await expect(upcoming(other)).not.toContainText("W-77-1020");
  await expect(page.getByRole("region", { name: "Recent Transactions" })).toContainText("-$61.40");
  await expect(page.locator("main")).toContainText("Available Balance$980.10");

  await upcoming(page).getByRole("button", { name: "Cancel payment" }).click();
  await expect(panel.getByText("Payment canceled.")).toBeVisible();
  await expect(panel.getByRole("heading", { name: "Upcoming Bills" })).toBeFocused();
  await expect(other.getByRole("region", { name: "Payment History" })).toContainText("Canceled");
  await expect(upcoming(other)).toContainText("No upcoming bills");
});

test("what came of a cancellation is in sight also when the bill is far down", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  await page.setViewportSize({ width: 390, height: 640 });
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Bill Pay" }).click();
  const last = page.getByRole("button", { name: "Cancel payment" }).last();
  await last.evaluate((button) => button.scrollIntoView({ block: "start" }));
  await last.click();
  await expect(page.getByText("Payment canceled.")).toBeInViewport();
});
