/** Cards (spec section 2): two cards, their actions, and the code that is always refused. */
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("cards can be locked, or reported lost permanently, and every tab shows it", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const other = await signInAs(DEMO.maya);
  for (const tab of [page, other]) {
    await tab
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Cards" })
      .click();
  }
  const debit = (tab: typeof page) => tab.getByRole("region", { name: "Debit card" });
  const credit = (tab: typeof page) => tab.getByRole("region", { name: "Credit card" });
  await expect(credit(page)).toContainText("30% of $5,000.00 used");
  await expect(credit(page)).toContainText("2,500");
  await expect(page.getByRole("button", { name: "Lock Card" })).toHaveCount(2);

  await debit(page).getByRole("button", { name: "Lock Card" }).click();
  await expect(debit(other).getByText("Locked", { exact: true })).toBeVisible();
  await debit(other).getByRole("button", { name: "Unlock Card" }).click();
  await expect(debit(page).getByRole("button", { name: "Lock Card" })).toBeVisible();

  await credit(page).getByRole("button", { name: "Report Lost" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Report Lost" }).click();
  await expect(credit(other).getByText("Reported lost", { exact: true })).toBeVisible();
  await expect(credit(page).getByRole("button", { name: "Lock Card" })).toBeDisabled();
});

test("staff report a caller's card lost and issue a new one while the member looks", async ({
  signInAs,
}) => {
  const admin = await signInAs(DEMO.admin);
  const omar = await signInAs(DEMO.omar);
  const panel = omar.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Cards" }).click();
  const card = panel.getByRole("region", { name: "Debit card" });
  const oldNumber = await card.getByText(/^•••• •••• •••• \d{4}$/).innerText();

  await admin
    .getByRole("region", { name: "Users", exact: true })
    .getByRole("button", { name: new RegExp(DEMO.omar) })
    .click();
  const desk = admin
    .getByRole("region", { name: "Cards", exact: true })
    .getByRole("region", { name: "Debit card" });
  await expect(desk).toContainText(oldNumber.slice(-4));
  const act = async (label: string) => {
    await desk.getByRole("button", { name: label }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Knew his last payments");
    await dialog.getByRole("button", { name: label }).click();
    await expect(dialog).toBeHidden();
  };
  await act("Report lost");
  await expect(card.getByText("This card is blocked for good.")).toBeVisible();
  await act("Issue new card");
  await expect(card.getByText("Active", { exact: true })).toBeVisible();
  const newNumber = await card.getByText(/^•••• •••• •••• \d{4}$/).innerText();
  expect(newNumber).not.toBe(oldNumber);
  await expect(desk).toContainText(newNumber.slice(-4));
  await expect(panel.getByRole("button", { name: "Lock Card" })).toHaveCount(2);
  await card.getByRole("button", { name: "Lock Card" }).click();
  await expect(desk.getByText("Locked", { exact: true })).toBeVisible();
});

test("each card service asks for six digits and answers as specified", async ({ signInAs }) => {
  const page = await signInAs(DEMO.maya);
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Cards" }).click();
  for (const action of ["Change PIN", "Set Limits", "Get Details"]) {
    await panel.getByRole("button", { name: action }).click();
    const dialog = page.getByRole("dialog", { name: action });
    await expect(dialog.getByRole("button", { name: "Verify" })).toBeDisabled();
    await dialog.getByLabel("Verification code").fill("12345678");
    await expect(dialog.getByLabel("Verification code")).toHaveValue("123456");
    await dialog.getByRole("button", { name: "Verify" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(
      "Service temporarily unavailable. Please try again later.",
    );
    await dialog.getByRole("button", { name: "Back" }).click();
    await expect(panel.getByRole("button", { name: action })).toBeFocused();
  }
  await panel.getByRole("tab", { name: "Statements" }).click();
  await expect(panel.getByRole("button", { name: /Download/ })).toHaveCount(13);
});

test("a double click on 'Report Lost' only asks, also where the question puts its button under it", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya, { viewport: { width: 390, height: 844 } });
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Cards" }).click();
  const card = panel.getByRole("region", { name: "Credit card" });
  const opener = card.getByRole("button", { name: "Report Lost" });
  const question = page.getByRole("alertdialog");
  const confirm = question.getByRole("button", { name: "Report Lost" });
  await opener.click();
  const target = (await confirm.boundingBox())!;
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  await opener.evaluate((button, top) => {
    window.scrollBy(0, button.getBoundingClientRect().top - top);
  }, target.y);

  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await expect(confirm).toBeVisible();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(card.getByText("Active", { exact: true })).toBeVisible();
});
