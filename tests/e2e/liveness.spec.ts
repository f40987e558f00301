/** What arrives by itself leaves alone what a person is doing (spec section 6; live lists). */
import { fillApplication } from "./support/application";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const NEWCOMER = "ines.marchetti@mail.example";

test("an application arrives in the list while an account is edited, and moves neither text nor focus", async ({
  signInAs,
  visit,
}) => {
  const [admin, stranger] = [await signInAs(DEMO.admin), await visit("/signup")];
  await fillApplication(stranger, NEWCOMER);
  await admin.getByRole("button", { name: new RegExp(DEMO.omar) }).click();
  await admin.getByRole("button", { name: "Edit Checking" }).click();
  const checking = admin.getByRole("region", { name: "Checking", exact: true });
  await checking.getByLabel("Account Number").fill("4810299317");
  await admin.getByLabel("Row 1 Description").fill("Correction of a fee");
  await checking.getByLabel("Balance").fill("1234.5");
  await expect(admin.getByRole("button", { name: new RegExp(NEWCOMER) })).toBeHidden();

  await stranger.getByRole("button", { name: "Submit Application" }).click();
  await expect(admin.getByRole("button", { name: new RegExp(NEWCOMER) })).toBeVisible();

  await expect(checking.getByLabel("Balance")).toBeFocused();
  await expect(checking.getByLabel("Balance")).toHaveValue("1234.5");
  await expect(checking.getByLabel("Account Number")).toHaveValue("4810299317");
  await expect(admin.getByLabel("Row 1 Description")).toHaveValue("Correction of a fee");
  await expect(checking.getByText(/These values changed/)).toBeHidden();
});
