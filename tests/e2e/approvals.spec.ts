/** Changes above the limit for one administrator, with two administrators in separate browsers. */
import { api } from "../../convex/_generated/api";
import { adminClient, userIdOf } from "../support/backOffice";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("a large change waits for a second administrator, who approves or rejects it, live on both screens", async ({
  server,
  signInAs,
}) => {
  // Three browsers, one after the other.
  test.setTimeout(180_000);
  const office = await adminClient(server.url);
  const userId = await userIdOf(office, DEMO.omar);
  await office.mutation(api.admin.users.setRole, { userId, role: "admin" });
  await office.mutation(api.admin.policies.set, {
    key: "secondAdminApprovalAbove",
    value: "100000",
  });
  const [first, second] = [await signInAs(DEMO.admin), await signInAs(DEMO.omar)];
  const navigation = second.getByRole("navigation", { name: "Back office" });
  await navigation.getByRole("link", { name: "Approvals" }).click();
  await expect(second.getByText("No changes are waiting")).toBeVisible();

  await first.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
  const checking = first.getByRole("region", { name: "Checking", exact: true });
  await first.getByRole("button", { name: "Edit Checking" }).click();
  await checking.getByLabel("Balance").fill("9000");
  await checking.getByLabel("Available").fill("9000");
  await checking.getByRole("button", { name: "Save changes" }).click();
  await expect(first.getByText("Another administrator has to approve it.")).toBeVisible();
  await expect(checking.getByText("$4,250.75 available")).toBeVisible();
  await expect(first.getByRole("button", { name: "Approve change" })).toHaveCount(0);

  await expect(second.getByText("Balance from $4,250.75 to $9,000.00")).toBeVisible();
  await second.getByRole("button", { name: "Approve change" }).click();
  const question = second.getByRole("alertdialog", { name: "Approve this change?" });
  await question.getByRole("button", { name: "Approve change" }).click();
  await expect(second.getByText("No changes are waiting")).toBeVisible();
  await expect(checking.getByText("$9,000.00 available")).toBeVisible();
  await expect(first.getByText("Another administrator has to approve it.")).toBeHidden();

  const panel = first.getByRole("region", { name: "Delete User Transactions", exact: true });
  await panel.getByLabel("User email").fill(DEMO.maya);
  await panel.getByRole("button", { name: "Delete Transactions" }).click();
  await expect(panel.getByText(/The change is now waiting under Approvals/)).toBeVisible();
  await second.getByRole("button", { name: "Refuse change" }).click();
  const dialog = second.getByRole("dialog", { name: "Refuse this change" });
  await dialog.getByRole("button", { name: "Refuse change" }).click();
  await expect(dialog.getByText("Please give a reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("She is still a member.");
  await dialog.getByRole("button", { name: "Refuse change" }).click();
  await expect(second.getByText("No changes are waiting")).toBeVisible();

  await navigation.getByRole("link", { name: "Audit log" }).click();
  const entries = second.getByRole("region", { name: "Audit entries" }).getByRole("listitem");
  await expect(entries.filter({ hasText: "Account edited" })).toContainText(
    `by ${DEMO.omar}, requested by ${DEMO.admin}`,
  );
  await expect(entries.first()).toContainText("She is still a member.");

  const maya = await signInAs(DEMO.maya);
  await maya.goto(`${server.url}/settings/account`);
  await expect(maya.getByText("Your Checking account was updated.")).toBeVisible();
});
